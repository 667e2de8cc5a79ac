// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

namespace fovea::sequence {

/// (label_count + 1)^(factor_size - 1): what the other labels of a window can be, pads included. Tables of label
/// n-grams hold a row number for each. Throws UsageError if factor_size is outside [1, kMaxFactorSize], or if there are
/// more contexts than LabelNgrams::kMaxContexts.
std::size_t label_context_count(int label_count, int factor_size);

}  // namespace fovea::sequence
