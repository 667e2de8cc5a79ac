// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <vector>

#include "fovea/base/options.h"
#include "fovea/base/run.h"
#include "fovea/base/words.h"
#include "fovea/mcmc/batched_gibbs.h"

namespace fovea::mcmc {

/// Order in which sites are asked for.
enum class AskOrder { kLearned, kCyclic };
constexpr auto words_of(AskOrder) {
  using enum AskOrder;
  return std::array{Word{kLearned, "learned"}, Word{kCyclic, "cyclic"}};
}

struct BatchedAnnealOptions {
  int batch = 64;
  double temperature = 0;
  double cooling = .5;
  double regret = 1e-3;
  int visits = 16;
  AskOrder order = AskOrder::kLearned;

  static void describe(auto&& visit) {
    using O = BatchedAnnealOptions;
    visit(&O::batch, number_in(1, 1e6, "batch", "Maximum number of variables in one call."));
    visit(&O::temperature, number_in(0, 1e6, "temperature",
                                     "First temperature: values are drawn with probabilities to the power 1 / "
                                     "temperature; 0: the best value is taken."));
    visit(&O::cooling,
          number_in(0, .999, "cooling",
                    "Factor of the temperature after as many visits as there are variables; below .05, it is 0."));
    visit(&O::regret,
          number_in(0, 1e6, "regret",
                    "Stop where the gain that is still expected is below this, in nats a variable; 0: where "
                    "nothing can change."));
    visit(&O::visits, number_in(1, 1e6, "visits",
                                "Maximum number of visits of a variable at temperature 0. Conditionals that are not "
                                "those of one joint distribution, "
                                "such as a neural network's, may lead round in a circle."));
    visit(&O::order,
          option(
              "order",
              "Variables to ask for. learned: those where a visit is expected to gain most, as learned on the way from "
              "the visits before: by doubt, by changed neighbours. cyclic: all of them, in sweeps."));
  }
};

struct BatchedAnneal {
  std::vector<Value> values = {};  ///< [variable]
  std::vector<double> doubt = {};  ///< [variable], 1 - the probability of its value when it was last asked for
  std::size_t unsettled = 0;       ///< variables that had all visits allowed and would change again
  double expected_gain = 0;        ///< of further visits, nats a variable; what the order expects, not a bound
  RunSummary summary = {};
};

/// Searches for a likely assignment of a model whose conditionals are expensive (a neural network, a service), and asks
/// for as few of them as it can: algorithm 1 of Shi, Steinhardt and Liang (2015) with a value function that needs no
/// tuning, since it is learned during the search. Every variable is asked for once; after that, those of highest
/// expected gain, as many to a call as fit, none of which depends on another. The gain of a visit is the rise of the
/// log probability by its best value; its expectation is the mean over earlier visits with the same doubt and the same
/// number of changed neighbours (net, as in the paper's code). At temperature 0, a variable without a changed neighbour
/// has nothing to gain. `start`: [variable]; empty: uniform draws.
///
/// Ends early, with the assignment so far, when the run's limits say so; its budget counts visits as transitions, and
/// the call in which they run out is made. Throws as draw_batched() does, and UsageError if the Markov blankets are not
/// known.
BatchedAnneal anneal_batched(const BatchedModel& model, const BatchedAnnealOptions& options, const Run& run,
                             std::span<const Value> start = {});

}  // namespace fovea::mcmc
