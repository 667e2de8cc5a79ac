// SPDX-License-Identifier: Apache-2.0
#include "fovea/linkage/stages/bucket_links.h"

#include <algorithm>
#include <utility>

#include "fovea/base/error.h"
#include "fovea/linkage/comparison/comparison_meter.h"
#include "fovea/linkage/matching/candidate_scoring.h"

namespace fovea::linkage {
namespace {

/// The block of a group; its rule is below `rules`.
GroupName block_of(const RecordGroups& groups, std::size_t group, std::size_t rules) {
  const GroupName name = GroupName::parse(groups.name(group));
  if (name.rule >= rules)
    throw InputError({.file = "the records of a stage"}, "of another plan", "Use one plan for all stages");
  return name;
}

/// Appends the pairs of a window that match.
void search(const MatchPlan& plan, RecordWindow window, double floor, const Run& run, BucketLinks& found) {
  const std::vector<Comparison> comparisons =
      parse_comparisons(plan.compare, window.records, plan.statistics.get(), run.threads);
  const MatchModel model(comparisons, plan.parameters);
  PairScope scope;
  if (plan.has_two_tables() || GroupName::parse(window.names.front()).is_across())
    scope = {PairScope::Kind::kAcross, {window.first_side}};
  const CandidatePairs candidates(window.numbers.size(), {std::move(window.groups)}, scope);
  for (const ScoredPair& pair : score_candidates(model, candidates, floor, run).pairs) {
    const auto [first, second] = std::minmax(window.numbers[pair.rows.first], window.numbers[pair.rows.second]);
    found.pairs.push_back({first, second, pair.score});
  }
  ComparisonMeter(run.stop, "scoring pairs of records").look();
}

}  // namespace

BucketLinks links_of_bucket(const MatchPlan& plan, std::span<const std::string_view> bytes, double floor,
                            const Run& run) {
  const RecordGroups groups(bytes, plan.columns);
  BucketLinks found;
  const auto takes = [&](std::size_t group) {
    if (groups.rows(group) < 2) return false;
    const GroupName name = block_of(groups, group, plan.most_rows.size());
    if (name.tile > 0 || groups.rows(group) <= plan.most_rows[name.rule]) return true;
    found.left_out.push_back({name.rule, std::string(name.key), groups.rows(group)});
    return false;
  };
  // A window has blocks of one rule, or one tile: the sides of a tile say which of its pairs count.
  const auto ends = [&](std::size_t group, std::size_t next) {
    const GroupName one = GroupName::parse(groups.name(group)), other = GroupName::parse(groups.name(next));
    return one.rule != other.rule || one.tile > 0 || other.tile > 0;
  };
  groups.for_each_window(takes, ends,
                         [&](RecordWindow&& window) { search(plan, std::move(window), floor, run, found); });
  return found;
}

std::vector<BlockSize> sizes_of_bucket(std::span<const std::string_view> bytes, std::span<const std::uint64_t> least) {
  const RecordGroups groups(bytes, {});
  std::vector<BlockSize> found;
  for (std::size_t group = 0; group < groups.size(); ++group) {
    const GroupName name = block_of(groups, group, least.size());
    if (groups.rows(group) > least[name.rule]) found.push_back({name.rule, std::string(name.key), groups.rows(group)});
  }
  return found;
}

}  // namespace fovea::linkage
