// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "fovea/base/options.h"
#include "fovea/base/random.h"
#include "fovea/sample/clustering/clustering_kernel.h"
#include "fovea/sample/clustering/grouped_clustering.h"
#include "fovea/sample/clustering/observed_clustering.h"
#include "fovea/sample/subsample/exactness.h"
#include "fovea/sample/subsample/planned_rule.h"

namespace fovea {

struct ClusteringChainOptions {
  std::string proposal = "companion";
  double alone = 0.05;
  double split_merge = 0.03;
  bool no_sums = false;

  template <class V>
  static void describe(V&& visit) {
    using O = ClusteringChainOptions;
    visit(&O::proposal, OptionInfo{.name = "proposal",
                                   .description = "Where a record may move: to a random entity (uniform), or to that "
                                                  "of another random record (companion).",
                                   .choices = {"companion", "uniform"}});
    visit(&O::alone, OptionInfo{.name = "alone",
                                .description = "Share of the companion's moves that leave for an entity of its own.",
                                .min = 0.001,
                                .max = 0.999});
    visit(
        &O::split_merge,
        OptionInfo{
            .name = "split-merge", .description = "Share of steps that split or merge entities.", .min = 0, .max = 1});
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
  ClusteringWork& operator+=(const Decision& decision) {
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
  std::vector<EntityId> entities;  ///< [mention], each less than their number
  std::uint64_t rounds = 0;        ///< that were run
  ClusteringWork work = {};
  std::vector<EntityId> best = {};  ///< none so far, if empty
  double best_score = -std::numeric_limits<double>::infinity();

  /// Each mention alone.
  static ClusteringState singletons(std::size_t mentions);
  /// One entity.
  static ClusteringState together(std::size_t mentions);
};

/// A Metropolis-Hastings chain over the clusterings of one model's mentions.
///
/// It runs in rounds. Round r draws from random.child("round", r), and what it keeps beside the state (orders of
/// members, sums, what rules learn of costs) is made anew: a chain that is made from state() goes on as if nothing had
/// happened, if its rounds are the same. That costs a mention about as much as a step, so rounds should have some ten
/// for each.
class ClusteringChain {
 public:
  /// `model` must outlive it; only children of `random` are drawn from. `options` are valid.
  ClusteringChain(const AttributePairs& model, const ClusteringChainOptions& options, const Random& random,
                  ClusteringState start);

  /// A round at a temperature > 0.
  void run(std::uint64_t steps, double temperature, const Exactness& exactness);

  /// The same by any rule of sample/subsample; on_move(mention, from, to) is called after each move, and should be
  /// cheap.
  template <class Rule, class OnMove>
  void run(std::uint64_t steps, double temperature, Rule rule, OnMove&& on_move) {
    if (is_uniform_) run_proposal(steps, temperature, UniformProposal(), std::move(rule), on_move);
    else run_proposal(steps, temperature, CompanionProposal(options_.alone), std::move(rule), on_move);
  }

  const AttributePairs& model() const { return clustering_.model(); }
  const Partition& partition() const { return clustering_.partition(); }
  /// Of the present clustering, in about as many look-ups as there are mentions.
  double log_score() const;
  const ClusteringWork& work() const { return state_.work; }

  /// Remembers the present clustering if none that was shown to it before scored higher: best(). To be called after
  /// rounds, cold ones above all. Costs a log_score().
  void keep_if_best();
  /// By entity; empty before the first keep_if_best().
  std::span<const EntityId> best() const { return state_.best; }
  double best_score() const { return state_.best_score; }

  ClusteringState state() const;

 private:
  template <class Proposal, class Rule, class OnMove>
  void run_proposal(std::uint64_t steps, double temperature, Proposal proposal, Rule rule, OnMove& on_move) {
    if (!std::exchange(is_fresh_, false)) clustering_ = cluster(clustering_.model(), partition().entities());
    Random random = random_.child("round", state_.rounds++);
    ClusteringKernel kernel(std::move(proposal), std::move(rule), options_.split_merge);
    ObservedClustering observed(clustering_, on_move);
    for (std::uint64_t i = 0; i < steps; ++i) state_.work += kernel.step(observed, random, temperature);
  }

  GroupedClustering cluster(const AttributePairs& model, std::span<const EntityId> entities) const;

  ClusteringChainOptions options_;
  bool is_uniform_;
  Random random_;
  ClusteringState state_;  // but for its entities
  GroupedClustering clustering_;
  bool is_fresh_ = true;  // no move since clustering_ was made
};

}  // namespace fovea
