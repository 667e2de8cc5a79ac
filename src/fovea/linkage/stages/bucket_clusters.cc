// SPDX-License-Identifier: Apache-2.0
#include "fovea/linkage/stages/bucket_clusters.h"

#include <map>
#include <tuple>
#include <utility>

#include "fovea/base/dictionary.h"
#include "fovea/base/error.h"
#include "fovea/linkage/comparison/comparison_meter.h"
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

/// Clusters windows of a bucket.
class BucketClustering {
 public:
  BucketClustering(const MatchPlan& plan, const ComponentClusteringOptions& options, ConnectedBy by,
                   SpecialBlocks left_out, const Run& run)
      : plan_(plan), options_(options), by_(by), left_out_(std::move(left_out)), run_(run) {}

  void cluster(const RecordWindow& window, BucketClusters& found) const {
    const std::vector<Comparison> comparisons =
        parse_comparisons(plan_.compare, window.records, plan_.statistics.get(), run_.threads);
    const MatchModel model(comparisons, plan_.parameters);
    std::vector<ScoredPair> links;
    if (by_ == ConnectedBy::kLinks) links = links_in(window, model);
    const ComponentTask task{.model = model,
                             .least_score = plan_.least_score,
                             .components = window.groups,
                             .row_count = window.numbers.size(),
                             .links = links,
                             .streams = streams(window)};
    const RecordClusters clusters = cluster_components(task, options_, run_.child("clustering"));
    ComparisonMeter(run_.stop, "clustering records").look();
    FOVEA_CHECK(clusters.left == 0);
    found.records.insert(found.records.end(), window.numbers.begin(), window.numbers.end());
    for (const std::uint32_t first : clusters.clusters) found.clusters.push_back(window.numbers[first]);
    found.confidence.insert(found.confidence.end(), clusters.confidence.begin(), clusters.confidence.end());
  }

 private:
  /// [row] what a component draws from whose first row it is.
  std::vector<std::uint64_t> streams(const RecordWindow& window) const {
    if (plan_.draw_by == DrawBy::kRow) return {window.numbers.begin(), window.numbers.end()};
    const std::size_t ids = window.records.column(plan_.id);
    std::vector<std::uint64_t> streams;
    for (std::size_t row = 0; row < window.numbers.size(); ++row)
      streams.push_back(hash_text(window.records.cell(row, ids)));
    return streams;
  }

  /// The links in components that are too large to score all their pairs.
  std::vector<ScoredPair> links_in(const RecordWindow& window, const MatchModel& model) const {
    std::vector<std::uint32_t> group_of(window.numbers.size(), kNoId);
    bool is_any_large = false;
    for (std::uint32_t group = 0; group < window.groups.size(); ++group) {
      if (!ComponentSolver::needs_links(window.groups[group].size(), model)) continue;
      is_any_large = true;
      for (const std::uint32_t row : window.groups[group]) group_of[row] = group;
    }
    if (!is_any_large) return {};
    const BlockKeys keys = block_keys(plan_, window.records, window.numbers, left_out_);
    const CandidatePairs candidates(window.numbers.size(), blocks_within(group_of, keys, plan_.most_rows.size()));
    return score_candidates(model, candidates, plan_.least_score, run_).pairs;
  }

  const MatchPlan& plan_;
  const ComponentClusteringOptions& options_;
  ConnectedBy by_;
  SpecialBlocks left_out_;
  const Run& run_;
};

}  // namespace

BucketClusters clusters_of_bucket(const MatchPlan& plan, const ComponentClusteringOptions& options, ConnectedBy by,
                                  const SpecialBlocks& special, std::span<const std::string_view> bytes,
                                  const Run& run) {
  const RecordGroups groups(bytes, plan.columns);
  const BucketClustering clustering(plan, options, by, special.without_cuts(), run);
  BucketClusters found;
  const std::uint64_t most = by == ConnectedBy::kBlocks ? plan.most_rows.front() : kNoId;  // larger blocks are left out
  groups.for_each_window([&](std::size_t group) { return groups.rows(group) > 1 && groups.rows(group) <= most; },
                         [](std::size_t, std::size_t) { return false; },
                         [&](const RecordWindow& window) { clustering.cluster(window, found); });
  return found;
}

}  // namespace fovea::linkage
