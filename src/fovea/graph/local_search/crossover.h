// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "fovea/graph/model/factor_graph.h"

namespace fovea::graph {

/// Partition crossover (Whitley, Hains and Howe 2009; Tinos, Whitley and Chicano 2015): where two assignments differ,
/// the graph falls into connected components that share no factor, so each may take the better of its two versions.
/// With q components the result is the best of 2^q children. On sparse graphs, where searches go wrong in many
/// unrelated places, this keeps the good parts of each. Takes time in proportion to the factors at differing variables.
class PartitionCrossover {
 public:
  /// `graph` must outlive it.
  explicit PartitionCrossover(const FactorGraph& graph);

  /// Changes `parent`, component by component, wherever `other` is better: fewer constraints broken, then a higher
  /// score. Returns the number of components that changed.
  std::size_t improve(std::span<Value> parent, std::span<const Value> other);

 private:
  void collect_component(VariableId seed, std::span<const Value> parent, std::span<const Value> other);
  bool other_is_better(std::span<const Value> parent, std::span<const Value> other);

  const FactorGraph* graph_;
  std::vector<std::uint8_t> seen_;     // [variable]
  std::vector<std::uint8_t> counted_;  // [factor]
  std::vector<VariableId> component_;
  std::vector<FactorId> factors_;
};

}  // namespace fovea::graph
