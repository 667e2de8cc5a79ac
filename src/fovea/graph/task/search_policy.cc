// SPDX-License-Identifier: Apache-2.0
#include "fovea/graph/task/search_policy.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <numeric>

#include "fovea/base/error.h"

namespace fovea::graph {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::uint32_t kVersion = 1;
constexpr double kFirstAnswer = 3;  // nats that a first answer closes
constexpr double kSmallGap = 1e-4;  // of all that was gained: a gap that counts as closed

double least_score(const SearchTrial& trial) {
  double least = trial.best;
  for (const SearcherRecord& searcher : trial.searchers)
    for (const auto& rise : searcher.rises) least = std::min(least, std::isfinite(rise.from) ? rise.from : rise.to);
  return least;
}

/// [searcher] of the trial: the value, relative to the best of them, in the log domain. One that had nothing more to do
/// is taken as if it had run for the average time.
std::vector<double> log_values(const SearchTrial& trial) {
  const double small = kSmallGap * (trial.best - least_score(trial)) + 1e-9;
  double average = 0;
  for (const SearcherRecord& searcher : trial.searchers)
    average += searcher.seconds / static_cast<double>(trial.searchers.size());
  std::vector<double> values;
  for (const SearcherRecord& searcher : trial.searchers) {
    double closed = 0;
    for (const auto& rise : searcher.rises)
      closed += std::isfinite(rise.from) ? std::log((trial.best - rise.from + small) / (trial.best - rise.to + small))
                                         : kFirstAnswer;
    values.push_back(closed / std::max(searcher.seconds, average));
  }
  const double best = std::ranges::max(values);
  for (std::size_t i = 0; i < values.size(); ++i) {
    double relative = best > 0 ? values[i] / best : 1;
    if (trial.is_proved && trial.searchers[i].is_for_bounds) relative = 1;
    values[i] = std::log(std::max(relative, SearchPolicy::kLeastShare));
  }
  return values;
}

}  // namespace

double SearchPolicy::share(std::string_view name) const {
  const auto found = std::ranges::find(searchers, name, &Searcher::name);
  return found == searchers.end() ? 1 : found->share;
}

SearchPolicy learn_search_policy(std::span<const SearchTrial> trials) {
  SearchPolicy policy;
  std::map<std::string, std::vector<double>> observed;
  for (const SearchTrial& trial : trials) {
    if (trial.searchers.empty()) continue;
    policy.sources.push_back(trial.source);
    const std::vector<double> values = log_values(trial);
    for (std::size_t s = 0; s < values.size(); ++s) observed[trial.searchers[s].name].push_back(values[s]);
  }
  if (observed.empty()) throw UsageError("nothing can be learned: all these models are solved without a search");
  for (const auto& [name, values] : observed) {
    const double sum = std::accumulate(values.begin(), values.end(), 0.0);
    policy.searchers.push_back({name, std::exp(sum / static_cast<double>(values.size()))});
  }
  return policy;
}

void SearchPolicy::save(const ContainerTarget& target) const {
  ContainerWriter writer(kKind, kVersion);
  writer.add("policy", to_json());
  writer.write(target);
}

SearchPolicy SearchPolicy::load(const ContainerSource& source) {
  const Container file = Container::open(source, kKind, kVersion);
  SearchPolicy policy;
  try {
    const Json json = Json::parse(file.bytes("policy"));
    for (const auto& [name, share] : json.at("shares").items()) policy.searchers.push_back({name, share.get<double>()});
    policy.sources = json.at("sources").get<std::vector<std::string>>();
  } catch (const nlohmann::json::exception& e) {
    file.refuse("policy", fmt::format("it must be what `fovea tune` writes ({})", e.what()));
  }
  for (const Searcher& searcher : policy.searchers)
    if (!(searcher.share > 0 && searcher.share <= 1))
      file.refuse("policy", fmt::format("the share of {} must be above 0 and at most 1", searcher.name));
  return policy;
}

std::string SearchPolicy::describe() const {
  if (searchers.empty()) return "policy for searches: all searchers have the same share of the time\n";
  std::string text = "policy for searches: each searcher's share of the time, relative to the best\n";
  for (const Searcher& searcher : searchers) text += fmt::format("  {:<20} {:5.2f}\n", searcher.name, searcher.share);
  text += "learned from\n";
  for (const std::string& source : sources) text += fmt::format("  {}\n", source);
  return text;
}

std::string SearchPolicy::to_json() const {
  Json json = {{"kind", kKind}, {"shares", Json::object()}};
  for (const Searcher& searcher : searchers) json["shares"][searcher.name] = searcher.share;
  json["sources"] = sources;
  return json.dump();
}

}  // namespace fovea::graph
