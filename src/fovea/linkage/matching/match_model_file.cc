// SPDX-License-Identifier: Apache-2.0
#include "fovea/linkage/matching/match_model_file.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <optional>

#include "fovea/base/atomic_file.h"
#include "fovea/base/base64.h"
#include "fovea/base/error.h"
#include "fovea/io/stream.h"

namespace fovea::linkage {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kModelKind = "fovea match model";
constexpr int kModelVersion = 2;        // that of models with a mixture ...
constexpr int kPlainVersion = 1;        // ... and without one
constexpr double kLargestWeight = 1e6;  // nats: sums of them stay finite

std::string read_text(const std::string& path) {
  io::LineReader lines{io::ByteSource(path)};
  std::string text;
  while (lines.next()) text.append(lines.line()).append("\n");
  return text;
}

InputError not_a_model(const std::string& path, std::string_view problem) {
  return {{.file = path},
          fmt::format("not a match model: {}", problem),
          "Give a file that option 'save-model' of 'fovea dedupe' or 'fovea link' wrote"};
}

double number_within(const Json& number, double least, double most, std::string_view what, const std::string& path) {
  const double value = number;
  if (!(least <= value && value <= most))
    throw not_a_model(path, fmt::format("{} is {}, not within {} .. {}", what, value, least, most));
  return value;
}

double weight_of(const Json& number, const std::string& path) {
  return number_within(number, -kLargestWeight, kLargestWeight, "a weight", path);
}

/// Reads the calibration, which models of earlier versions do not have.
MonotoneMap calibration_of(const Json& model, const std::string& path) {
  MonotoneMap map;
  for (const Json& knot : model.value("calibration", Json::array()))
    map.knots.push_back({.x = knot.at(0), .y = knot.at(1)});
  for (std::size_t i = 0; i < map.knots.size(); ++i) {
    const auto [share, probability] = map.knots[i];
    const bool rises = i == 0 || (share > map.knots[i - 1].x && probability >= map.knots[i - 1].y);
    if (!rises || share < 0 || share > 1 || probability < 0 || probability > 1)
      throw not_a_model(
          path, fmt::format("calibration is not a list of rising [share, probability]: [{}, {}]", share, probability));
  }
  return map;
}

/// Levels of each comparison, [c][0] = 1.
LevelTable levels_of(const Json& rows, const std::string& path) {
  LevelTable levels;
  for (const Json& row : rows) {
    levels.emplace_back();
    for (const Json& p : row) levels.back().push_back(number_within(p, 1e-300, 1, "a probability", path));
  }
  return levels;
}

/// Reads the mixture, which only models with related pairs have.
MatchMixture mixture_of(const Json& json, const std::string& path) {
  MatchMixture mixture{.u = levels_of(json.at("chance"), path)};
  double shares = 0;
  for (const Json& of_pairs : json.at("classes")) {
    mixture.classes.push_back({.share = number_within(of_pairs.at("share"), 1e-300, 1, "a share", path),
                               .levels = levels_of(of_pairs.at("levels"), path),
                               .is_match = of_pairs.at("match")});
    shares += mixture.classes.back().share;
  }
  if (mixture.classes.empty() || mixture.classes.size() > MatchMixture::kMostClasses ||
      !mixture.classes.front().is_match || shares >= 1)
    throw not_a_model(path, "the mixture has no matches, too many classes, or shares that sum to 1 or more");
  return mixture;
}

Json json_of(const MatchMixture& mixture) {
  Json classes = Json::array();
  for (const PairClass& of_pairs : mixture.classes)
    classes.push_back({{"match", of_pairs.is_match}, {"share", of_pairs.share}, {"levels", of_pairs.levels}});
  return {{"classes", classes}, {"chance", mixture.u}};
}

DrawBy draw_by_of(const Json& model, const std::string& path) {
  const std::string word = model.value("draw_by", std::string(word_of(DrawBy::kRow)));
  const std::optional<DrawBy> draw_by = value_of<DrawBy>(word);
  if (!draw_by) throw not_a_model(path, fmt::format("draw_by is '{}', not row or id", word));
  return *draw_by;
}

/// Reads the statistics, which models of earlier versions do not have.
std::shared_ptr<const MatchStatistics> statistics_of(const Json& model, const std::string& path) {
  const auto lines = model.find("statistics");
  if (lines == model.end()) return nullptr;
  std::string text;
  for (const Json& line : *lines) text += line.get<std::string>();
  const std::optional<std::string> bytes = bytes_of_base64(text);
  if (!bytes) throw not_a_model(path, "its statistics are damaged: they are not in base 64");
  MatchStatistics statistics = MatchStatistics::load(ContainerSource::memory(*bytes, path + " (statistics)"));
  statistics.name = path;
  return std::make_shared<const MatchStatistics>(statistics.reduced());
}

/// The statistics as lines of text.
Json lines_of(const MatchStatistics& statistics) {
  constexpr std::size_t kLine = 4096;  // what reads a model refuses lines of megabytes
  std::string bytes;
  statistics.save(ContainerTarget::memory(bytes));
  const std::string text = base64(bytes);
  Json lines = Json::array();
  for (std::size_t at = 0; at < text.size(); at += kLine) lines.push_back(text.substr(at, kLine));
  return lines;
}

}  // namespace

std::string MatchModelDescription::compare() const { return fmt::format("{}", fmt::join(comparisons, ", ")); }
std::string MatchModelDescription::block() const { return fmt::format("{}", fmt::join(rules, ", ")); }

std::string match_model_json(const MatchModelDescription& model) {
  const MatchParameters& parameters = model.parameters;
  Json json = {{"kind", kModelKind},
               {"version", parameters.mixture.has_related() ? kModelVersion : kPlainVersion},
               {"block", model.rules},
               {"max_block", model.max_block},
               {"prior_log_odds", parameters.weights.prior_log_odds},
               {"term_pseudo_count", parameters.term_frequency.pseudo_count},
               {"term_strength", parameters.term_frequency.strength},
               {"calibration", Json::array()},
               {"comparisons", Json::array()}};
  for (const auto& [share, probability] : parameters.calibration.knots)
    json["calibration"].push_back({share, probability});
  for (std::size_t c = 0; c < model.comparisons.size(); ++c)
    json["comparisons"].push_back({{"compare", model.comparisons[c]},
                                   {"weights", parameters.weights.weights[c]},
                                   {"equal_share", parameters.equal_share.empty() ? 0 : parameters.equal_share[c]}});
  if (parameters.mixture.has_related()) json["mixture"] = json_of(parameters.mixture);
  if (model.draw_by != DrawBy::kRow) json["draw_by"] = word_of(model.draw_by);
  if (model.statistics) json["statistics"] = lines_of(*model.statistics);
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

void write_match_model(const std::string& path, const MatchModelDescription& model) {
  const std::string text = match_model_json(model);
  write_file_atomically(path, std::array{std::string_view(text)});
}

MatchModelDescription read_match_model(const std::string& path) { return parse_match_model(read_text(path), path); }

MatchModelDescription parse_match_model(std::string_view text, const std::string& name) {
  try {
    const Json json = Json::parse(text);
    if (json.at("kind") != kModelKind) throw not_a_model(name, "it is of another kind");
    if (json.at("version") > kModelVersion) throw not_a_model(name, "a newer version of Fovea wrote it");
    MatchModelDescription model{.comparisons = {}, .rules = json.at("block"), .parameters = {}};
    model.max_block = static_cast<int>(number_within(json.at("max_block"), 2, 1e9, "max_block", name));
    model.parameters.weights.prior_log_odds = weight_of(json.at("prior_log_odds"), name);
    model.parameters.term_frequency = {.pseudo_count = json.at("term_pseudo_count"),
                                       .strength = json.at("term_strength")};
    validate(model.parameters.term_frequency);
    for (const Json& comparison : json.at("comparisons")) {
      model.comparisons.push_back(comparison.at("compare"));
      std::vector<double>& weights = model.parameters.weights.weights.emplace_back();
      for (const Json& weight : comparison.at("weights")) weights.push_back(weight_of(weight, name));
      model.parameters.equal_share.push_back(number_within(comparison.at("equal_share"), 0, 1, "equal_share", name));
    }
    model.parameters.calibration = calibration_of(json, name);
    if (json.contains("mixture")) model.parameters.mixture = mixture_of(json["mixture"], name);
    model.draw_by = draw_by_of(json, name);
    model.statistics = statistics_of(json, name);
    return model;
  } catch (const Json::exception& e) {
    throw not_a_model(name, e.what());
  } catch (const UsageError& e) {
    throw not_a_model(name, e.what());
  }
}

void check_levels(const MatchParameters& parameters, std::span<const Comparison> comparisons, const std::string& path) {
  for (std::size_t c = 0; c < comparisons.size(); ++c) {
    const std::size_t weights = parameters.weights.weights[c].size(), levels = comparisons[c].levels().size();
    if (weights != levels)
      throw not_a_model(
          path, fmt::format("comparison '{}' has {} weights for {} levels", comparisons[c].text(), weights, levels));
  }
  const auto fits = [&](const LevelTable& table) {
    return std::ranges::equal(table, parameters.weights.weights, {}, &std::vector<double>::size,
                              &std::vector<double>::size);
  };
  const MatchMixture& mixture = parameters.mixture;
  if (mixture.classes.empty()) return;
  if (!fits(mixture.u) || !std::ranges::all_of(mixture.classes, fits, &PairClass::levels))
    throw not_a_model(path, "the levels of the mixture are not those of the comparisons");
}

}  // namespace fovea::linkage
