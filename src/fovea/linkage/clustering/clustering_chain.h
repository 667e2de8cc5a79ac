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
#include "fovea/mcmc/subsample/exactness.h"
#include "fovea/mcmc/subsample/planned_rule.h"

namespace fovea::linkage {

/// Where a record may move.
enum class MoveProposal { kCompanion, kUniform };
constexpr auto words_of(MoveProposal) {
  using enum MoveProposal;
  return std::array{Word{kCompanion, "companion"}, Word{kUniform, "uniform"}};
}

/// Which records a chain tries to move.
enum class MoveSchedule { kUniform, kHot, kLearned };
constexpr auto words_of(MoveSchedule) {
  using enum MoveSchedule;
  return std::array{Word{kUniform, "uniform"}, Word{kHot, "hot"}, Word{kLearned, "learned"}};
}

struct ClusteringChainOptions {
  MoveProposal proposal = MoveProposal::kCompanion;
  double alone = 0.05;
  double split_merge = 0.03;
  double split_merge_size = 32;
  MoveSchedule schedule = MoveSchedule::kUniform;
  double least_gain = 1e-4;
  bool no_sums = false;

  /// The same for draws from the posterior: every record equally often.
  ClusteringChainOptions for_samples() const {
    ClusteringChainOptions options = *this;
    options.schedule = MoveSchedule::kUniform;
    return options;
  }

  template <class V>
  static void describe(V&& visit) {
    using O = ClusteringChainOptions;
    visit(&O::proposal, OptionInfo{.name = "proposal",
                                   .description = "Where a record may move: to a random entity (uniform), or to that "
                                                  "of another random record (companion)."});
    visit(&O::alone, OptionInfo{.name = "alone",
                                .description = "Share of the companion's moves that leave for an entity of its own.",
                                .min = 0.001,
                                .max = 0.999});
    visit(
        &O::split_merge,
        OptionInfo{
            .name = "split-merge", .description = "Share of steps that split or merge entities.", .min = 0, .max = 1});
    visit(&O::split_merge_size,
          OptionInfo{.name = "split-merge-size",
                     .description = "Of more records than this, splits and merges are tried the less often.",
                     .min = 1});
    visit(&O::schedule, OptionInfo{.name = "schedule",
                                   .description = "Which records are tried to be moved: each equally often (uniform), "
                                                  "or, on the way to the best clustering, those of which most is "
                                                  "expected by a rule, learned or made by hand (hot)."});
    visit(&O::least_gain,
          OptionInfo{.name = "least-gain",
                     .description = "Improving moves expected of a proposal, below which a schedule ends.",
                     .min = 0,
                     .max = 1});
    visit(&O::no_sums,
          OptionInfo{.name = "no-sums", .description = "Keep no sums of entities: all their pairs are factors."});
  }
};

/// What a chain has done.
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

/// All that a chain has to remember between two rounds.
struct ClusteringState {
  std::vector<ClusterId> clusters;  ///< [record], each less than their number
  std::uint64_t rounds = 0;         ///< that were run
  ClusteringWork work = {};
  std::vector<ClusterId> best = {};  ///< none so far, if empty
  double best_score = -std::numeric_limits<double>::infinity();
  std::vector<RecordMemory> memory = {};  ///< [record], of a schedule; or none

  /// Each record alone.
  static ClusteringState singletons(std::size_t records);
  /// One cluster.
  static ClusteringState together(std::size_t records);
};

/// A Metropolis-Hastings chain over the clusterings of one model's records. It draws from the posterior unless its
/// options have a schedule, which makes it a search.
///
/// It runs in rounds. Round r draws from random.child("round", r), and what it keeps beside the state (orders of
/// members, sums, what rules learn of costs) is made anew: a chain that is made from state() goes on as if nothing had
/// happened, if its rounds are the same. That costs a record about as much as a step, so rounds should have some ten
/// for each.
class ClusteringChain {
 public:
  /// `model` must outlive it; only children of `random` are drawn from. `options` are valid.
  ClusteringChain(const AttributePairs& model, const ClusteringChainOptions& options, const Random& random,
                  ClusteringState start);

  /// Rounds end early once `stop` is requested; the chain can be read then, and no longer be continued as if nothing
  /// had happened.
  void end_rounds_at(const Stop& stop) { stop_ = stop; }

  /// A round at a temperature > 0. With a schedule it ends as soon as no proposal is worth it.
  void run(std::uint64_t steps, double temperature, const mcmc::Exactness& exactness);

  /// The same by any rule of sample/subsample; on_move(record, from, to) is called after each move, and should be
  /// cheap.
  template <class Rule, class OnMove>
  void run(std::uint64_t steps, double temperature, Rule rule, OnMove&& on_move) {
    if (is_uniform_) run_proposal(steps, temperature, UniformProposal(), std::move(rule), on_move);
    else run_proposal(steps, temperature, CompanionProposal(options_.alone), std::move(rule), on_move);
  }

  const AttributePairs& model() const { return clustering_.model(); }
  const Partition& partition() const { return clustering_.partition(); }
  /// Whether the last round ended because no proposal was worth it. Never without a schedule.
  bool is_settled() const { return is_settled_; }
  /// Of the present clustering, in about as many look-ups as there are records.
  double log_score() const;
  const ClusteringWork& work() const { return state_.work; }

  /// Remembers the present clustering if none that was shown to it before scored higher: best(). To be called after
  /// rounds, cold ones above all. Costs a log_score().
  void keep_if_best();
  /// By cluster; empty before the first keep_if_best().
  std::span<const ClusterId> best() const { return state_.best; }
  double best_score() const { return state_.best_score; }

  ClusteringState state() const;

 private:
  template <class Proposal, class Rule, class OnMove>
  void run_proposal(std::uint64_t steps, double temperature, Proposal proposal, Rule rule, OnMove& on_move) {
    if (!std::exchange(is_fresh_, false)) clustering_ = cluster(clustering_.model(), partition().clusters());
    Random random = random_.child("round", state_.rounds++);
    ClusteringKernel kernel(std::move(proposal), std::move(rule), options_.split_merge,
                            SplitMerge(options_.split_merge_size));
    ObservedClustering observed(clustering_, on_move);
    if (schedule_rule_) return run_scheduled(steps, temperature, std::move(kernel), observed, random);
    for (std::uint64_t i = 0; i < steps && !is_time_to_end(i); ++i)
      state_.work += kernel.step(observed, random, temperature);
  }

  template <class Kernel, class Clustering>
  void run_scheduled(std::uint64_t steps, double temperature, Kernel kernel, Clustering& clustering, Random& random) {
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

  GroupedClustering cluster(const AttributePairs& model, std::span<const ClusterId> clusters) const;

  ClusteringChainOptions options_;
  bool is_uniform_;
  Stop stop_;
  std::optional<RecordRule> schedule_rule_;
  Random random_;
  ClusteringState state_;  // but for its clusters
  GroupedClustering clustering_;
  bool is_settled_ = false;
  bool is_fresh_ = true;  // no move since clustering_ was made
};

}  // namespace fovea::linkage
