// SPDX-License-Identifier: Apache-2.0
#include "fovea/learn/match/match_weights.h"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <vector>

#include "fovea/base/error.h"

namespace fovea {
namespace {

using Json = nlohmann::ordered_json;

void require(bool holds, const std::string& file, const std::string& problem) {
  if (!holds) throw InputError({.file = file}, problem, "Learn the match weights again with these comparisons");
}

std::vector<double> read_comparison(const Json& entry, const std::string& name, std::size_t levels,
                                    const std::string& file) {
  require(entry.at("name") == name, file,
          fmt::format("match weights of comparison {} where those of \"{}\" should be", entry.at("name").dump(), name));
  const auto weights = entry.at("weights").get<std::vector<double>>();
  require(weights.size() == levels, file,
          fmt::format("comparison \"{}\" has {} match weights, not {}", name, weights.size(), levels));
  return weights;
}

}  // namespace

double MatchWeights::score(std::span<const Level> levels) const {
  FOVEA_CHECK(levels.size() == weights.size());
  double sum = prior_log_odds;
  for (std::size_t c = 0; c < levels.size(); ++c) {
    FOVEA_CHECK(levels[c] < weights[c].size());
    sum += weights[c][levels[c]];
  }
  return sum;
}

std::string MatchWeights::to_json(std::span<const std::string> comparisons) const {
  FOVEA_CHECK(comparisons.size() == weights.size());
  FOVEA_CHECK(std::isfinite(prior_log_odds));
  Json json = {{"prior_log_odds", prior_log_odds}, {"comparisons", Json::array()}};
  for (std::size_t c = 0; c < weights.size(); ++c) {
    for (const double w : weights[c]) FOVEA_CHECK(std::isfinite(w));
    json["comparisons"].push_back({{"name", comparisons[c]}, {"weights", weights[c]}});
  }
  return json.dump(2, ' ', false, Json::error_handler_t::replace);
}

MatchWeights MatchWeights::from_json(std::string_view json, std::span<const std::string> comparisons,
                                     std::span<const std::size_t> level_counts, const std::string& file) {
  FOVEA_CHECK(comparisons.size() == level_counts.size());
  try {
    const Json read = Json::parse(json);
    const Json& entries = read.at("comparisons");
    require(entries.size() == comparisons.size(), file,
            fmt::format("match weights of {} comparisons, not {}", entries.size(), comparisons.size()));
    MatchWeights result{.prior_log_odds = read.at("prior_log_odds")};
    for (std::size_t c = 0; c < comparisons.size(); ++c)
      result.weights.push_back(read_comparison(entries.at(c), comparisons[c], level_counts[c], file));
    return result;
  } catch (const Json::exception& e) {
    throw InputError({.file = file}, fmt::format("not the match weights that Fovea writes ({})", e.what()),
                     "Learn the match weights again");
  }
}

}  // namespace fovea
