// SPDX-License-Identifier: Apache-2.0
#include "fovea/graph/format/tables/table_limit.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

namespace fovea::graph {

std::size_t TableLimit::add(std::span<const std::uint32_t> cardinalities, std::size_t stored,
                            const InputLocation& location) {
  constexpr std::size_t kMaxTable = std::numeric_limits<std::uint32_t>::max();
  std::size_t entries = 1;
  for (const std::uint32_t cardinality : cardinalities) entries = std::min(entries * cardinality, kMaxTable + 1);
  const std::size_t implied = entries - std::min(stored, entries);
  if (entries > kMaxTable || implied > entries_left_)
    throw InputError(location,
                     fmt::format("a table of {}{} entries; those that the file does not spell out may be {} in all",
                                 entries > kMaxTable ? "at least " : "", entries, kMaxImpliedEntries),
                     "Split functions of many variables, or share those that are equal");
  entries_left_ -= implied;
  return entries;
}

}  // namespace fovea::graph
