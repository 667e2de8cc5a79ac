// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "fovea/graph/conditional_model.h"

namespace fovea {

/// The labels that a cheap model leaves open at each position of a set of chains, heaviest first.
class OpenLabels {
 public:
  /// All positions without labels.
  void reset(std::size_t position_count) {
    ranges_.assign(position_count, {});
    labels_.clear();
  }

  /// Opens, at a position that has none yet, the labels that score at least `least`; of equal scores the lower label
  /// comes first. Scores of any domain.
  void open(std::size_t position, std::span<const float> scores, float least) {
    const std::size_t begin = labels_.size();
    labels_.resize(begin + scores.size());
    std::size_t end = begin;
    for (std::size_t k = 0; k < scores.size(); ++k) {  // without branches: few are open, and where is no pattern
      labels_[end] = static_cast<Value>(k);
      end += scores[k] >= least;
    }
    labels_.resize(end);
    sort_by_score(std::span(labels_).subspan(begin), scores);
    ranges_[position] = {static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end - begin)};
  }

  std::span<const Value> at(std::size_t position) const {
    const Range range = ranges_[position];
    return {labels_.data() + range.begin, range.count};
  }

 private:
  /// By insertion: there are few.
  static void sort_by_score(std::span<Value> labels, std::span<const float> scores) {
    for (std::size_t i = 1; i < labels.size(); ++i) {
      const Value label = labels[i];
      std::size_t j = i;
      for (; j > 0 && scores[labels[j - 1]] < scores[label]; --j) labels[j] = labels[j - 1];
      labels[j] = label;
    }
  }

  struct Range {
    std::uint32_t begin = 0, count = 0;
  };
  std::vector<Range> ranges_;  // [position]
  std::vector<Value> labels_;
};

}  // namespace fovea
