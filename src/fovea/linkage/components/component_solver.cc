// SPDX-License-Identifier: Apache-2.0
#include "fovea/linkage/components/component_solver.h"

#include <bit>

#include "fovea/linkage/clustering/average_link.h"
#include "fovea/linkage/clustering/clustering_posterior.h"
#include "fovea/linkage/clustering/subset_clustering.h"

namespace fovea::linkage {
namespace {

constexpr std::size_t kFewGroups = 8;      // number of groups up to which the exact solution is faster than sampling
constexpr std::size_t kMostLinked = 4000;  // number of groups for which the scores of all pairs take 64 MB
constexpr int kRounds = 20;

/// Confidences as in ClusteringPosterior, but summed over all clusters instead of samples.
std::vector<double> confidences(const SubsetClustering& clustering, std::span<const std::uint32_t> clusters,
                                std::span<const std::uint32_t> counts) {
  using Items = SubsetClustering::Items;
  const std::size_t n = clusters.size();
  std::vector<Items> reported(n);
  for (std::size_t i = 0; i < n; ++i) reported[clusters[i]] |= Items{1} << i;
  const auto records = [&](Items set) {
    double sum = 0;
    for (; set != 0; set &= set - 1) sum += counts[static_cast<std::size_t>(std::countr_zero(set))];
    return sum;
  };
  std::vector<double> confidence(n);  // by first group of a cluster, then by group
  for (Items set = 1; set < Items{1} << n; ++set) {
    const double probability = clustering.cluster_probability(set);
    for (std::size_t c = 0; c < n; ++c)
      if (const Items both = set & reported[c]; both != 0)
        confidence[c] += probability * records(both) * records(both) / records(set | reported[c]);
  }
  for (std::size_t i = n; i-- > 0;) confidence[i] = confidence[clusters[i]] / records(reported[clusters[i]]);
  return confidence;
}

/// Result if stopped before there was a clustering: each record is alone.
ComponentResult nothing_done(const Component& component) {
  ComponentResult result{.clusters = {}, .is_finished = false};
  for (std::uint32_t place = 0; place < component.rows.size(); ++place) result.clusters.push_back(place);
  return result;
}

}  // namespace

ComponentResult ComponentSolver::solve(const Component& component, const Random& random, const Stop& stop) const {
  const EqualRows groups = model_.merge_equal(component.rows, least_score_);
  WatchedPlaces watched;
  for (const auto& [i, j] : component.watched) watched.emplace_back(groups.group[i], groups.group[j]);
  ComponentResult found;
  try {
    found =
        groups.rows.size() <= kFewGroups ? solve_exactly(groups, watched) : run_chain(groups, watched, random, stop);
  } catch (const CancelledError&) {
    return nothing_done(component);
  } catch (const LimitError&) {
    return nothing_done(component);
  }
  ComponentResult result{.clusters = {}, .work = found.work, .is_finished = found.is_finished};
  for (const double share : found.probabilities) result.probabilities.push_back(model_.parameters().calibration(share));
  for (const std::uint32_t group : groups.group) {
    result.clusters.push_back(found.clusters[group]);
    if (!found.confidence.empty()) result.confidence.push_back(found.confidence[group]);
  }
  return result;
}

ComponentResult ComponentSolver::solve_exactly(const EqualRows& groups, const WatchedPlaces& watched) const {
  const std::size_t n = groups.rows.size();
  std::vector<double> scores(n * n);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < i; ++j)
      scores[i * n + j] = scores[j * n + i] =
          groups.counts[i] * groups.counts[j] * (model_.score({groups.rows[j], groups.rows[i]}) - least_score_);
  const SubsetClustering clustering(n, scores);
  ComponentResult result{.clusters = clustering.best()};
  result.work.factors = n * (n - 1) / 2;
  if (options_.samples == 0) return result;
  result.confidence = confidences(clustering, result.clusters, groups.counts);
  for (const auto& [i, j] : watched) result.probabilities.push_back(clustering.pair_probability(i, j));
  return result;
}

ComponentResult ComponentSolver::run_chain(const EqualRows& groups, const WatchedPlaces& watched, const Random& random,
                                           const Stop& stop) const {
  AttributePairs pairs = model_.pairs_of(groups.rows, least_score_, stop);
  std::vector<ClusterId> start = start_of(groups, pairs);
  if (groups.is_any_several()) pairs.set_weights(groups.counts);
  const std::uint64_t n = groups.rows.size();
  ClusteringChain chain(pairs, options_, random, {.clusters = std::move(start)});
  chain.end_rounds_at(stop);
  chain.keep_if_best();
  for (int round = 0; round < kRounds && !chain.is_settled() && !stop.requested(); ++round) {
    const double progress = (round + 1.) / kRounds;
    chain.run(n * static_cast<std::uint64_t>(options_.sweeps) / kRounds, options_.temperature(progress), exactness_);
    chain.keep_if_best();
  }
  ComponentResult result{.clusters = {chain.best().begin(), chain.best().end()}, .work = chain.work()};
  if (options_.samples > 0) draw_samples(pairs, watched, random.child("posterior"), stop, result);
  if (stop.requested()) return {.clusters = std::move(result.clusters), .work = result.work, .is_finished = false};
  return result;
}

std::vector<ClusterId> ComponentSolver::start_of(const EqualRows& groups, const AttributePairs& pairs) const {
  const std::size_t n = groups.rows.size();
  if (options_.start == ClusteringStart::kTogether) return ClusteringState::together(n).clusters;
  if (options_.start == ClusteringStart::kSingletons || n > kMostLinked) return ClusteringState::singletons(n).clusters;
  const std::vector<double> weights(groups.counts.begin(), groups.counts.end());
  return merged_above(0, n, average_link(pairs, weights));
}

void ComponentSolver::draw_samples(const AttributePairs& pairs, const WatchedPlaces& watched, const Random& random,
                                   const Stop& stop, ComponentResult& result) const {
  constexpr std::uint64_t kSweepsBefore = 20, kSweepsBetween = 5;
  const std::uint64_t n = pairs.record_count();
  ClusteringPosterior posterior(result.clusters, watched, pairs.weights());
  ClusteringChain chain(pairs, options_.for_samples(), random, {.clusters = result.clusters});
  chain.end_rounds_at(stop);
  if (!stop.requested()) chain.run(kSweepsBefore * n, 1, exactness_);
  for (int sample = 0; sample < options_.samples && !stop.requested(); ++sample) {
    chain.run(kSweepsBetween * n, 1, exactness_);
    posterior.add(chain.partition());
  }
  for (RecordId m = 0; m < n; ++m) result.confidence.push_back(posterior.cluster_confidence(result.clusters[m]));
  for (std::size_t i = 0; i < watched.size(); ++i) result.probabilities.push_back(posterior.pair_probability(i));
  result.work += chain.work();
}

}  // namespace fovea::linkage
