// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>

#include "fovea/linkage/clustering/record_features.h"

namespace fovea::linkage {

/// How much a proposal for a record is expected to bring:
///
///   gain = exp(bias + age a + age^2 a^2 + alone [s = 0] + alone, age a [s = 0] + size s + gained [gained] + lost
///   [lost]
///              + crowd c + crowd, age c a)
///
/// with the classes a, s and the news of RecordFeatures, and c = log2 of the number of all records, the crowd. Gain
/// is counted in moves that improve the score, less those that worsen it: a record to be settled weighs the same in
/// small clusters and in large ones, and in models whose scores differ by a factor. Among many records it takes more
/// proposals until one finds its cluster: that is what the last term says.
struct RecordRule {
  static constexpr std::size_t kWeights = 10;
  using Numbers = std::array<double, kWeights>;

  Numbers weights{};  ///< in the order of the formula

  /// What the weights are multiplied with.
  static Numbers terms(const RecordFeatures& features, double crowd) {
    const auto age = static_cast<double>(features.age), size = static_cast<double>(features.size);
    const double alone = features.size == 0;
    const double gained = features.news == RecordFeatures::News::kGained;
    const double lost = features.news == RecordFeatures::News::kLost;
    return {1, age, age * age, alone, alone * age, size, gained, lost, crowd, crowd * age};
  }

  /// Made by hand: 1 / proposals refused, and those whose cluster lost a record first.
  static RecordRule hot();
  /// Learned (linkage/clustering/record_rule_learner.h) from 100,000 records that the program itself made up, and
  /// nothing else.
  static RecordRule learned();

  double log_gain(const RecordFeatures& features, double crowd) const {
    const Numbers x = terms(features, crowd);
    double sum = 0;
    for (std::size_t i = 0; i < kWeights; ++i) sum += weights[i] * x[i];
    return sum;
  }
};

}  // namespace fovea::linkage
