// SPDX-License-Identifier: Apache-2.0
// How GridModel::detect recognises a grid in a factor graph.
#include <algorithm>
#include <vector>

#include "fovea/graph/grid/grid_model.h"

namespace fovea::graph {
namespace {

/// The shape whose edges the neighbours of variable 0 suggest: {1, columns} in a grid, {1, columns - 1, columns, last
/// row} in a torus.
std::optional<GridShape> suggested_shape(const FactorGraph& graph) {
  const std::size_t cells = graph.variable_count();
  if (cells == 0) return std::nullopt;
  const auto around = graph.markov_blanket(0);
  GridShape shape;
  if (around.size() == 1) shape = {.rows = 1, .columns = cells};
  else if (around.size() == 2) shape = {.columns = around[1]};
  else if (around.size() == 4) shape = {.columns = around[2], .is_torus = true};
  else return std::nullopt;
  shape.rows = cells / shape.columns;
  const bool fits = shape.cells() == cells && (!shape.is_torus || (shape.rows % 2 == 0 && shape.columns % 2 == 0));
  return fits ? std::optional(shape) : std::nullopt;
}

/// Sorts the pairs of a graph into edges along and across the lines of a grid.
class EdgeSorter {
 public:
  EdgeSorter(const FactorGraph& graph, const GridShape& shape)
      : graph_(graph), shape_(shape), seen_(2 * shape.cells()), labels_(graph.max_cardinality()) {}

  /// False if the pair is not an edge of the grid, occurs twice, or has a different table from the edges before it.
  bool accept(FactorId factor) {
    const VariableId a = graph_.scope(factor)[0], b = graph_.scope(factor)[1];
    for (const std::size_t across : {0u, 1u}) {
      if (next(a, across) == b) return accept(factor, a, across, false);
      if (next(b, across) == a) return accept(factor, b, across, true);
    }
    return false;
  }

  /// True if every edge has occurred.
  bool complete() const {
    const std::size_t along = shape_.rows * (shape_.columns - !shape_.is_torus);
    const std::size_t across = shape_.columns * (shape_.rows - !shape_.is_torus);
    return static_cast<std::size_t>(std::ranges::count(seen_, true)) == along + across;
  }

  /// [0] along, [1] across, as GridModel takes them; zeros if there is no such edge.
  std::vector<float> table(std::size_t across) const {
    const std::size_t entries = labels_ * labels_;
    return tables_[across].empty() ? std::vector<float>(entries) : tables_[across];
  }

 private:
  /// The cell to the right of `cell`, or below it; kNone beyond the border.
  std::size_t next(std::size_t cell, std::size_t across) const {
    constexpr std::size_t kNone = ~std::size_t{0};
    const std::size_t row = cell / shape_.columns, column = cell % shape_.columns;
    if (!shape_.is_torus && (across ? row + 1 == shape_.rows : column + 1 == shape_.columns)) return kNone;
    return across ? (row + 1) % shape_.rows * shape_.columns + column
                  : row * shape_.columns + (column + 1) % shape_.columns;
  }

  bool accept(FactorId factor, std::size_t first, std::size_t across, bool is_reversed) {
    if (seen_[2 * first + across]) return false;
    seen_[2 * first + across] = true;
    const Source source = {.table = graph_.table_id(factor), .is_reversed = is_reversed, .is_known = true};
    if (source == known_[across]) return true;  // the usual case: a shared table is read once
    const std::span<const double> entries = graph_.table(factor);
    std::vector<float> oriented(entries.size());
    for (std::size_t a = 0; a < labels_; ++a)
      for (std::size_t b = 0; b < labels_; ++b)
        oriented[is_reversed ? b * labels_ + a : a * labels_ + b] = static_cast<float>(entries[a * labels_ + b]);
    if (tables_[across].empty()) tables_[across] = oriented;
    known_[across] = source;
    return tables_[across] == oriented;
  }

  struct Source {
    TableId table = 0;
    bool is_reversed = false;
    bool is_known = false;
    friend bool operator==(const Source&, const Source&) = default;
  };

  const FactorGraph& graph_;
  GridShape shape_;
  std::vector<bool> seen_;  // [cell][along or across]
  std::size_t labels_;
  std::vector<float> tables_[2];
  Source known_[2];  // the last table that was found equal
};

bool has_one_cardinality(const FactorGraph& graph) {
  return std::ranges::all_of(graph.cardinalities(), [&](std::size_t n) { return n == graph.max_cardinality(); });
}

}  // namespace

std::optional<GridModel> GridModel::detect(const FactorGraph& graph) {
  const std::size_t labels = graph.max_cardinality();
  const std::optional<GridShape> shape = suggested_shape(graph);
  if (!shape || labels > kMaxLabels || graph.max_arity() != 2 || !has_one_cardinality(graph)) return std::nullopt;
  EdgeSorter edges(graph, *shape);
  std::vector<float> unary;
  for (FactorId f = 0; f < graph.factor_count(); ++f) {
    const auto scope = graph.scope(f);
    if (scope.size() == 2 && !edges.accept(f)) return std::nullopt;
    if (scope.size() != 1) continue;
    unary.resize(shape->cells() * labels);
    for (std::size_t k = 0; k < labels; ++k) unary[scope[0] * labels + k] += static_cast<float>(graph.table(f)[k]);
  }
  if (!edges.complete()) return std::nullopt;
  return GridModel(*shape, labels, unary, edges.table(0), edges.table(1));
}

}  // namespace fovea::graph
