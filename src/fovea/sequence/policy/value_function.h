// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

#include "fovea/base/log_math.h"
#include "fovea/sequence/policy/meta_features.h"

namespace fovea::sequence {

/// The value of sampling a variable, Q(s, a) = w sigmoid(alpha . phi(s, a)) + b: equation (6) of Shi, Steinhardt and
/// Liang (2015), one hidden logistic unit. All parameters start at 0.
///
/// Q is monotone in sign(w) alpha . phi, so choosing the best action needs no sigmoid; calibrated decisions do.
struct ValueFunction {
  explicit ValueFunction(std::size_t feature_count = 0) : alpha(feature_count) {}

  std::vector<float> alpha;  ///< [meta-feature]
  float w = 0;
  float b = 0;

  float dot(const MetaVector& phi) const {
    float sum = 0;
    for (const MetaVector::Entry& entry : phi.entries) sum += alpha[entry.index] * entry.value;
    return sum;
  }
  float value(float dot) const { return w * sigmoid(dot) + b; }
  float value(const MetaVector& phi) const { return value(dot(phi)); }
  /// Orders actions as Q does.
  float priority(float dot) const { return w < 0 ? -dot : dot; }
};

/// Rewards are log-probability gains, and leaving a labeling that hard constraints forbid gains infinity. Learners need
/// finite numbers: a gain of more than this many nats counts as this many.
inline constexpr float kMaxReward = 100;
inline float bounded_reward(float gain) { return std::min(gain, kMaxReward); }

/// Temporal-difference updates (7)-(9): theta += eta * d with d = (target - Q) grad Q and AdaGrad step sizes
/// eta = rate / sqrt(delta + sum of d^2), one for each parameter.
class ValueLearner {
 public:
  ValueLearner(ValueFunction& value, double rate = 1, double delta = 1e-4)
      : value_(&value),
        rate_(static_cast<float>(rate)),
        alpha_squares_(value.alpha.size(), static_cast<float>(delta)),
        w_square_(static_cast<float>(delta)),
        b_square_(static_cast<float>(delta)) {}

  /// Moves Q(phi) towards `target` (the utility U^c - U^b).
  void update(const MetaVector& phi, float target) {
    const float s = sigmoid(value_->dot(phi));
    const float error = target - (value_->w * s + value_->b);
    const float slope = error * value_->w * s * (1 - s);
    for (const auto& [index, x] : phi.entries) step(value_->alpha[index], alpha_squares_[index], slope * x);
    step(value_->w, w_square_, error * s);
    step(value_->b, b_square_, error);
  }

 private:
  void step(float& parameter, float& square, float d) const {
    square += d * d;
    parameter += rate_ / std::sqrt(square) * d;
  }

  ValueFunction* value_;
  float rate_;
  std::vector<float> alpha_squares_;
  float w_square_, b_square_;
};

}  // namespace fovea::sequence
