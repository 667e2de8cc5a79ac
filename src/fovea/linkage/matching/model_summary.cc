// SPDX-License-Identifier: Apache-2.0
#include "fovea/linkage/matching/model_summary.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <nlohmann/json.hpp>
#include <vector>

#include "fovea/io/stream.h"
#include "fovea/linkage/comparison/comparison_text.h"
#include "fovea/linkage/weights/fellegi_sunter_model.h"

namespace fovea::linkage {
namespace {

using SummaryJson = nlohmann::ordered_json;

/// Names of the levels of a comparison with `count` weights.
std::vector<std::string> names_of_levels(std::string_view comparison, std::size_t count) {
  std::vector<std::string> names = level_names(comparison);
  if (names.size() == count) return names;
  names = {"missing"};  // the name of a column looks like a kind, or another version wrote the model
  for (std::size_t level = 1; level < count; ++level) names.push_back(fmt::format("level {}", level));
  return names;
}

/// Weights to show: with a mixture, log m/u of all its matches, to which corrections are added.
MatchWeights shown_weights(const MatchParameters& parameters) {
  MatchWeights weights = parameters.weights;
  const MatchMixture& mixture = parameters.mixture;
  if (!mixture.has_related()) return weights;
  const FellegiSunterModel matches{.match_share = mixture.match_share(), .m = mixture.match_levels(), .u = mixture.u};
  const MatchWeights plain = matches.weights();
  weights.prior_log_odds += plain.prior_log_odds;
  for (std::size_t c = 0; c < weights.weights.size(); ++c)
    for (std::size_t l = 0; l < weights.weights[c].size(); ++l) weights.weights[c][l] += plain.weights[c][l];
  return weights;
}

double share_of(double log_odds) { return 1 / (1 + std::exp(-log_odds)); }

std::string line(std::string_view name, std::string_view value) { return fmt::format("{:<18} {}\n", name, value); }

}  // namespace

bool may_be_match_model(const std::string& path) {
  std::array<char, 4096> bytes;
  io::ByteSource source(path);
  const std::string_view begin(bytes.data(), source.read(bytes));
  const std::size_t first = begin.find_first_not_of(" \t\r\n");
  return first != begin.npos && begin[first] == '{';
}

std::string model_text(const MatchModelDescription& model) {
  const MatchParameters& parameters = model.parameters;
  const MatchWeights shown = shown_weights(parameters);
  const double prior = shown.prior_log_odds;
  std::string text = "match model\n";
  for (const std::string& rule : model.rules) text += line("blocking rule", rule);
  text += line("largest block", fmt::format("{} records", model.max_block));
  text += line("prior", fmt::format("{:+.2f} nats, probability {:.3g}", prior, share_of(prior)));
  if (const auto& classes = parameters.mixture.classes; parameters.mixture.has_related()) {
    const auto matches = std::ranges::count_if(classes, &PairClass::is_match);
    text +=
        line("kinds of pairs", fmt::format("{} of matches, {} of related pairs, which score together; weights are of "
                                           "all matches against chance",
                                           matches, static_cast<std::ptrdiff_t>(classes.size()) - matches));
  }
  if (model.statistics) text += line("statistics", fmt::format("of {} records", model.statistics->records));
  else text += line("statistics", "none: every table is scored by its own");
  text += line("random draws", fmt::format("by {}", word_of(model.draw_by)));
  if (!parameters.calibration.knots.empty())
    text += line("calibration", fmt::format("{} steps", parameters.calibration.knots.size()));
  text += fmt::format("\n{:<28} {:<44} {:>8}\n", "comparison", "level", "nats");
  for (std::size_t c = 0; c < model.comparisons.size(); ++c) {
    const std::vector<double>& weights = shown.weights[c];
    const std::vector<std::string> names = names_of_levels(model.comparisons[c], weights.size());
    for (std::size_t level = weights.size(); level-- > 1;)
      text += fmt::format("{:<28} {:<44} {:>+8.2f}\n", model.comparisons[c], names[level], weights[level]);
  }
  return text;
}

std::string model_json(const MatchModelDescription& model) {
  const MatchParameters& parameters = model.parameters;
  const MatchWeights shown = shown_weights(parameters);
  SummaryJson json = {{"kind", "match model"},
                      {"block", model.rules},
                      {"max_block", model.max_block},
                      {"prior_log_odds", shown.prior_log_odds},
                      {"related_kinds", std::ranges::count(parameters.mixture.classes, false, &PairClass::is_match)},
                      {"draw_by", word_of(model.draw_by)},
                      {"statistics", nullptr},
                      {"calibration", SummaryJson::array()},
                      {"comparisons", SummaryJson::array()}};
  if (model.statistics) json["statistics"] = SummaryJson::parse(statistics_json(*model.statistics));
  for (const auto& [share, probability] : parameters.calibration.knots)
    json["calibration"].push_back({share, probability});
  for (std::size_t c = 0; c < model.comparisons.size(); ++c) {
    const std::vector<double>& weights = shown.weights[c];
    const std::vector<std::string> names = names_of_levels(model.comparisons[c], weights.size());
    SummaryJson levels = SummaryJson::array();
    for (std::size_t level = 0; level < weights.size(); ++level)
      levels.push_back({{"level", names[level]}, {"weight", weights[level]}});
    json["comparisons"].push_back({{"comparison", model.comparisons[c]},
                                   {"equal_share", parameters.equal_share.empty() ? 0 : parameters.equal_share[c]},
                                   {"levels", levels}});
  }
  return json.dump(-1, ' ', false, SummaryJson::error_handler_t::replace);
}

std::string statistics_text(const MatchStatistics& statistics) {
  std::string text = fmt::format("statistics of {} records\n\n{:<40} {:>10} {:>10} {:>10}\n", statistics.records,
                                 "comparison", "rows", "values", "words");
  for (const auto& [compared, values] : statistics.values)
    text += fmt::format("{:<40} {:>10} {:>10} {:>10}\n", compared, values.rows, values.values,
                        values.has_tokens ? fmt::format("{}", values.token_texts.size()) : "-");
  if (!statistics.contexts.empty()) text += fmt::format("\n{:<40} {:>10}\n", "context", "shared keys");
  for (const auto& [context, counts] : statistics.contexts)
    text += fmt::format("{:<40} {:>10}\n", context, counts.reduced().keys.size());
  return text;
}

std::string statistics_json(const MatchStatistics& statistics) {
  SummaryJson json = {{"kind", "match statistics"},
                      {"records", statistics.records},
                      {"is_complete", statistics.is_complete},
                      {"comparisons", SummaryJson::array()},
                      {"contexts", SummaryJson::array()}};
  for (const auto& [compared, values] : statistics.values) {
    json["comparisons"].push_back({{"comparison", compared}, {"rows", values.rows}, {"values", values.values}});
    if (values.has_tokens) json["comparisons"].back()["words"] = values.token_texts.size();
  }
  for (const auto& [context, counts] : statistics.contexts) json["contexts"].push_back({{"context", context}});
  return json.dump(-1, ' ', false, SummaryJson::error_handler_t::replace);
}

}  // namespace fovea::linkage
