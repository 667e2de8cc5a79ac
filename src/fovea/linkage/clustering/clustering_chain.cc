// SPDX-License-Identifier: Apache-2.0
#include "fovea/linkage/clustering/clustering_chain.h"

#include <algorithm>
#include <numeric>

#include "fovea/base/error.h"
#include "fovea/linkage/clustering/cluster_scores.h"

namespace fovea::linkage {
namespace {

std::optional<MentionRule> rule_of(const std::string& schedule) {
  if (schedule == "hot") return MentionRule::hot();
  if (schedule == "learned") return MentionRule::learned();
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

ClusteringState ClusteringState::singletons(std::size_t mentions) {
  ClusteringState state;
  state.entities.resize(mentions);
  std::iota(state.entities.begin(), state.entities.end(), EntityId{0});
  return state;
}

ClusteringState ClusteringState::together(std::size_t mentions) {
  return {.entities = std::vector<EntityId>(mentions, 0)};
}

ClusteringChain::ClusteringChain(const AttributePairs& model, const ClusteringChainOptions& options,
                                 const Random& random, ClusteringState start)
    : options_(options),
      is_uniform_(options.proposal == "uniform"),
      schedule_rule_(rule_of(options.schedule)),
      random_(random),
      state_(std::move(start)),
      clustering_(cluster(model, state_.entities)) {
  state_.entities = {};
}

GroupedClustering ClusteringChain::cluster(const AttributePairs& model, std::span<const EntityId> entities) const {
  FOVEA_CHECK(entities.size() == model.mention_count());
  return {model, Partition(entities), options_.no_sums ? EntitySums::Keep::kNone : EntitySums::Keep::kWhereWorthwhile};
}

void ClusteringChain::run(std::uint64_t steps, double temperature, const mcmc::Exactness& exactness) {
  run(steps, temperature, mcmc::PlannedRule(exactness), [](MentionId, EntityId, EntityId) {});
}

double ClusteringChain::log_score() const { return linkage::log_score(clustering_); }

void ClusteringChain::keep_if_best() {
  const double score = log_score();
  if (score <= state_.best_score) return;
  state_.best_score = score;
  state_.best.assign(partition().entities().begin(), partition().entities().end());
}

ClusteringState ClusteringChain::state() const {
  ClusteringState state = state_;
  state.entities.assign(partition().entities().begin(), partition().entities().end());
  return state;
}

}  // namespace fovea::linkage
