// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <numbers>

#include "fovea/linkage/clustering/record_features.h"

namespace fovea::linkage {

/// Rule for the expected gain of a proposal for a record:
///
///   gain = exp(bias + age a + age^2 a^2 + alone [s = 0] + alone, age a [s = 0] + size s + gained [gained]
///              + lost [lost] + crowd c + crowd, age c a)
///
/// Here a and s are the classes of age and size and [gained], [lost] the news of RecordFeatures; c, the crowd, is log2
/// of the number of all records. Gain counts moves that improve the score, minus moves that worsen it: an unsettled
/// record weighs the same in small and large clusters, and in models whose scores differ by a factor. Among many
/// records it takes more proposals until a record finds its cluster; the last term accounts for this.
struct RecordRule {
  static constexpr std::size_t kWeights = 10;
  using Numbers = std::array<double, kWeights>;

  Numbers weights{};  ///< in the order of the formula

  /// Terms that the weights are multiplied by.
  static Numbers terms(const RecordFeatures& features, double crowd) {
    const auto age = static_cast<double>(features.age), size = static_cast<double>(features.size);
    const double alone = features.size == 0;
    const double gained = features.news == RecordFeatures::News::kGained;
    const double lost = features.news == RecordFeatures::News::kLost;
    return {1, age, age * age, alone, alone * age, size, gained, lost, crowd, crowd * age};
  }

  /// Rule made by hand: 1 / proposals refused, and first those whose cluster lost a record.
  static RecordRule hot() { return {.weights = {0, -std::numbers::ln2, 0, 0, 0, 0, 0, 2, 0, 0}}; }
  /// Rule learned (linkage/clustering/record_rule_learner.h) from 100,000 records that the program itself generated,
  /// and from nothing else.
  static RecordRule learned() {
    return {.weights = {-0.4216, -0.8749, -0.2976, -0.4316, 0.2985, -0.4882, -0.1445, 0.3617, 0.0947, 0.1141}};
  }

  double log_gain(const RecordFeatures& features, double crowd) const {
    const Numbers x = terms(features, crowd);
    double sum = 0;
    for (std::size_t i = 0; i < kWeights; ++i) sum += weights[i] * x[i];
    return sum;
  }
};

}  // namespace fovea::linkage
