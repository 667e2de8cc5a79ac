// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "fovea/synthesis/formula_search/atom_space.h"

namespace fovea::synthesis {

/// Rows of integers, 64 to a word of bits: columns[variable * 64 * words + row].
struct RowColumns {
  const std::int64_t* columns;
  std::size_t words;
};

/// One variable of a form and its coefficient, which is not 0.
struct FormTerm {
  std::size_t variable;
  std::int64_t coefficient;
};

/// Writes to set[word] a 1 for each row at which the sum of the terms has this relation to `bound`, which is below the
/// largest number. Vectorised; sums wrap around at 64 bits. O(rows * terms).
void compare_rows(const RowColumns& rows, std::span<const FormTerm> terms, Relation relation, std::int64_t bound,
                  std::uint64_t* set);

}  // namespace fovea::synthesis
