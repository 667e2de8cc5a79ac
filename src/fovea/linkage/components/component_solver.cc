// SPDX-License-Identifier: Apache-2.0
#include "fovea/linkage/components/component_solver.h"

#include <algorithm>
#include <bit>
#include <limits>
#include <numeric>
#include <utility>

#include "fovea/linkage/clustering/average_link.h"
#include "fovea/linkage/clustering/clustering_posterior.h"
#include "fovea/linkage/clustering/sparse_average_link.h"
#include "fovea/linkage/clustering/sparse_pairs.h"
#include "fovea/linkage/clustering/subset_clustering.h"

namespace fovea::linkage {
namespace {

constexpr std::size_t kFewGroups = 8;  // number of groups up to which the exact solution is faster than sampling
// Number of groups for which the scores of all pairs take 64 MB.
constexpr std::size_t kMostDense = ComponentSolver::kMostWholeRows;
constexpr std::size_t kFewestSparse = 200;  // number of groups up to which all pairs are scored at once, and ...
constexpr std::size_t kPairsPerLink = 16;   // ... beyond that, if at least one of that many is linked
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

/// Links between groups, each once. Places in one group need none.
std::vector<RecordLink> links_of_groups(const EqualRows& groups, std::span<const RecordLink> links) {
  std::vector<RecordLink> found;
  for (const RecordLink& link : links) {
    const auto [first, second] = std::minmax(groups.group[link.first], groups.group[link.second]);
    if (first != second) found.push_back({first, second, link.score});
  }
  const auto ends = [](const RecordLink& link) { return std::pair(link.first, link.second); };
  std::ranges::sort(found, {}, ends);
  const auto are_same = [&](const RecordLink& a, const RecordLink& b) { return ends(a) == ends(b); };
  found.erase(std::unique(found.begin(), found.end(), are_same), found.end());
  return found;
}

std::uint64_t sorted_key(RecordId m, RecordId n) { return pair_key(std::min(m, n), std::max(m, n)); }

/// Adds what is known as one attribute more, whose values are the groups.
void add_evidence(std::size_t groups, const tsl::robin_map<std::uint64_t, double, PairHash>& known,
                  AttributePairs& pairs) {
  std::vector<ValuePairScore> scores;
  for (const auto& [key, evidence] : known)
    scores.push_back(
        {static_cast<std::uint32_t>(key >> 32), static_cast<std::uint32_t>(key), static_cast<float>(evidence)});
  std::vector<std::uint32_t> values(groups);
  std::iota(values.begin(), values.end(), 0U);
  pairs.add_sparse_attribute(std::move(values), SparseScores(groups, 0, scores), 0);
}

bool is_sparse(std::size_t groups, std::size_t links) {
  if (links == 0 || groups <= kFewestSparse) return false;
  return groups > kMostDense || links * kPairsPerLink < groups * (groups - 1) / 2;
}

/// Result if stopped before there was a clustering: each record is alone.
ComponentResult nothing_done(const Component& component) {
  ComponentResult result{.clusters = {}, .is_finished = false};
  for (std::uint32_t place = 0; place < component.rows.size(); ++place) result.clusters.push_back(place);
  return result;
}

}  // namespace

bool ComponentSolver::takes_whole_blocks(const Blocks& blocks, const MatchModel& model) {
  if (!model.is_additive()) return false;
  for (std::size_t b = 0; b < blocks.size(); ++b)
    if (blocks[b].size() > kMostWholeRows) return false;
  return true;
}

bool ComponentSolver::needs_links(std::size_t rows, const MatchModel& model) {
  return rows > (model.is_additive() ? kFewestSparse : kFewGroups);
}

ComponentResult ComponentSolver::solve(const Component& component, const Random& random, const Stop& stop) const {
  std::vector<bool> stays_alone;
  if (!component.known.empty() || scorer_ != nullptr) stays_alone.resize(component.rows.size(), scorer_ != nullptr);
  for (const RecordLink& pair : component.known) stays_alone[pair.first] = stays_alone[pair.second] = true;
  const EqualRows groups = model_.merge_equal(component.rows, least_score_, stays_alone);
  Evidence known;
  for (const RecordLink& pair : component.known)
    known.emplace(sorted_key(groups.group[pair.first], groups.group[pair.second]), double{pair.score});
  WatchedPlaces watched;
  for (const auto& [i, j] : component.watched) watched.emplace_back(groups.group[i], groups.group[j]);
  ComponentResult found;
  try {
    if (groups.rows.size() <= kFewGroups) found = solve_exactly(groups, known, watched);
    else if (scorer_ != nullptr)
      found = run_asking(groups, known, links_of_groups(groups, component.links), watched, random, stop);
    else if (const auto links = links_of_groups(groups, component.links);
             !model_.is_additive() || is_sparse(groups.rows.size(), links.size()))
      found = run_sparse(groups, known, links, watched, random, stop);
    else found = run_dense(groups, known, watched, random, stop);
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

double ComponentSolver::plain_score(RowPair pair) const {
  if (scorer_ == nullptr) return model_.score(pair);
  if (pair.first > pair.second) std::swap(pair.first, pair.second);
  const std::scoped_lock lock(scorer_mutex_);
  return (*scorer_)(pair);
}

double ComponentSolver::score(const EqualRows& groups, const Evidence& known, RecordId m, RecordId n) const {
  double score = plain_score({groups.rows[std::min(m, n)], groups.rows[std::max(m, n)]}) - least_score_;
  if (!known.empty())
    if (const auto found = known.find(sorted_key(m, n)); found != known.end()) score += found->second;
  return score;
}

ComponentResult ComponentSolver::solve_exactly(const EqualRows& groups, const Evidence& known,
                                               const WatchedPlaces& watched) const {
  const std::size_t n = groups.rows.size();
  std::vector<double> scores(n * n);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < i; ++j)
      scores[i * n + j] = scores[j * n + i] = groups.counts[i] * groups.counts[j] *
                                              score(groups, known, static_cast<RecordId>(j), static_cast<RecordId>(i));
  const SubsetClustering clustering(n, scores);
  ComponentResult result{.clusters = clustering.best()};
  result.work.factors = n * (n - 1) / 2;
  if (options_.samples == 0) return result;
  result.confidence = confidences(clustering, result.clusters, groups.counts);
  for (const auto& [i, j] : watched) result.probabilities.push_back(clustering.pair_probability(i, j));
  return result;
}

ComponentResult ComponentSolver::run_dense(const EqualRows& groups, const Evidence& known, const WatchedPlaces& watched,
                                           const Random& random, const Stop& stop) const {
  const std::size_t n = groups.rows.size();
  AttributePairs pairs = model_.pairs_of(groups.rows, least_score_, stop);
  if (!known.empty()) add_evidence(n, known, pairs);
  std::vector<ClusterId> start = first_clusters(n);
  if (options_.start == ClusteringStart::kAverageLink && n <= kMostDense)
    start = merged_above(0, n, average_link(pairs, std::vector<double>(groups.counts.begin(), groups.counts.end())));
  if (groups.is_any_several()) pairs.set_weights(groups.counts);
  return run_chain(pairs, std::move(start), watched, random, stop);
}

ComponentResult ComponentSolver::run_sparse(const EqualRows& groups, const Evidence& known,
                                            std::span<const RecordLink> links, const WatchedPlaces& watched,
                                            const Random& random, const Stop& stop) const {
  const std::size_t n = groups.rows.size();
  SparsePairs pairs(n, links, [&](RecordId m, RecordId other) { return score(groups, known, m, other); });
  if (groups.is_any_several()) pairs.set_weights(groups.counts);
  std::vector<ClusterId> start = first_clusters(n);
  if (options_.start == ClusteringStart::kAverageLink) start = sparse_average_link(pairs, stop);
  return run_chain(pairs, std::move(start), watched, random, stop);
}

ComponentResult ComponentSolver::run_asking(const EqualRows& groups, const Evidence& known,
                                            std::span<const RecordLink> links, const WatchedPlaces& watched,
                                            const Random& random, const Stop& stop) const {
  const std::size_t n = groups.rows.size();
  std::vector<ClusterId> start = first_clusters(n);
  if (options_.start == ClusteringStart::kAverageLink) {
    const auto by_model = [&](RecordId m, RecordId other) {
      return model_.score({groups.rows[m], groups.rows[other]}) - least_score_;
    };
    start = sparse_average_link(SparsePairs(n, links, by_model), stop);
  }
  std::vector<RecordLink> unknown(links.begin(), links.end());
  for (RecordLink& link : unknown) link.score = std::numeric_limits<float>::quiet_NaN();
  const SparsePairs pairs(
      n, unknown, [&](RecordId m, RecordId other) { return score(groups, known, m, other); },
      SparsePairs::Room::kLarge);
  BasicClusteringChain<SparsePairs> chain(pairs, options_, random, {.clusters = std::move(start)});
  // The best clustering on the way would take the scores of all pairs in clusters to know.
  ComponentResult result;
  const auto keep = [&] { result = {.clusters = chain.state().clusters, .work = chain.work()}; };
  keep();
  try {
    cool(chain, n, stop, keep);
    if (options_.samples > 0) draw_samples(pairs, watched, random.child("posterior"), stop, result);
    if (!stop.requested()) return result;
  } catch (const CancelledError&) {
    keep();
  } catch (const LimitError&) {
    keep();
  }
  return {.clusters = std::move(result.clusters), .work = result.work, .is_finished = false};
}

template <class Chain, class AfterRound>
void ComponentSolver::cool(Chain& chain, std::uint64_t records, const Stop& stop, AfterRound&& after_round) const {
  chain.end_rounds_at(stop);
  for (int round = 0; round < kRounds && !chain.is_settled() && !stop.requested(); ++round) {
    const double progress = (round + 1.) / kRounds;
    chain.run(records * static_cast<std::uint64_t>(options_.sweeps) / kRounds, options_.temperature(progress),
              exactness_);
    after_round();
  }
}

std::vector<ClusterId> ComponentSolver::first_clusters(std::size_t records) const {
  return options_.start == ClusteringStart::kTogether ? ClusteringState::together(records).clusters
                                                      : ClusteringState::singletons(records).clusters;
}

template <class Pairs>
ComponentResult ComponentSolver::run_chain(const Pairs& pairs, std::vector<ClusterId> start,
                                           const WatchedPlaces& watched, const Random& random, const Stop& stop) const {
  const std::uint64_t n = pairs.record_count();
  BasicClusteringChain<Pairs> chain(pairs, options_, random, {.clusters = std::move(start)});
  chain.keep_if_best();
  cool(chain, n, stop, [&] { chain.keep_if_best(); });
  ComponentResult result{.clusters = {chain.best().begin(), chain.best().end()}, .work = chain.work()};
  if (options_.samples > 0) draw_samples(pairs, watched, random.child("posterior"), stop, result);
  if (stop.requested()) return {.clusters = std::move(result.clusters), .work = result.work, .is_finished = false};
  return result;
}

template <class Pairs>
void ComponentSolver::draw_samples(const Pairs& pairs, const WatchedPlaces& watched, const Random& random,
                                   const Stop& stop, ComponentResult& result) const {
  constexpr std::uint64_t kSweepsBefore = 20, kSweepsBetween = 5;
  const std::uint64_t n = pairs.record_count();
  ClusteringPosterior posterior(result.clusters, watched, pairs.weights());
  BasicClusteringChain<Pairs> chain(pairs, options_.for_samples(), random, {.clusters = result.clusters});
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
