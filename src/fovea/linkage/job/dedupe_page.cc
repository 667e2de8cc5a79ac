// SPDX-License-Identifier: Apache-2.0
#include "fovea/linkage/job/dedupe_page.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <unordered_map>

#include "fovea/base/disjoint_sets.h"
#include "fovea/linkage/job/useful_pairs.h"
#include "fovea/linkage/matching/match_explanation.h"
#include "fovea/linkage/matching/model_summary.h"

namespace fovea::linkage {
namespace {

using Json = nlohmann::ordered_json;
using report::Cell;

constexpr std::size_t kBins = 40, kMostClusters = 20'000, kMembersShown = 8;

void add_numbers(const FinishedDedupe& job, report::Page& page) {
  std::map<std::uint32_t, std::size_t> sizes;
  for (const std::uint32_t cluster : job.found.clusters) ++sizes[cluster];
  std::size_t largest = 0, alone = 0;
  for (const auto& [cluster, size] : sizes) {
    largest = std::max(largest, size);
    alone += size == 1;
  }
  std::vector<std::pair<std::string, Cell>> rows = {
      {"records", job.found.clusters.size()},
      {"clusters", sizes.size()},
      {"records alone", alone},
      {"largest cluster", largest},
      {"groups of records that matches connect", job.found.components + job.found.left},
      {"pairs that may match", job.found.pairs.size()}};
  if (job.found.left > 0) rows.emplace_back("groups that were not finished", job.found.left);
  page.add_facts("Numbers", rows);
  if (!job.found.metrics) return;
  const ClusterMetrics& metrics = *job.found.metrics;
  page.add_facts("Against the true clusters", {{"B-cubed F1", metrics.b_cubed.f1()},
                                               {"B-cubed precision", metrics.b_cubed.precision},
                                               {"B-cubed recall", metrics.b_cubed.recall},
                                               {"F1 of pairs", metrics.pairs.f1()},
                                               {"precision of pairs", metrics.pairs.precision()},
                                               {"recall of pairs", metrics.pairs.recall()}});
}

void add_rules(const FinishedDedupe& job, report::Page& page) {
  const CandidatePairs& candidates = job.matching.candidates();
  std::vector<std::size_t> first_of(candidates.rule_count()), matches_of(candidates.rule_count());
  for (const auto& [pair, probability] : job.found.pairs) {
    const std::size_t rule = candidates.first_rule(pair.rows);
    ++first_of[rule];
    matches_of[rule] += probability >= .5;
  }
  report::TableOfCells table = {
      .title = "Blocking rules",
      .about = "Records that agree in a rule are compared. A pair counts for the first rule that brings it together.",
      .columns = {"rule", "pairs compared", "blocks left out", "first to bring pairs that may match",
                  "of these, over one half"}};
  for (std::size_t rule = 0; rule < candidates.rule_count(); ++rule)
    table.rows.push_back({job.description.rules[rule], candidates.pair_count(rule), candidates.oversized(rule).size(),
                          first_of[rule], matches_of[rule]});
  page.add(table);
}

void add_weights(const FinishedDedupe& job, report::Page& page) {
  const Json model = Json::parse(model_json(job.description));
  report::TableOfCells table = {
      .title = "Weights of evidence",
      .about =
          fmt::format("Nats that a level of agreement adds to the log odds of a match, which start at {:.2f}. What "
                      "is missing says nothing.",
                      model["prior_log_odds"].get<double>()),
      .columns = {"comparison", "level", "weight"}};
  for (const Json& comparison : model["comparisons"])
    for (const Json& level : comparison["levels"])
      table.rows.push_back({comparison["comparison"].get<std::string>(), level["level"].get<std::string>(),
                            level["weight"].get<double>()});
  page.add(table);
}

void add_probabilities(const FinishedDedupe& job, report::Page& page) {
  std::vector<double> probabilities;
  for (const ProbablePair& pair : job.found.pairs) probabilities.push_back(pair.probability);
  report::Chart chart = {.title = "Probabilities of pairs",
                         .about =
                             "Pairs far below the threshold are not kept. Drag the threshold to see how many pairs "
                             "lie above it.",
                         .x = "probability of one entity",
                         .y = "pairs",
                         .series = {{"pairs", {}}},
                         .bars = true,
                         .threshold = 1 / (1 + std::exp(-job.least_score))};
  chart.series[0].points = report::counts_of_shares(probabilities, kBins);
  page.add(chart);
}

std::string id_of(const FinishedDedupe& job, std::uint32_t row) {
  return job.id_column ? std::string(job.table.cell(row, *job.id_column)) : std::to_string(row);
}

std::vector<std::string> cells_of(const io::Table& table, std::uint32_t row) {
  std::vector<std::string> cells;
  for (std::size_t c = 0; c < table.columns().size(); ++c) cells.emplace_back(table.cell(row, c));
  return cells;
}

void add_pairs(const FinishedDedupe& job, report::Page& page) {
  const std::size_t count = std::min(job.found.pairs.size(), kMostPairsOfAPage);
  report::RecordPairs shown = {
      .title = "Pairs, the most doubtful first",
      .about =
          "Choose a pair with the arrow keys or the mouse; y, n and u say that it is one entity, is not, or that you "
          "cannot tell. Saved labels are labelled pairs for the next run.",
      .columns = job.table.columns(),
      .comparisons = {"prior"}};
  if (count < job.found.pairs.size())
    page.add_note(fmt::format("The {} most doubtful of {} pairs are shown.", count, job.found.pairs.size()));
  shown.comparisons.insert(shown.comparisons.end(), job.description.comparisons.begin(),
                           job.description.comparisons.end());
  std::unordered_map<std::uint32_t, std::size_t> number;  // of a row among the records shown
  const auto record = [&](std::uint32_t row) {
    const auto [place, is_new] = number.try_emplace(row, shown.records.size());
    if (is_new) {
      shown.records.push_back(cells_of(job.table, row));
      shown.ids.push_back(id_of(job, row));
    }
    return place->second;
  };
  std::vector<std::size_t> order = most_useful(job.found.pairs, std::min(job.useful_first, count));
  std::vector<bool> is_first(job.found.pairs.size());
  for (const std::size_t i : order) is_first[i] = true;
  for (std::size_t i = 0; i < job.found.pairs.size() && order.size() < count; ++i)
    if (!is_first[i]) order.push_back(i);
  for (const std::size_t i : order) {
    const auto& [pair, probability] = job.found.pairs[i];
    const MatchExplanation why = explain_match(job.model, job.table, pair.rows, {});
    report::RecordPairs::Pair& added = shown.pairs.emplace_back(report::RecordPairs::Pair{
        record(pair.rows.first), record(pair.rows.second), probability, {why.prior_log_odds}});
    for (const MatchExplanation::Term& term : why.terms) added.weights.push_back(term.sum());
  }
  page.add(shown);
}

/// [first row of a cluster] the least probability that holds it together: of the pairs that connect its records, the
/// strongest first, the last one needed. NaN if the pairs that are kept do not connect it.
std::unordered_map<std::uint32_t, double> weakest_links(const FinishedDedupe& job) {
  std::vector<ProbablePair> pairs;
  for (const ProbablePair& pair : job.found.pairs)
    if (job.found.clusters[pair.pair.rows.first] == job.found.clusters[pair.pair.rows.second]) pairs.push_back(pair);
  std::ranges::stable_sort(pairs, std::greater<>(), &ProbablePair::probability);
  DisjointSets sets(job.found.clusters.size());
  std::unordered_map<std::uint32_t, double> weakest;
  std::unordered_map<std::uint32_t, std::size_t> joined;
  for (const ProbablePair& pair : pairs) {
    if (sets.find(pair.pair.rows.first) == sets.find(pair.pair.rows.second)) continue;
    sets.unite(pair.pair.rows.first, pair.pair.rows.second);
    const std::uint32_t cluster = job.found.clusters[pair.pair.rows.first];
    weakest[cluster] = pair.probability;
    ++joined[cluster];
  }
  std::unordered_map<std::uint32_t, std::size_t> sizes;
  for (const std::uint32_t cluster : job.found.clusters) ++sizes[cluster];
  for (auto& [cluster, link] : weakest)
    if (joined[cluster] + 1 < sizes[cluster]) link = std::nan("");
  return weakest;
}

void add_clusters(const FinishedDedupe& job, report::Page& page) {
  std::map<std::uint32_t, std::vector<std::uint32_t>> members;
  for (std::uint32_t row = 0; row < job.found.clusters.size(); ++row) members[job.found.clusters[row]].push_back(row);
  std::map<std::size_t, double> sizes;
  const std::unordered_map<std::uint32_t, double> weakest = weakest_links(job);
  struct Shown {
    std::uint32_t first;
    double link;
  };
  std::vector<Shown> shown;
  for (const auto& [first, rows] : members) {
    ++sizes[rows.size()];
    if (rows.size() < 2) continue;
    const auto link = weakest.find(first);
    shown.push_back({first, link == weakest.end() ? std::nan("") : link->second});
  }
  report::Chart chart = {
      .title = "Sizes of clusters", .x = "records", .y = "clusters", .series = {{"clusters", {}}}, .bars = true};
  for (const auto& [size, count] : sizes) chart.series[0].points.push_back({static_cast<double>(size), count});
  page.add(chart);
  std::ranges::stable_sort(shown, {}, [](const Shown& cluster) { return std::isnan(cluster.link) ? 2 : cluster.link; });
  report::TableOfCells table = {
      .title = "Clusters, the weakest first",
      .about =
          "The weakest link is the least probability of the pairs that hold a cluster together; '-' where pairs that "
          "are kept do not connect it.",
      .columns = {"cluster", "records", "weakest link", "ids"}};
  for (std::size_t c = 0; c < std::min(shown.size(), kMostClusters); ++c) {
    const std::vector<std::uint32_t>& rows = members[shown[c].first];
    std::string ids;
    for (std::size_t i = 0; i < std::min(rows.size(), kMembersShown); ++i)
      ids += fmt::format("{}{}", i == 0 ? "" : ", ", id_of(job, rows[i]));
    if (rows.size() > kMembersShown) ids += fmt::format(" and {} more", rows.size() - kMembersShown);
    table.rows.push_back({id_of(job, shown[c].first), rows.size(), shown[c].link, ids});
  }
  page.add(table);
}

}  // namespace

report::Page dedupe_page(const FinishedDedupe& job) {
  report::Page page("Records of one entity", job.table.name());
  add_numbers(job, page);
  if (job.found.pairs.empty()) page.add_note("No pair of records may match.");
  add_rules(job, page);
  add_weights(job, page);
  if (!job.found.pairs.empty()) {
    add_probabilities(job, page);
    add_pairs(job, page);
  }
  add_clusters(job, page);
  return page;
}

}  // namespace fovea::linkage
