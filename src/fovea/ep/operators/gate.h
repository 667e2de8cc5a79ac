// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "fovea/ep/family/message.h"

namespace fovea::ep {

/// Common part of factors that hold in one of several cases, which a selector names (Minka and Winn 2008, "Gates"): a
/// Bernoulli (false the first case, true the second), a Categorical with as many values as there are cases, or a Point.
class Gate {
 public:
  /// log_masses[k]: log mass of the incoming messages in case k, -inf if the case is impossible. Throws InputError,
  /// naming the factor, if all are.
  Gate(const Message& selector, std::vector<double> log_masses, std::string_view factor);

  /// log of sum_k p(selector = k) mass_k.
  double log_mass() const { return log_mass_; }
  /// p(selector = k | all).
  double weight(std::size_t k) const { return weights_[k]; }
  std::span<const double> weights() const { return weights_; }
  /// Marginal of the selector.
  Message marginal() const;

 private:
  const Message* selector_;
  std::vector<double> log_masses_, weights_;
  double log_mass_;
};

/// The message of `like`'s family that is nearest to the mixture of these components, each of that family or a Point. A
/// component that has all the weight is returned unchanged.
Message mixture(std::span<const Message> components, std::span<const double> weights, const Message& like);
/// Mixture of two components, of which the first has this weight.
Message mixture(const Message& first, const Message& second, double weight);

/// Message to a selector with these log probabilities, given up to a constant.
Message selector_message(const std::vector<double>& scores, bool is_truth);

}  // namespace fovea::ep
