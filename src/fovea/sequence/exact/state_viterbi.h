// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include "fovea/sequence/exact/state_plan.h"

namespace fovea::sequence::internal {

/// The forward pass of Viterbi over SequenceStates in single precision.
class StateViterbi {
 public:
  /// Adopts new scores; structure_changed: the negated result of SequenceStates::rebind.
  void bind(const SequenceStates& states, bool structure_changed);

  /// unary: [token][stride], log domain, 64-byte aligned; length >= 1. Afterwards alpha(t)[slot_of(s)] is the best
  /// score of the tokens up to t that ends in s, minus a constant of t.
  void forward(const float* unary, std::size_t length);

  const float* alpha(std::size_t t) const { return alpha_.data() + t * plan_.row_size; }
  std::uint32_t slot_of(std::uint32_t state) const { return plan_.slot_of_state[state]; }
  std::uint32_t state_of(std::size_t slot) const { return plan_.state_of_slot[slot]; }
  /// Number of slots; those past the number of states hold -inf.
  std::size_t row_size() const { return plan_.row_size; }

 private:
  StatePlan plan_;
  AlignedVector<float> rows_, passes_, tables_, alpha_;
};

}  // namespace fovea::sequence::internal
