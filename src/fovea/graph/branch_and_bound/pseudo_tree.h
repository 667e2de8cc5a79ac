// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "fovea/base/run_control.h"
#include "fovea/graph/model/factor_graph.h"

namespace fovea::graph {

/// A pseudo tree of a model: every factor's variables lie on one path from the root, so that, once a variable and those
/// above it are fixed, the subtrees below it are independent problems (Dechter & Mateescu, AND/OR search spaces, 2007).
/// Built from an elimination order: a variable's parent is the first to be eliminated among the variables that its
/// elimination joins. A root with a single value, numbered variable_count(), lies above all components.
class PseudoTree {
 public:
  /// order: every variable once, in the order of elimination. Throws LimitError if the contexts together would have
  /// more than `max_context_size` variables, or if `stop` was requested.
  PseudoTree(const FactorGraph& graph, std::span<const VariableId> order, std::size_t max_context_size,
             const Stop& stop = {});

  VariableId root() const { return static_cast<VariableId>(parents_.size()); }
  /// Cardinalities of all variables and of the root, which has one value.
  std::span<const std::uint32_t> cardinalities() const { return cardinalities_; }
  VariableId parent(VariableId v) const { return parents_[v]; }
  /// Children of v, which may be the root.
  std::span<const VariableId> children(VariableId v) const { return children_[v]; }
  /// The ancestors on which the subtree of v depends, last eliminated first; the root is not among them.
  std::span<const VariableId> context(VariableId v) const { return contexts_[v]; }
  /// All variables, each after its parent.
  std::span<const VariableId> top_down() const { return top_down_; }
  /// The lowest of these variables, which lie on one path; the root if `variables` is empty.
  VariableId lowest(std::span<const VariableId> variables) const;

 private:
  std::vector<std::uint32_t> cardinalities_;
  std::vector<std::size_t> position_;  // [variable]: in the elimination order
  std::vector<VariableId> parents_, top_down_;
  std::vector<std::vector<VariableId>> children_;  // [variable or root]
  std::vector<std::vector<VariableId>> contexts_;
};

}  // namespace fovea::graph
