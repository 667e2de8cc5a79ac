// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "fovea/base/error.h"

namespace fovea {

/// Guards readers of formats in which a few bytes can stand for a large table (a default, a formula): counts the
/// entries of all tables and refuses a model of more than kMaxEntries, before memory is taken for them.
class TableLimit {
 public:
  static constexpr std::size_t kMaxEntries = std::size_t{1} << 26;

  /// The number of entries of a table over variables of these cardinalities; the empty product is 1. Throws InputError.
  std::size_t add(std::span<const std::uint32_t> cardinalities, const InputLocation& location);

 private:
  std::size_t entries_left_ = kMaxEntries;
};

}  // namespace fovea
