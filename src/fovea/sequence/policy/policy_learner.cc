// SPDX-License-Identifier: Apache-2.0
#include "fovea/sequence/policy/policy_learner.h"

#include <algorithm>
#include <chrono>

#include "fovea/base/run_control.h"
#include "fovea/sequence/sample/sequence_kernel.h"

namespace fovea::sequence {
namespace {

/// One exploring chain, with everything that its roll-outs need.
class Explorer {
 public:
  Explorer(const SiteNetwork& network, const SiteSampler& sampler, Assignment& labels,
           const MetaFeatureOptions& features, const PolicyLearnerOptions& options, ValueFunction& value,
           Random& random)
      : network_(network),
        sampler_(sampler),
        labels_(labels),
        features_(features),
        options_(options),
        value_(value),
        random_(random),
        state_(network, labels, features) {}

  /// Samples one variable; the reward (2) is its log-probability gain.
  double act(VariableId position) {
    const mcmc::SiteInfo info = sample(position);
    return reward(info);
  }

  /// phi(s_t, a_t), where the oracle meta-feature is the expected reward of the action.
  void features(VariableId position, MetaVector& phi) {
    state_.features(position, labels_, phi, features_.oracle ? peek(position) : 0.0f);
  }

  /// Returns the reward of `horizon` steps from the present state, which it restores. `around` is the explored
  /// variable.
  double roll_out(std::size_t instance, VariableId around) {
    struct Step {
      VariableId position;
      Value label;
      MetaState::Snapshot state;
    };
    std::vector<Step> steps;
    double utility = 0;
    for (int i = 0; i < options_.horizon; ++i) {
      const VariableId position = choose(instance, around);
      steps.push_back({position, labels_[position], state_.save(position)});
      utility += act(position);
    }
    for (; !steps.empty(); steps.pop_back()) {
      labels_[steps.back().position] = steps.back().label;
      state_.restore(steps.back().state);
    }
    return utility;
  }

 private:
  mcmc::SiteInfo sample(VariableId position) {
    const mcmc::SiteInfo info = sampler_(labels_, position, random_);
    state_.record(position, info, labels_);
    return info;
  }

  double reward(const mcmc::SiteInfo& info) const {
    return double{bounded_reward(options_.expected_rewards ? info.mean_gain : info.log_gain)};
  }

  /// Expected reward of sampling `position` now, without sampling it.
  float peek(VariableId position) {
    const Value kept = labels_[position];
    Random unused = random_.child("peek");
    const mcmc::SiteInfo info = sampler_(labels_, position, unused);
    labels_[position] = kept;
    return bounded_reward(info.mean_gain);
  }

  VariableId choose(std::size_t instance, VariableId around) {
    return options_.rollout == RolloutAction::kArgmax ? best_action(instance) : random_neighbour(around);
  }

  VariableId best_action(std::size_t instance) {
    auto best = static_cast<VariableId>(network_.begin(instance));
    float best_priority = -std::numeric_limits<float>::infinity();
    for (std::size_t p = network_.begin(instance); p < network_.end(instance); ++p) {
      const auto position = static_cast<VariableId>(p);
      float dot = state_.dot(position, labels_, value_.alpha);
      if (features_.oracle) dot += value_.alpha[kOracle] * peek(position);
      if (const float priority = value_.priority(dot); priority > best_priority) {
        best = position;
        best_priority = priority;
      }
    }
    return best;
  }

  VariableId random_neighbour(VariableId position) {
    const auto blanket = network_.neighbours(position);
    return blanket.empty() ? position : blanket[random_.uniform_index(static_cast<std::uint32_t>(blanket.size()))].site;
  }

  const SiteNetwork& network_;
  const SiteSampler& sampler_;
  Assignment& labels_;
  const MetaFeatureOptions& features_;
  const PolicyLearnerOptions& options_;
  ValueFunction& value_;
  Random& random_;
  MetaState state_;
};

}  // namespace

ValueFunction learn_policy(const SiteNetwork& network, const SiteSampler& sampler, Assignment& labels,
                           const MetaFeatureOptions& features, const PolicyLearnerOptions& options, Random& random,
                           const ProgressFunction& progress, const CancelToken* cancel) {
  validate(options);
  const auto start = std::chrono::steady_clock::now();
  ValueFunction value(meta_feature_count(network.value_count()));
  ValueLearner learner(value, options.rate, options.delta);
  MetaVector phi;
  for (int epoch = 0; epoch < options.epochs; ++epoch) {
    Explorer explorer(network, sampler, labels, features, options, value, random);
    double squares = 0, count = 0;
    for (std::size_t s = 0; s < network.instance_count(); ++s) {
      if (cancel && cancel->cancelled()) return value;
      const std::size_t length = network.end(s) - network.begin(s);
      const auto transitions = static_cast<std::size_t>(options.sweeps * static_cast<double>(length));
      for (std::size_t t = 0; t < transitions; ++t) {
        const auto action = static_cast<VariableId>(network.begin(s) + t % length);  // cyclic Gibbs
        if (t < length) {
          explorer.act(action);
          continue;
        }
        explorer.features(action, phi);
        const double without = explorer.roll_out(s, action);                      // U^b
        const double with = explorer.act(action) + explorer.roll_out(s, action);  // U^c
        const auto utility = static_cast<float>(with - without);
        squares += (utility - value.value(phi)) * (utility - value.value(phi));
        ++count;
        learner.update(phi, utility);
      }
      if (progress && (s + 1 == network.instance_count() || s % 256 == 255))
        progress({.phase = "learning where to sample",
                  .done = static_cast<double>(epoch * network.instance_count() + s + 1),
                  .total = static_cast<double>(options.epochs * network.instance_count()),
                  .seconds = seconds_since(start),
                  .figure = "squared error",
                  .value = count > 0 ? squares / count : 0});
    }
  }
  return value;
}

ValueFunction learn_policy(const LabelSequences& sequences, Assignment& labels, const MetaFeatureOptions& features,
                           const PolicyLearnerOptions& options, Random& random, const ProgressFunction& progress,
                           const CancelToken* cancel) {
  const SequenceGibbs kernel(sequences);
  const SiteSampler sampler = [&](Assignment& y, VariableId position, Random& stream) {
    mcmc::SiteInfo info;
    kernel.step(y, {&position, 1}, stream, std::span<mcmc::SiteInfo>(&info, 1));
    return info;
  };
  return learn_policy(SiteNetwork(sequences), sampler, labels, features, options, random, progress, cancel);
}

}  // namespace fovea::sequence
