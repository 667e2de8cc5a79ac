// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <string_view>

#include "fovea/sample/clustering/mention_features.h"

namespace fovea {

/// How much a proposal for a mention is expected to bring:
///
///   gain = exp(bias + age a + age^2 a^2 + alone [s = 0] + alone, age a [s = 0] + size s + gained [gained] + lost
///   [lost]
///              + crowd c + crowd, age c a)
///
/// with the classes a, s and the news of MentionFeatures, and c = log2 of the number of all mentions. Gain is counted
/// in moves that improve the score, less those that worsen it: a mention to be settled weighs the same in small
/// entities and in large ones, and in models whose scores differ by a factor. Among many mentions it takes more
/// proposals until one finds its entity: that is what the last term says.
struct MentionRule {
  static constexpr std::size_t kWeights = 10;
  using Numbers = std::array<double, kWeights>;

  Numbers weights{};  ///< in the order of the formula

  /// What the weights are multiplied with.
  static Numbers terms(const MentionFeatures& features, std::size_t mentions);

  /// Made by hand: 1 / proposals refused, and those whose entity lost a mention first.
  static MentionRule hot();
  /// Learned (policy/mention_rule_learner.h) from 100,000 mentions that the program itself made up, and nothing else.
  static MentionRule learned();

  double log_gain(const MentionFeatures& features, std::size_t mentions) const;
};

}  // namespace fovea
