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

template <class Model>
BasicClusteringChain<Model>::BasicClusteringChain(const Model& model, const ClusteringChainOptions& options,
                                                  const Random& random, ClusteringState start)
    : options_(options),
      is_uniform_(options.proposal == MoveProposal::kUniform),
      schedule_rule_(rule_of(options.schedule)),
      random_(random),
      state_(std::move(start)),
      clustering_(cluster(model, state_.clusters)) {
  state_.clusters = {};
}

template <class Model>
auto BasicClusteringChain<Model>::cluster(const Model& model, std::span<const ClusterId> clusters) const -> Clustering {
  FOVEA_CHECK(clusters.size() == model.record_count());
  return Parts::cluster(model, clusters, options_.no_sums);
}

template <class Model>
void BasicClusteringChain<Model>::run(std::uint64_t steps, double temperature, const mcmc::Exactness& exactness) {
  run(steps, temperature, mcmc::PlannedRule(exactness), [](RecordId, ClusterId, ClusterId) {});
}

template <class Model>
double BasicClusteringChain<Model>::log_score() const {
  return linkage::log_score(clustering_);
}

template <class Model>
void BasicClusteringChain<Model>::keep_if_best() {
  const double score = log_score();
  if (score <= state_.best_score) return;
  state_.best_score = score;
  state_.best.assign(partition().clusters().begin(), partition().clusters().end());
}

template <class Model>
ClusteringState BasicClusteringChain<Model>::state() const {
  ClusteringState state = state_;
  state.clusters.assign(partition().clusters().begin(), partition().clusters().end());
  return state;
}

template class BasicClusteringChain<AttributePairs>;
template class BasicClusteringChain<SparsePairs>;

}  // namespace fovea::linkage
