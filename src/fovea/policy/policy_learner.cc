// SPDX-License-Identifier: Apache-2.0
#include "fovea/policy/policy_learner.h"

#include <algorithm>
#include <chrono>

#include "fovea/sample/chain_kernel.h"

namespace fovea {
namespace {

/// One exploring chain and what its roll-outs need.
class Explorer {
 public:
  Explorer(const Chains& chains, Assignment& labels, const MetaFeatureOptions& features,
           const PolicyLearnerOptions& options, ValueFunction& value, Random& random)
      : chains_(chains),
        labels_(labels),
        features_(features),
        options_(options),
        value_(value),
        random_(random),
        kernel_(chains),
        state_(chains, labels, features) {}

  /// Samples one variable; the reward (2) is its log-probability gain.
  double act(VariableId position) {
    const SiteInfo info = sample(position);
    return reward(info);
  }

  /// phi(s_t, a_t), where the oracle meta-feature is the expected reward of the action.
  void features(VariableId position, MetaVector& phi) {
    state_.features(position, labels_, phi, features_.oracle ? peek(position) : 0.0f);
  }

  /// Reward of `horizon` steps from the present state, which is left as it was. `around` is the explored variable.
  double roll_out(std::size_t sequence, VariableId around) {
    if (options_.horizon == 0) return 0;
    const auto begin = labels_.begin() + chains_.begin(sequence), end = labels_.begin() + chains_.end(sequence);
    const Assignment saved_labels(begin, end);
    const MetaState::Snapshot saved_state = state_.save(sequence);
    double utility = 0;
    for (int step = 0; step < options_.horizon; ++step) utility += act(choose(sequence, around));
    std::copy(saved_labels.begin(), saved_labels.end(), begin);
    state_.restore(saved_state);
    return utility;
  }

 private:
  SiteInfo sample(VariableId position) {
    SiteInfo info;
    kernel_.step(labels_, {&position, 1}, random_, std::span<SiteInfo>(&info, 1));
    state_.record(position, info, labels_);
    return info;
  }

  double reward(const SiteInfo& info) const {
    return double{bounded_reward(options_.expected_rewards ? info.mean_gain : info.log_gain)};
  }

  /// Expected reward of sampling `position` now, without sampling it.
  float peek(VariableId position) {
    const Value kept = labels_[position];
    Random unused = random_.child("peek");
    SiteInfo info;
    kernel_.step(labels_, {&position, 1}, unused, std::span<SiteInfo>(&info, 1));
    labels_[position] = kept;
    return bounded_reward(info.mean_gain);
  }

  VariableId choose(std::size_t sequence, VariableId around) {
    return options_.rollout == "argmax" ? best_action(sequence) : random_neighbour(around);
  }

  VariableId best_action(std::size_t sequence) {
    auto best = static_cast<VariableId>(chains_.begin(sequence));
    float best_priority = -std::numeric_limits<float>::infinity();
    for (std::size_t p = chains_.begin(sequence); p < chains_.end(sequence); ++p) {
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
    std::vector<VariableId> blanket;
    state_.for_each_neighbour(position, labels_, [&](VariableId n) { blanket.push_back(n); });
    return blanket.empty() ? position : blanket[random_.uniform_index(static_cast<std::uint32_t>(blanket.size()))];
  }

  const Chains& chains_;
  Assignment& labels_;
  const MetaFeatureOptions& features_;
  const PolicyLearnerOptions& options_;
  ValueFunction& value_;
  Random& random_;
  ChainGibbs kernel_;
  MetaState state_;
};

}  // namespace

ValueFunction learn_policy(const Chains& chains, Assignment& labels, const MetaFeatureOptions& features,
                           const PolicyLearnerOptions& options, Random& random, const ProgressFunction& progress,
                           const CancelToken* cancel) {
  validate(options);
  const auto start = std::chrono::steady_clock::now();
  ValueFunction value(meta_feature_count(chains.ngrams().label_count()));
  ValueLearner learner(value, options.rate, options.delta);
  double error = 0;
  MetaVector phi;
  for (int epoch = 0; epoch < options.epochs; ++epoch) {
    Explorer explorer(chains, labels, features, options, value, random);
    double squares = 0, count = 0;
    for (std::size_t s = 0; s < chains.sequence_count(); ++s) {
      if (cancel && cancel->cancelled()) return value;
      const std::size_t length = chains.end(s) - chains.begin(s);
      const auto transitions = static_cast<std::size_t>(options.sweeps * static_cast<double>(length));
      for (std::size_t t = 0; t < transitions; ++t) {
        const auto action = static_cast<VariableId>(chains.begin(s) + t % length);  // cyclic Gibbs
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
      if (progress && (s + 1 == chains.sequence_count() || s % 256 == 255)) {
        error = count > 0 ? squares / count : 0;
        const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
        progress({.phase = "learning where to sample",
                  .done = static_cast<double>(epoch * chains.sequence_count() + s + 1),
                  .total = static_cast<double>(options.epochs * chains.sequence_count()),
                  .seconds = seconds,
                  .figure = "squared error",
                  .value = error});
      }
    }
  }
  return value;
}

}  // namespace fovea
