// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "fovea/base/error.h"

namespace fovea::graph {

/// Guards readers of formats in which a few bytes can stand for a large table (a default, a formula): counts the
/// entries that no number in the file stands for and refuses a model with more than kMaxImpliedEntries of them, before
/// memory is taken.
class TableLimit {
 public:
  static constexpr std::size_t kMaxImpliedEntries = std::size_t{1} << 26;

  /// The number of entries of a table over variables of these cardinalities (the empty product is 1), `stored` of which
  /// the file spells out. Throws InputError.
  std::size_t add(std::span<const std::uint32_t> cardinalities, std::size_t stored, const InputLocation& location);

 private:
  std::size_t entries_left_ = kMaxImpliedEntries;
};

}  // namespace fovea::graph
