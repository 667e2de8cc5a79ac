// SPDX-License-Identifier: Apache-2.0
#include "fovea/linkage/clustering/clustering_chain.h"

#include <algorithm>
#include <numeric>

#include "fovea/base/error.h"
#include "fovea/linkage/clustering/cluster_scores.h"

namespace fovea::linkage {
namespace {

std::optional<RecordRule> rule_of(MoveSchedule schedule) {
  if (schedule == MoveSchedule::kHot) return RecordRule::hot();
  if (schedule == MoveSchedule::kLearned) return RecordRule::learned();
  return std::nullopt;
}

}  // namespace

ClusteringWork& ClusteringWork::operator+=(const ClusteringWork& other) {
  proposals += other.proposals;
  accepted += other.accepted;
  factors += other.factors;
  lookups += other.lookups;
  return *this;
}

ClusteringState ClusteringState::singletons(std::size_t records) {
  ClusteringState state;
  state.clusters.resize(records);
  std::iota(state.clusters.begin(), state.clusters.end(), ClusterId{0});
  return state;
}

ClusteringState ClusteringState::together(std::size_t records) {
  return {.clusters = std::vector<ClusterId>(records, 0)};
}

ClusteringChain::ClusteringChain(const AttributePairs& model, const ClusteringChainOptions& options,
                                 const Random& random, ClusteringState start)
    : options_(options),
      is_uniform_(options.proposal == MoveProposal::kUniform),
      schedule_rule_(rule_of(options.schedule)),
      random_(random),
      state_(std::move(start)),
      clustering_(cluster(model, state_.clusters)) {
  state_.clusters = {};
}

GroupedClustering ClusteringChain::cluster(const AttributePairs& model, std::span<const ClusterId> clusters) const {
  FOVEA_CHECK(clusters.size() == model.record_count());
  return {model, Partition(clusters),
          options_.no_sums ? ClusterSums::Keep::kNone : ClusterSums::Keep::kWhereWorthwhile};
}

void ClusteringChain::run(std::uint64_t steps, double temperature, const mcmc::Exactness& exactness) {
  run(steps, temperature, mcmc::PlannedRule(exactness), [](RecordId, ClusterId, ClusterId) {});
}

double ClusteringChain::log_score() const { return linkage::log_score(clustering_); }

void ClusteringChain::keep_if_best() {
  const double score = log_score();
  if (score <= state_.best_score) return;
  state_.best_score = score;
  state_.best.assign(partition().clusters().begin(), partition().clusters().end());
}

ClusteringState ClusteringChain::state() const {
  ClusteringState state = state_;
  state.clusters.assign(partition().clusters().begin(), partition().clusters().end());
  return state;
}

}  // namespace fovea::linkage
