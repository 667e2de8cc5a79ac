// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <functional>
#include <string>

#include "fovea/base/options.h"
#include "fovea/base/random.h"
#include "fovea/base/run_control.h"
#include "fovea/base/words.h"
#include "fovea/sequence/model/label_sequences.h"
#include "fovea/sequence/policy/value_function.h"

namespace fovea::sequence {

/// Variable that a step of a roll-out visits.
enum class RolloutAction { kArgmax, kRandomNeighbour };
constexpr auto words_of(RolloutAction) {
  using enum RolloutAction;
  return std::array{Word{kArgmax, "argmax"}, Word{kRandomNeighbour, "random_neighbour"}};
}

struct PolicyLearnerOptions {
  int epochs = 3;
  double sweeps = 4;
  int horizon = 1;
  double rate = .1;
  double delta = 1;
  RolloutAction rollout = RolloutAction::kArgmax;
  bool expected_rewards = true;

  static void describe(auto&& visit) {
    using O = PolicyLearnerOptions;
    visit(&O::epochs, number_in(1, 1000, "epochs", "Number of passes over the tuning data (E)."));
    visit(&O::sweeps, number_in(1, 1000, "sweeps", "Exploration sweeps per epoch; the first only builds a history."));
    visit(&O::horizon, number_in(0, 100, "horizon", "Number of steps of a roll-out (H); 0: immediate rewards only."));
    visit(&O::rate,
          number_in(1e-6, 100, "rate", "AdaGrad's eta in equation (9), where the paper has 1: then some seeds fail."));
    visit(&O::delta, number_in(1e-12, 1e6, "delta", "AdaGrad's delta in equation (9), where the paper has 1e-4."));
    visit(&O::rollout, option("rollout",
                              "Actions of roll-outs: the best by Q (as printed), or a random variable of the blanket "
                              "(as in the authors' code)."));
    visit(&O::expected_rewards,
          option("expected-rewards", "Average rewards over the kernel's choice instead of sampling them."));
  }
};

/// Function that samples a site of `labels` given the rest.
using SiteSampler = std::function<mcmc::SiteInfo(Assignment& labels, VariableId site, Random& random)>;

/// Learns where to sample: Algorithm 2 of Shi, Steinhardt and Liang (2015). Cyclic Gibbs sampling explores; for each of
/// its transitions the value function is moved towards the utility U^c - U^b of (4) and (5), the reward over a horizon
/// after acting minus the reward over the same horizon without acting.
///
/// Instances are independent under exploration, so roll-outs stay within the explored one. `labels` starts as given and
/// ends as the last sample. Roll-outs with kArgmax look at the whole instance.
ValueFunction learn_policy(const SiteNetwork& network, const SiteSampler& sampler, Assignment& labels,
                           const MetaFeatureOptions& features, const PolicyLearnerOptions& options, Random& random,
                           const ProgressFunction& progress = {}, const CancelToken* cancel = nullptr);
/// The same for label sequences, by plain Gibbs sampling.
ValueFunction learn_policy(const LabelSequences& sequences, Assignment& labels, const MetaFeatureOptions& features,
                           const PolicyLearnerOptions& options, Random& random, const ProgressFunction& progress = {},
                           const CancelToken* cancel = nullptr);

}  // namespace fovea::sequence
