// SPDX-License-Identifier: Apache-2.0
#include "fovea/graph/colour/graph_gibbs.h"

#include <map>
#include <utility>

namespace fovea::graph {

GraphGibbs::GraphGibbs(const FactorGraph& graph) : graph_(&graph) {
  std::map<std::pair<TableId, std::uint32_t>, std::size_t> rows_of;  // shared tables are stored once
  std::map<TableId, std::size_t> entries_of;
  std::vector<double> unary;
  for (VariableId v = 0; v < graph.variable_count(); ++v) {
    unary.assign(graph.cardinality(v), 0);
    for (const auto& [factor, position] : graph.incidences(v)) {
      const auto table = graph.table(factor);
      const auto scope = graph.scope(factor);
      if (scope.size() == 1) {
        for (std::size_t k = 0; k < unary.size(); ++k) unary[k] += table[k];
      } else if (scope.size() == 2) {
        const auto [at, is_new] = rows_of.try_emplace({graph.table_id(factor), position}, 0);
        if (is_new) at->second = add_rows(graph, factor, position);
        neighbours_.push_back(
            {.variable = scope[1 - position], .stride = static_cast<std::uint32_t>(unary.size()), .rows = at->second});
      } else {
        const auto [at, is_new] = entries_of.try_emplace(graph.table_id(factor), large_entries_.size());
        if (is_new)
          for (const double score : table) large_entries_.push_back(weight_of(score, best_score(table)));
        large_factors_.push_back({.factor = factor, .position = position, .entries = at->second});
      }
    }
    for (const double score : unary) unary_.push_back(weight_of(score, best_score(unary)));
    unary_.resize(unary_begin_.back() + padded(unary.size()), 0);
    unary_begin_.push_back(unary_.size());
    neighbour_begin_.push_back(neighbours_.size());
    large_begin_.push_back(large_factors_.size());
  }
  pair_rows_.resize(pair_rows_.size() + padded(graph.max_cardinality()), 0);
}

/// Appends a table of two variables with the one at `position` varying fastest; returns where it begins.
std::size_t GraphGibbs::add_rows(const FactorGraph& graph, FactorId factor, std::uint32_t position) {
  const auto table = graph.table(factor);
  const auto strides = graph.strides(factor);
  const std::size_t begin = pair_rows_.size();
  const double best = best_score(table);
  const std::size_t rows = graph.cardinality(graph.scope(factor)[1 - position]);
  const std::size_t columns = graph.cardinality(graph.scope(factor)[position]);
  for (std::size_t row = 0; row < rows; ++row)
    for (std::size_t column = 0; column < columns; ++column)
      pair_rows_.push_back(weight_of(table[row * strides[1 - position] + column * strides[position]], best));
  return begin;
}

void GraphGibbs::multiply_large(std::span<const LargeFactor> factors, const Assignment& values,
                                std::span<float> weights) const {
  for (const auto& [factor, position, entries] : factors) {
    const std::size_t stride = graph_->strides(factor)[position];
    const std::size_t at = graph_->entry_index(factor, values) - stride * values[graph_->scope(factor)[position]];
    const float* entry = large_entries_.data() + entries + at;
    for (std::size_t k = 0; k < weights.size(); ++k) weights[k] *= entry[k * stride];
  }
}

}  // namespace fovea::graph
