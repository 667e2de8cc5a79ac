// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "fovea/base/options.h"
#include "fovea/base/random.h"
#include "fovea/base/run_control.h"
#include "fovea/base/words.h"
#include "fovea/linkage/clustering/cluster_scores.h"
#include "fovea/linkage/clustering/clustering_kernel.h"
#include "fovea/linkage/clustering/grouped_clustering.h"
#include "fovea/linkage/clustering/pair_clustering.h"
#include "fovea/linkage/clustering/record_move.h"
#include "fovea/linkage/clustering/sparse_pairs.h"
#include "fovea/mcmc/subsample/exactness.h"
#include "fovea/mcmc/subsample/planned_rule.h"

namespace fovea::linkage {

/// Proposal of a new cluster for a record.
enum class MoveProposal { kCompanion, kUniform };
constexpr auto words_of(MoveProposal) {
  using enum MoveProposal;
  return std::array{Word{kCompanion, "companion"}, Word{kUniform, "uniform"}};
}

/// Rule by which a chain chooses the records that it tries to move.
enum class MoveSchedule { kUniform, kHot, kLearned };
constexpr auto words_of(MoveSchedule) {
  using enum MoveSchedule;
  return std::array{Word{kUniform, "uniform"}, Word{kHot, "hot"}, Word{kLearned, "learned"}};
}

/// Cooling of a chain on its way to the best clustering: the temperature T divides the log score and falls
/// geometrically.
struct CoolingOptions {
  double start_temperature = 1;
  double end_temperature = 0.1;

  static void describe(auto&& visit) {
    visit(&CoolingOptions::start_temperature,
          number_from(1e-6, "start-temperature", "Temperature at the start; it divides the log score."));
    visit(&CoolingOptions::end_temperature,
          number_from(1e-6, "end-temperature", "Temperature at the end, to which it falls geometrically."));
  }

  /// Temperature when a share `progress` in [0, 1] of all steps is done.
  double temperature(double progress) const {
    return start_temperature * std::pow(end_temperature / start_temperature, progress);
  }
};

struct ClusteringChainOptions {
  MoveProposal proposal = MoveProposal::kCompanion;
  double alone = 0.05;
  double split_merge = 0.03;
  double split_merge_size = 32;
  MoveSchedule schedule = MoveSchedule::kUniform;
  double least_gain = 1e-4;
  bool no_sums = false;

  /// The same options for draws from the posterior: every record is chosen equally often.
  ClusteringChainOptions for_samples() const {
    ClusteringChainOptions options = *this;
    options.schedule = MoveSchedule::kUniform;
    return options;
  }

  static void describe(auto&& visit) {
    using O = ClusteringChainOptions;
    visit(&O::proposal, option("proposal",
                               "Proposed moves of a record: to a random entity (uniform), or to the entity of another "
                               "random record (companion); in large groups, of one that may match."));
    visit(&O::alone,
          number_in(0.001, 0.999, "alone", "Share of companion moves that put the record into an entity of its own."));
    visit(&O::split_merge,
          number_in(0, 1, "split-merge", "Share of steps that split or merge entities; none in large groups."));
    visit(&O::split_merge_size,
          number_from(1, "split-merge-size", "Above this number of records, a split or merge is tried less often."));
    visit(&O::schedule, option("schedule",
                               "Records that the chain tries to move: each equally often (uniform), or, on the way to "
                               "the best clustering, those for which a rule expects the most. The rule is learned "
                               "(learned) or made by hand (hot)."));
    visit(&O::least_gain, number_in(0, 1, "least-gain",
                                    "A schedule ends when it expects fewer improving moves per proposal than this."));
    visit(&O::no_sums, option("no-sums", "Keep no sums for entities: all their pairs count as factors."));
  }
};

/// Work that a chain has done, in counts.
struct ClusteringWork {
  std::uint64_t proposals = 0, accepted = 0;
  std::uint64_t factors = 0;  ///< pair scores
  std::uint64_t lookups = 0;  ///< sums read instead of pair scores

  ClusteringWork& operator+=(const ClusteringWork& other);
  ClusteringWork& operator+=(const mcmc::Decision& decision) {
    ++proposals;
    accepted += decision.accepted;
    factors += decision.factors;
    lookups += decision.lookups;
    return *this;
  }
  friend bool operator==(const ClusteringWork&, const ClusteringWork&) = default;
};

/// Everything that a chain has to remember between two rounds.
struct ClusteringState {
  std::vector<ClusterId> clusters;  ///< [record], each less than their number
  std::uint64_t rounds = 0;         ///< number of rounds so far
  ClusteringWork work = {};
  std::vector<ClusterId> best = {};  ///< none so far, if empty
  double best_score = -std::numeric_limits<double>::infinity();
  std::vector<RecordMemory> memory = {};  ///< [record], of a schedule; or empty

  /// State in which each record is alone.
  static ClusteringState singletons(std::size_t records);
  /// State in which all records are in one cluster.
  static ClusteringState together(std::size_t records);
};

/// The clustering that a chain keeps and the moves that it proposes, by the model of the pairs.
template <class Model>
struct ChainParts;
template <>
struct ChainParts<AttributePairs> {
  using Clustering = GroupedClustering;
  static Clustering cluster(const AttributePairs& model, std::span<const ClusterId> clusters, bool no_sums) {
    return {model, Partition(clusters), no_sums ? ClusterSums::Keep::kNone : ClusterSums::Keep::kWhereWorthwhile};
  }
  static CompanionProposal companions(const AttributePairs&, double alone) { return CompanionProposal(alone); }
  static constexpr double kSplitMerge = 1;  // of the share that is asked for
};
template <>
struct ChainParts<SparsePairs> {
  using Clustering = PairClustering<SparsePairs>;
  static Clustering cluster(const SparsePairs& model, std::span<const ClusterId> clusters, bool /*no_sums*/) {
    return {model, Partition(clusters)};
  }
  static NeighbourProposal companions(const SparsePairs& model, double alone) { return {model, alone}; }
  static constexpr double kSplitMerge = 0;  // two random records of a large component hardly ever belong together
};

/// A Metropolis-Hastings chain over the clusterings of one model's records: AttributePairs, or SparsePairs with moves
/// along links instead of companions and without splits and merges. It draws from the posterior unless its
/// options have a schedule, which makes it a search.
///
/// The chain runs in rounds. Round r draws from random.child("round", r), and everything that is kept in addition to
/// the state (orders of members, sums, what rules learn about costs) is rebuilt. So a chain that is constructed from
/// state() continues exactly as the first one would have, if its rounds are the same. Rebuilding costs about one step
/// per record, so a round should have some ten steps per record.
template <class Model>
class BasicClusteringChain {
  using Parts = ChainParts<Model>;
  using Clustering = typename Parts::Clustering;

 public:
  /// `model` must outlive the chain; only children of `random` are drawn from. `options` must be valid.
  BasicClusteringChain(const Model& model, const ClusteringChainOptions& options, const Random& random,
                       ClusteringState start);

  /// Makes rounds end early once `stop` is requested. The chain can then be read, but it no longer continues exactly.
  void end_rounds_at(const Stop& stop) { stop_ = stop; }

  /// Runs a round at a temperature > 0. With a schedule it ends as soon as no proposal is worthwhile.
  void run(std::uint64_t steps, double temperature, const mcmc::Exactness& exactness);

  /// Does the same with any rule of mcmc/subsample. on_move(record, from, to) is called after each move, and should be
  /// cheap.
  template <class Rule, class OnMove>
  void run(std::uint64_t steps, double temperature, Rule rule, OnMove&& on_move) {
    if (is_uniform_) run_proposal(steps, temperature, UniformProposal(), std::move(rule), on_move);
    else run_proposal(steps, temperature, Parts::companions(model(), options_.alone), std::move(rule), on_move);
  }

  const Model& model() const { return clustering_.model(); }
  const Partition& partition() const { return clustering_.partition(); }
  /// True if the last round ended because no proposal was worthwhile. Always false without a schedule.
  bool is_settled() const { return is_settled_; }
  /// Log score of the present clustering. Takes about as many look-ups as there are records.
  double log_score() const;
  const ClusteringWork& work() const { return state_.work; }

  /// Keeps the present clustering as best() if it scores higher than all that were kept before. To be called after
  /// rounds, above all after cold ones. Costs as much as log_score().
  void keep_if_best();
  /// Best clustering so far, [record]; empty before the first keep_if_best().
  std::span<const ClusterId> best() const { return state_.best; }
  double best_score() const { return state_.best_score; }

  ClusteringState state() const;

 private:
  template <class Proposal, class Rule, class OnMove>
  void run_proposal(std::uint64_t steps, double temperature, Proposal proposal, Rule rule, OnMove& on_move) {
    if (!std::exchange(is_fresh_, false)) clustering_ = cluster(clustering_.model(), partition().clusters());
    Random random = random_.child("round", state_.rounds++);
    ClusteringKernel kernel(std::move(proposal), std::move(rule), Parts::kSplitMerge * options_.split_merge,
                            SplitMerge(options_.split_merge_size));
    ObservedClustering observed(clustering_, on_move);
    if (schedule_rule_) return run_scheduled(steps, temperature, std::move(kernel), observed, random);
    for (std::uint64_t i = 0; i < steps && !is_time_to_end(i); ++i)
      state_.work += kernel.step(observed, random, temperature);
  }

  template <class Kernel, class Observed>
  void run_scheduled(std::uint64_t steps, double temperature, Kernel kernel, Observed& clustering, Random& random) {
    ScheduledClusteringKernel scheduled(std::move(kernel),
                                        RecordSchedule(*schedule_rule_, partition(), std::move(state_.memory)));
    const double least = std::log(options_.least_gain);
    const auto is_settled = [&] { return scheduled.schedule().log_gain(partition()) < least; };
    for (std::uint64_t i = 0; i < steps && !is_settled() && !is_time_to_end(i); ++i)
      state_.work += scheduled.step(clustering, random, temperature);
    is_settled_ = is_settled();
    state_.memory = scheduled.schedule().memory();
  }

  bool is_time_to_end(std::uint64_t step) const {
    constexpr std::uint64_t kStepsBetweenLooks = 64;
    return step % kStepsBetweenLooks == 0 && stop_.requested();
  }

  Clustering cluster(const Model& model, std::span<const ClusterId> clusters) const;

  ClusteringChainOptions options_;
  bool is_uniform_;
  Stop stop_;
  std::optional<RecordRule> schedule_rule_;
  Random random_;
  ClusteringState state_;  // except its clusters
  Clustering clustering_;
  bool is_settled_ = false;
  bool is_fresh_ = true;  // no move since clustering_ was made
};

using ClusteringChain = BasicClusteringChain<AttributePairs>;
using SparseClusteringChain = BasicClusteringChain<SparsePairs>;

}  // namespace fovea::linkage
