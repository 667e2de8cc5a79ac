// SPDX-License-Identifier: Apache-2.0
#include "fovea/linkage/stages/component_clusters.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

#include "fovea/base/dictionary.h"
#include "fovea/base/error.h"
#include "fovea/linkage/components/component_clustering.h"
#include "fovea/linkage/matching/candidate_scoring.h"

namespace fovea::linkage {
namespace {

/// [rule] the blocks of the rows with a group, none of which has rows of two groups. group_of: [row], kNoId for none.
std::vector<Blocks> blocks_within(const std::vector<std::uint32_t>& group_of, const BlockKeys& keys,
                                  std::size_t rules) {
  std::map<std::tuple<std::uint32_t, std::uint32_t, std::string_view>, std::vector<std::uint32_t>> rows_of;
  for (std::size_t i = 0; i < keys.size(); ++i)
    if (const std::uint32_t group = group_of[keys.places[i]]; group != kNoId)
      rows_of[{keys.rules[i], group, keys.keys[i]}].push_back(keys.places[i]);
  std::vector<Blocks> blocks(rules);
  for (const auto& [key, rows] : rows_of) {
    if (rows.size() < 2) continue;
    Blocks& of_rule = blocks[std::get<0>(key)];
    of_rule.rows.insert(of_rule.rows.end(), rows.begin(), rows.end());
    of_rule.begin.push_back(of_rule.rows.size());
  }
  return blocks;
}

}  // namespace

void PartClusters::add(const PartClusters& more) {
  records.insert(records.end(), more.records.begin(), more.records.end());
  clusters.insert(clusters.end(), more.clusters.begin(), more.clusters.end());
  confidence.insert(confidence.end(), more.confidence.begin(), more.confidence.end());
  work += more.work;
  components += more.components;
}

ComponentClusters::ComponentClusters(const MatchPlan& plan, const ComponentClusteringOptions& options, ConnectedBy by,
                                     SpecialBlocks special, std::string id)
    : plan_(plan),
      options_(options),
      by_(by),
      special_(special.without_cuts()),
      id_(std::move(id)),
      gatherer_({by == ConnectedBy::kBlocks ? StageColumns::kKey : StageColumns::kComponent}) {
  if (plan.draw_by == DrawBy::kId && id_.empty())
    throw UsageError("this model draws by id (option 'draw-by'): option 'id' is needed");
}

PartClusters ComponentClusters::add(const io::Table& records, const Run& run) {
  PartClusters found;
  gatherer_.add(records, [&](GroupWindow&& window) { found.add(cluster(window, run)); });
  return found;
}

PartClusters ComponentClusters::finish(const Run& run) {
  PartClusters found;
  gatherer_.finish([&](GroupWindow&& window) { found.add(cluster(window, run)); });
  return found;
}

PartClusters ComponentClusters::cluster(const GroupWindow& window, const Run& run) const {
  const io::Table& records = window.records;
  PartClusters found{.records = number_column(records, StageColumns::kRow), .clusters = {}};
  const std::vector<Comparison> comparisons =
      parse_comparisons(plan_.compare, records, plan_.statistics.get(), run.threads);
  const MatchModel model(comparisons, plan_.parameters);
  const Blocks components = window.blocks();
  std::vector<ScoredPair> links;
  if (by_ == ConnectedBy::kLinks) links = links_in(window, found.records, model, run);
  ComponentTask task{.model = model,
                     .least_score = plan_.least_score,
                     .components = components,
                     .row_count = records.row_count(),
                     .links = links};
  const std::size_t id_column = plan_.draw_by == DrawBy::kId ? records.column(id_) : 0;
  for (std::size_t row = 0; row < records.row_count(); ++row)
    task.streams.push_back(plan_.draw_by == DrawBy::kId ? hash_text(records.cell(row, id_column))
                                                        : std::uint64_t{found.records[row]});
  const RecordClusters clusters = cluster_components(task, options_, run.child("clustering"));
  if (clusters.left > 0) throw CancelledError("interrupted while records were clustered");
  for (const std::uint32_t first : clusters.clusters) found.clusters.push_back(found.records[first]);
  found.confidence = clusters.confidence;
  found.work = clusters.work;
  found.components = clusters.components;
  return found;
}

std::vector<ScoredPair> ComponentClusters::links_in(const GroupWindow& window,
                                                    const std::vector<std::uint32_t>& numbers, const MatchModel& model,
                                                    const Run& run) const {
  std::vector<std::uint32_t> group_of(numbers.size(), kNoId);
  bool is_any_large = false;
  for (std::uint32_t group = 0; group < window.size(); ++group) {
    if (!ComponentSolver::needs_links(window.begin[group + 1] - window.begin[group], model)) continue;
    is_any_large = true;
    for (std::size_t row = window.begin[group]; row < window.begin[group + 1]; ++row) group_of[row] = group;
  }
  if (!is_any_large) return {};
  const BlockKeys keys = block_keys(plan_, window.records, numbers, special_);
  const CandidatePairs candidates(numbers.size(), blocks_within(group_of, keys, plan_.rule_count));
  return score_candidates(model, candidates, plan_.least_score, run).pairs;
}

}  // namespace fovea::linkage
