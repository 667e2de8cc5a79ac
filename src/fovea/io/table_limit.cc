// SPDX-License-Identifier: Apache-2.0
#include "fovea/io/table_limit.h"

#include <fmt/format.h>

namespace fovea {

std::size_t TableLimit::add(std::span<const std::uint32_t> cardinalities, const InputLocation& location) {
  std::size_t entries = 1;
  bool fits = entries <= entries_left_;
  for (const std::uint32_t cardinality : cardinalities) {
    fits = fits && cardinality <= entries_left_ / entries;
    if (fits) entries *= cardinality;
  }
  if (!fits)
    throw InputError(location, fmt::format("the tables have more than {} entries together", kMaxEntries),
                     "Split functions of many variables, or share those that are equal");
  entries_left_ -= entries;
  return entries;
}

}  // namespace fovea
