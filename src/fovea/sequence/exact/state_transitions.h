// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "fovea/sequence/exact/sequence_states.h"

namespace fovea::sequence::internal {

/// SequenceStates::next as a table: one look-up instead of a search. A state that no state continues leads where its
/// fail link leads, so a row is stored only for the others, about (number of states) / K of them.
class StateTransitions {
 public:
  void bind(const SequenceStates& states) {
    labels_ = states.ngrams().label_count();
    row_of_state_.resize(states.count());
    next_.clear();
    for (std::uint32_t s = 0; s < states.count(); ++s) {
      row_of_state_[s] = s == 0 ? 0 : row_of_state_[states.fail(s)];
      if (states.child_begin(s) == states.child_begin(s + 1)) continue;
      const std::size_t row = next_.size(), fail = std::size_t{row_of_state_[s]} * labels_;
      next_.resize(row + labels_);
      if (s != 0) std::copy_n(next_.begin() + fail, labels_, next_.begin() + row);
      for (std::uint32_t c = states.child_begin(s); c < states.child_begin(s + 1); ++c)
        next_[row + states.last(states.child(c))] = states.child(c);
      row_of_state_[s] = static_cast<std::uint32_t>(row / labels_);
    }
  }

  std::uint32_t next(std::uint32_t state, std::uint32_t label) const {
    return next_[std::size_t{row_of_state_[state]} * labels_ + label];
  }

 private:
  std::size_t labels_ = 0;
  std::vector<std::uint32_t> row_of_state_;
  std::vector<std::uint32_t> next_;  // [row][label]
};

}  // namespace fovea::sequence::internal
