// SPDX-License-Identifier: Apache-2.0
#include "fovea/graph/branch_and_bound/subproblem_bounds.h"

#include <algorithm>

namespace fovea::graph {

SubproblemBounds::SubproblemBounds(const PseudoTree& tree, const std::vector<ScopedTable>& factors)
    : tree_(&tree), own_(tree.root() + std::size_t{1}), below_(tree.root()) {
  for (const ScopedTable& factor : factors) {
    const VariableId v = tree.lowest(factor.scope);
    add(factor, v, own_[v]);
  }
}

void SubproblemBounds::set_bounds(const MiniBuckets& buckets) {
  below_.assign(tree_->root(), {});
  for (const MiniBuckets::Message& message : buckets.messages())
    for (VariableId v = message.from;; v = tree_->parent(v)) {
      add(message.table, tree_->parent(v), below_[v]);
      if (tree_->parent(v) == message.to) break;
    }
}

void SubproblemBounds::add(const ScopedTable& table, VariableId along, Rows& rows) const {
  Row row{.entries = table.entries.data(), .begin = static_cast<std::uint32_t>(rows.terms.size())};
  std::size_t stride = 1;
  for (std::size_t i = table.scope.size(); i-- > 0; stride *= tree_->cardinalities()[table.scope[i]])
    if (table.scope[i] == along) row.stride = stride;
    else rows.terms.push_back({.variable = table.scope[i], .stride = stride});
  row.end = static_cast<std::uint32_t>(rows.terms.size());
  rows.rows.push_back(row);
}

void SubproblemBounds::sum_rows(const Rows& rows, std::span<const Value> values, std::span<double> sums) {
  double constant = 0;
  std::ranges::fill(sums, 0.0);
  for (const Row& row : rows.rows) {
    const double* entry = row.entries;
    for (std::uint32_t t = row.begin; t < row.end; ++t) entry += rows.terms[t].stride * values[rows.terms[t].variable];
    if (row.stride == 0) {
      constant += *entry;
      continue;
    }
    for (double& sum : sums) {
      sum += *entry;
      entry += row.stride;
    }
  }
  for (double& sum : sums) sum += constant;
}

}  // namespace fovea::graph
