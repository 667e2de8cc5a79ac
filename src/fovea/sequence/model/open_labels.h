// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "fovea/base/assignment.h"

namespace fovea::sequence {

/// The labels that a cheap model leaves open at each position of a set of label sequences, heaviest first.
class OpenLabels {
 public:
  /// Leaves all positions without labels.
  void reset(std::size_t position_count) {
    ranges_.assign(position_count, {});
    total_ = 0;
  }

  /// Opens, at a position that has none yet, the labels that score at least `least`; among equal scores the lower label
  /// comes first. Scores may be of any domain.
  void open(std::size_t position, std::span<const float> scores, float least);
  /// The same among some labels, each given at most once; `scores` is parallel to them.
  void open(std::size_t position, std::span<const Value> among, std::span<const float> scores, float least);

  std::span<const Value> at(std::size_t position) const {
    const Range range = ranges_[position];
    return {labels_.data() + range.begin, range.count};
  }

  /// Index of the first label of a position in the one array of all positions' labels, for arrays parallel to it.
  std::size_t offset(std::size_t position) const { return ranges_[position].begin; }
  std::size_t total() const { return total_; }

 private:
  Value* room_for(std::size_t count) {
    if (labels_.size() < total_ + count) labels_.resize(2 * (total_ + count));
    return labels_.data() + total_;
  }
  struct Range {
    std::uint32_t begin = 0, count = 0;
  };
  std::vector<Range> ranges_;  // [position]
  std::vector<Value> labels_;  // the first total_ of them are in use
  std::size_t total_ = 0;
};

}  // namespace fovea::sequence
