// SPDX-License-Identifier: Apache-2.0
#include "fovea/graph/format/tables/table_pool.h"

#include <algorithm>
#include <bit>

namespace fovea::graph {
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
  const std::uint64_t hash = hash_of(log_scores);
  const auto [first, last] = tables_.equal_range(hash);
  for (auto it = first; it != last; ++it)
    if (std::ranges::equal(builder_->table(it->second), log_scores)) return it->second;
  return tables_.emplace(hash, builder_->add_table(log_scores))->second;
}

}  // namespace fovea::graph
