// SPDX-License-Identifier: Apache-2.0
#include "fovea/graph/format/tables/table_pool.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
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
                     fmt::format("a table of {}{} entries; those not spelled out are limited to {} in all",
                                 entries > kMaxTable ? "at least " : "", entries, kMaxImpliedEntries),
                     "Split functions of many variables, or share those that are equal");
  entries_left_ -= implied;
  return entries;
}

namespace {

std::uint64_t hash_of(std::span<const double> entries) {
  std::uint64_t hash = entries.size();
  for (const double entry : entries) {
    hash = (hash ^ std::bit_cast<std::uint64_t>(entry)) * 0x9E3779B97F4A7C15u;
    hash ^= hash >> 32;
  }
  return hash;
}

}  // namespace

TableId TablePool::add(std::span<const double> log_scores) {
  for (std::uint64_t hash = hash_of(log_scores);; ++hash) {
    const auto [place, is_new] = tables_.try_emplace(hash, TableId{0});
    if (is_new) return place.value() = builder_->add_table(log_scores);
    if (std::ranges::equal(builder_->table(place->second), log_scores)) return place->second;
  }
}

}  // namespace fovea::graph
