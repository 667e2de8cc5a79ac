// SPDX-License-Identifier: Apache-2.0
#include "fovea/apps/coreference/match_model_file.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <nlohmann/json.hpp>

#include "fovea/base/atomic_file.h"
#include "fovea/base/error.h"
#include "fovea/io/stream.h"

namespace fovea {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kKind = "fovea match model";
constexpr int kVersion = 1;

std::string read_text(const std::string& path) {
  LineReader lines{ByteSource(path)};
  std::string text;
  while (lines.next()) text.append(lines.line()).append("\n");
  return text;
}

InputError not_a_model(const std::string& path, std::string_view problem) {
  return {{.file = path},
          fmt::format("not a match model: {}", problem),
          "Give a file that --save-model of 'fovea dedupe' or 'fovea link' wrote"};
}

}  // namespace

std::string MatchModelDescription::compare() const { return fmt::format("{}", fmt::join(comparisons, ", ")); }
std::string MatchModelDescription::block() const { return fmt::format("{}", fmt::join(rules, ", ")); }

void write_match_model(const std::string& path, const MatchModelDescription& model) {
  const MatchParameters& parameters = model.parameters;
  Json json = {{"kind", kKind},
               {"version", kVersion},
               {"block", model.rules},
               {"max_block", model.max_block},
               {"prior_log_odds", parameters.weights.prior_log_odds},
               {"term_pseudo_count", parameters.term_frequency.pseudo_count},
               {"term_strength", parameters.term_frequency.strength},
               {"comparisons", Json::array()}};
  for (std::size_t c = 0; c < model.comparisons.size(); ++c)
    json["comparisons"].push_back({{"compare", model.comparisons[c]},
                                   {"weights", parameters.weights.weights[c]},
                                   {"equal_share", parameters.equal_share.empty() ? 0 : parameters.equal_share[c]}});
  const std::string text = json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
  write_file_atomically(path, std::array{std::string_view(text)});
}

MatchModelDescription read_match_model(const std::string& path) {
  try {
    const Json json = Json::parse(read_text(path));
    if (json.at("kind") != kKind) throw not_a_model(path, "it is of another kind");
    if (json.at("version") > kVersion) throw not_a_model(path, "a newer version of Fovea wrote it");
    MatchModelDescription model{
        .comparisons = {}, .rules = json.at("block"), .max_block = json.at("max_block"), .parameters = {}};
    model.parameters.weights.prior_log_odds = json.at("prior_log_odds");
    model.parameters.term_frequency = {.pseudo_count = json.at("term_pseudo_count"),
                                       .strength = json.at("term_strength")};
    validate(model.parameters.term_frequency);
    for (const Json& comparison : json.at("comparisons")) {
      model.comparisons.push_back(comparison.at("compare"));
      model.parameters.weights.weights.push_back(comparison.at("weights"));
      model.parameters.equal_share.push_back(comparison.at("equal_share"));
    }
    return model;
  } catch (const Json::exception& e) {
    throw not_a_model(path, e.what());
  } catch (const UsageError& e) {
    throw not_a_model(path, e.what());
  }
}

void check_levels(const MatchParameters& parameters, std::span<const Comparison> comparisons, const std::string& path) {
  for (std::size_t c = 0; c < comparisons.size(); ++c) {
    const std::size_t weights = parameters.weights.weights[c].size(), levels = comparisons[c].levels().size();
    if (weights != levels)
      throw not_a_model(
          path, fmt::format("comparison '{}' has {} weights for {} levels", comparisons[c].text(), weights, levels));
  }
}

}  // namespace fovea
