// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "fovea/base/assignment.h"
#include "fovea/base/options.h"
#include "fovea/base/run.h"

namespace fovea::mcmc {

/// A distribution known by its conditionals, as a ConditionalModel is, but asked for many sites of many chains in one
/// call: for models whose calls are expensive, such as those of another language.
struct BatchedModel {
  std::vector<std::size_t> cardinalities = {};  ///< [variable], 1 to 65535

  /// scores[(chain * sites + site) * k + value] = log p(y_site = value | the rest of the chain's assignment) + const,
  /// where k is the cardinality, the same for all sites of a call; -inf is legal. assignments[chain * variables + v].
  /// No site is in the Markov blanket of another one of the call.
  std::function<void(std::span<const VariableId> sites, std::span<const Value> assignments, std::span<double> scores)>
      conditional_scores = {};

  /// [variable], the variables on which the conditional depends. Empty: not known, so that sites are visited one by
  /// one.
  std::vector<std::vector<VariableId>> markov_blankets = {};

  /// scores[chain] = unnormalised log p(assignment), to keep the best draw; may be empty.
  std::function<void(std::span<const Value> assignments, std::span<double> scores)> log_scores = {};
};

struct BatchedGibbsOptions {
  int draws = 1000;
  int chains = 4;
  int warm_up = 500;
  int thin = 1;

  static void describe(auto&& visit) {
    using O = BatchedGibbsOptions;
    visit(&O::draws, number_in(1, 1e9, "draws", "Number of draws kept from each chain."));
    visit(&O::chains, number_in(1, 65536, "chains", "Number of independent chains."));
    visit(&O::warm_up, number_in(0, 1e9, "warm-up", "Number of sweeps of each chain before its first draw is kept."));
    visit(&O::thin, number_in(1, 1e6, "thin", "Number of sweeps from one kept draw to the next."));
  }
};

/// Draws of several chains.
struct BatchedDraws {
  std::size_t chains = 0, variables = 0;
  std::size_t draws = 0;           ///< of each chain; fewer than asked for only if the limits ended the run
  std::vector<Value> values = {};  ///< [chain][draw][variable]
  ScoredAssignment best = {};      ///< the draw with the highest log score, if the model has one
  std::size_t batches = 0;         ///< calls of conditional_scores for each sweep
  RunSummary summary = {};
};

/// The model's Markov blankets sorted, without the variables themselves; empty if they are not known. Throws UsageError
/// for a model that is not valid, as below.
std::vector<std::vector<VariableId>> symmetric_blankets(const BatchedModel& model);

/// The same run with its budget in visits, of which a sweep has this many. Throws UsageError for a budget of factors or
/// of oracle calls, which nobody counts here.
Run counting_visits(Run run, std::size_t sweep);

/// Throws InputError for a score that is NaN or +inf.
void require_score(double score, std::size_t value, VariableId variable, std::optional<std::size_t> chain = {});

/// Variables that may be resampled at once: of one cardinality, and none in the Markov blanket of another. Greedy
/// colouring in the order of the variables. Every variable has a batch of its own if the blankets are not known. Throws
/// UsageError unless blankets are symmetric: v is in that of w if w is in that of v.
std::vector<std::vector<VariableId>> independent_batches(const BatchedModel& model);

/// Gibbs sampling of all chains side by side: a sweep resamples the independent batches one after another, which leaves
/// the target invariant (Geman and Geman 1984). `start`: assignments of all chains, [chain][variable]; empty: uniform
/// draws. Each chain has its own stream of random numbers, so that it does not depend on how many others there are. A
/// site whose values all score -inf keeps its value. Ends early, with the draws so far, when the run's limits say so.
/// Throws InputError for a score that is NaN or +inf, UsageError for options, models and starts that are not valid.
BatchedDraws draw_batched(const BatchedModel& model, const BatchedGibbsOptions& options, const Run& run,
                          std::span<const Value> start = {});

}  // namespace fovea::mcmc
