// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tsl/robin_map.h>

#include <cstddef>
#include <cstdint>
#include <span>

#include "fovea/base/error.h"
#include "fovea/graph/model/factor_graph.h"

namespace fovea::graph {

/// Guards readers of formats in which a few bytes can stand for a large table (a default, a formula): counts the
/// entries that no number in the file stands for and refuses a model with more than kMaxImpliedEntries of them, before
/// memory is allocated.
class TableLimit {
 public:
  static constexpr std::size_t kMaxImpliedEntries = std::size_t{1} << 26;

  /// Returns the number of entries of a table over variables of these cardinalities (the empty product is 1), `stored`
  /// of which the file spells out. Throws InputError.
  std::size_t add(std::span<const std::uint32_t> cardinalities, std::size_t stored, const InputLocation& location);

 private:
  std::size_t entries_left_ = kMaxImpliedEntries;
};

/// Adds tables to a model so that equal ones are stored once, as files of images repeat one table for every edge.
class TablePool {
 public:
  /// `builder` must outlive the pool.
  explicit TablePool(FactorGraph::Builder& builder) : builder_(&builder) {}

  /// Returns the table with these entries (log domain): an earlier one if it is equal.
  TableId add(std::span<const double> log_scores);

 private:
  FactorGraph::Builder* builder_;
  tsl::robin_map<std::uint64_t, TableId> tables_;  // by the hash of their entries, or the first free number after it
};

}  // namespace fovea::graph
