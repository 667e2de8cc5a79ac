// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>

#include "fovea/graph/model/factor_graph.h"

namespace fovea::graph {

/// Adds tables to a model so that equal ones are stored once, as files of images repeat one table for every edge.
class TablePool {
 public:
  /// `builder` must outlive the pool.
  explicit TablePool(FactorGraph::Builder& builder) : builder_(&builder) {}

  /// The table with these entries (log domain): an earlier one if there is one.
  TableId add(std::span<const double> log_scores);

 private:
  FactorGraph::Builder* builder_;
  std::unordered_multimap<std::uint64_t, TableId> tables_;  // by the hash of their entries
};

}  // namespace fovea::graph
