// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "fovea/sample/clustering/partition.h"

namespace fovea {

/// A PairModel over mentions with discrete attributes (a first name, a place, a set of co-authors, each by the number
/// of its value):
///
///   pair_score(m, n) = bias + sum over attributes a: scores_a[value of m][value of n]
///
/// Mentions are many, their values few: scores of values are found once, and sums over an entity can be kept for each
/// value (entity_sums.h).
class AttributePairs {
 public:
  AttributePairs(std::size_t mentions, double bias) : mentions_(mentions), bias_(bias), lowest_(bias), highest_(bias) {}

  /// values[m] < value_count for each mention m; `scores` is symmetric: [value][value], value_count^2 of them.
  void add_attribute(std::vector<std::uint32_t> values, std::size_t value_count, std::vector<float> scores);

  std::size_t mention_count() const { return mentions_; }
  std::size_t attribute_count() const { return attributes_.size(); }
  double bias() const { return bias_; }
  std::size_t value_count(std::size_t attribute) const { return attributes_[attribute].value_count; }
  std::uint32_t value(std::size_t attribute, MentionId m) const { return attributes_[attribute].values[m]; }
  /// [value]: the scores of pairs of which one has this value.
  std::span<const float> scores(std::size_t attribute, std::uint32_t value) const {
    const Attribute& a = attributes_[attribute];
    return {a.scores.data() + a.value_count * value, a.value_count};
  }

  double pair_score(MentionId m, MentionId n) const {
    double score = bias_;
    for (const Attribute& a : attributes_) score += a.scores[a.value_count * a.values[m] + a.values[n]];
    return score;
  }

  /// No |pair_score| is larger.
  double score_bound() const { return std::max(std::abs(lowest_), std::abs(highest_)); }

 private:
  struct Attribute {
    std::vector<std::uint32_t> values;  // [mention]
    std::size_t value_count = 0;
    std::vector<float> scores;
  };

  std::size_t mentions_;
  double bias_;
  double lowest_, highest_;  // no pair_score is beyond
  std::vector<Attribute> attributes_;
};

}  // namespace fovea
