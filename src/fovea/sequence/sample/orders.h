// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "fovea/sequence/model/label_sequences.h"

namespace fovea::sequence {

/// Positions of all tokens, left to right, sequence by sequence.
std::vector<VariableId> left_to_right_order(const LabelSequences& sequences);

/// Positions of all tokens in colour order: first those = 0 modulo the factor size, then = 1, and so on. Within a
/// colour no two positions share a window (the pads are a factor size minus one wide), so their conditionals are
/// independent.
std::vector<VariableId> colour_order(const LabelSequences& sequences);

}  // namespace fovea::sequence
