// SPDX-License-Identifier: Apache-2.0
#include "fovea/graph/branch_and_bound/pseudo_tree.h"

#include <algorithm>

#include "fovea/base/error.h"

namespace fovea::graph {

PseudoTree::PseudoTree(const FactorGraph& graph, std::span<const VariableId> order, std::size_t max_context_size,
                       const Stop& stop)
    : cardinalities_(graph.cardinalities().begin(), graph.cardinalities().end()),
      position_(order.size()),
      parents_(order.size()),
      top_down_(order.rbegin(), order.rend()),
      children_(order.size() + 1),
      contexts_(order.size()) {
  FOVEA_CHECK(order.size() == graph.variable_count());
  cardinalities_.push_back(1);
  for (std::size_t i = 0; i < order.size(); ++i) position_[order[i]] = i;
  const auto is_higher = [&](VariableId a, VariableId b) { return position_[a] > position_[b]; };
  std::size_t context_size = 0;
  for (const VariableId v : order) {
    if (stop.requested()) throw LimitError("the search tree of branch and bound took too long to set up");
    std::vector<VariableId>& context = contexts_[v];
    for (const VariableId other : graph.markov_blanket(v))
      if (is_higher(other, v)) context.push_back(other);
    for (const VariableId child : children_[v])
      for (const VariableId other : contexts_[child])
        if (other != v) context.push_back(other);
    std::ranges::sort(context, is_higher);
    context.erase(std::unique(context.begin(), context.end()), context.end());
    context.shrink_to_fit();
    parents_[v] = context.empty() ? root() : context.back();
    children_[parents_[v]].push_back(v);
    if ((context_size += context.size()) > max_context_size)
      throw LimitError("the model is too densely connected for branch and bound in this memory");
  }
}

VariableId PseudoTree::lowest(std::span<const VariableId> variables) const {
  if (variables.empty()) return root();
  return *std::ranges::min_element(variables, {}, [&](VariableId v) { return position_[v]; });
}

}  // namespace fovea::graph
