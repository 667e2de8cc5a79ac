// SPDX-License-Identifier: Apache-2.0
#include "fovea/graph/simplify/value_dominance.h"

#include <algorithm>
#include <limits>

#include "fovea/base/log_math.h"

namespace fovea::graph {
namespace {

/// One factor's table, rearranged: row k holds the scores of v = k, one for each joint value of the others.
struct ValueRows {
  std::vector<double> scores = {};
  std::size_t length = 0;
  std::vector<std::size_t> best = {};  // [value]: where its row is highest

  const double* row(std::size_t value) const { return scores.data() + value * length; }
};

ValueRows value_rows(const MutableGraph& graph, const MutableGraph::Factor& factor, VariableId v) {
  const std::size_t values = graph.cardinalities()[v];
  std::size_t stride = 1;
  for (std::size_t i = factor.scope.size(); factor.scope[--i] != v;) stride *= graph.cardinalities()[factor.scope[i]];
  ValueRows rows;
  rows.length = factor.table->size() / values;
  rows.scores.reserve(factor.table->size());
  for (std::size_t k = 0; k < values; ++k)
    for (std::size_t begin = k * stride; begin < factor.table->size(); begin += values * stride)
      for (std::size_t i = 0; i < stride; ++i) rows.scores.push_back((*factor.table)[begin + i]);
  for (std::size_t k = 0; k < values; ++k)
    rows.best.push_back(
        static_cast<std::size_t>(std::max_element(rows.row(k), rows.row(k) + rows.length) - rows.row(k)));
  return rows;
}

class Comparison {
 public:
  Comparison(const MutableGraph& graph, VariableId v) {
    for (const FactorId f : graph.factors_of(v)) factors_.push_back(value_rows(graph, graph.factor(f), v));
  }

  bool is_possible(std::size_t value) const {
    return std::ranges::all_of(factors_,
                               [&](const ValueRows& rows) { return rows.row(value)[rows.best[value]] > kImpossible; });
  }

  bool dominates(std::size_t a, std::size_t b) const { return lead_where_best(a, b) >= 0 && least_lead(a, b) >= 0; }

 private:
  /// How far a leads where b's rows are highest: no less than least_lead, and far cheaper.
  double lead_where_best(std::size_t a, std::size_t b) const {
    double lead = 0;
    for (const ValueRows& rows : factors_) lead += rows.row(a)[rows.best[b]] - rows.row(b)[rows.best[b]];
    return lead;
  }

  double least_lead(std::size_t a, std::size_t b) const {
    double lead = 0;
    for (const ValueRows& rows : factors_) {
      double least = std::numeric_limits<double>::infinity();
      for (std::size_t i = 0; i < rows.length; ++i)
        if (rows.row(b)[i] != kImpossible) least = std::min(least, rows.row(a)[i] - rows.row(b)[i]);
      lead += least;
    }
    return lead;
  }

  std::vector<ValueRows> factors_;
};

}  // namespace

ValueComparison compare_values(const MutableGraph& graph, VariableId v, const Stop& stop) {
  const Comparison comparison(graph, v);
  const auto values = static_cast<Value>(graph.cardinalities()[v]);
  ValueComparison result;
  for (Value k = 0; k < values; ++k)
    if (comparison.is_possible(k)) result.kept.push_back(k);
  const std::vector<Value> candidates = result.kept;
  for (const Value b : candidates) {
    if (stop.requested()) break;
    const auto dominator =
        std::ranges::find_if(result.kept, [&](Value a) { return a != b && comparison.dominates(a, b); });
    if (dominator == result.kept.end()) continue;
    result.dominated.emplace_back(b, *dominator);
    std::erase(result.kept, b);
  }
  return result;
}

}  // namespace fovea::graph
