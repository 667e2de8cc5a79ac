// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "fovea/base/random.h"
#include "fovea/graph/colour/linear_weights.h"
#include "fovea/graph/model/factor_graph.h"
#include "fovea/mcmc/target_law.h"

namespace fovea::graph {

/// Single-site Gibbs sampling on any factor graph:
///
///   p(y_v = k | rest)  ~  prod_f exp(table_f(y_-v, y_v = k))
///
/// Weights are multiplied in the linear domain, in float: every table is stored as exp(score - its best), so that no
/// exponential is taken while sampling. If the products are too small, they are computed again as logarithms in double;
/// if the neighbours leave no value at all (a broken hard constraint), v keeps its value. Tables of two variables are
/// stored once for each direction, so that a neighbour's value selects a row; tables of one variable are multiplied
/// together.
///
/// A batch is visited in its order. Consecutive visits that do not depend on each other overlap in the processor: a
/// visit in colour order (graph/model/graph_colouring.h) takes a fraction of the time that it takes in row order.
/// Thread-safe: visits write only to the caller's values.
class GraphGibbs {
 public:
  using TargetLaw = mcmc::Invariant;

  /// `graph` must outlive the kernel.
  explicit GraphGibbs(const FactorGraph& graph);

  /// Resamples the variables of the batch, one after the other.
  template <class R>
  void step(Assignment& values, std::span<const VariableId> batch, R& random) const;

 private:
  struct Neighbour {
    VariableId variable = 0;
    std::uint32_t stride = 0;  // entries in a row
    std::size_t rows = 0;      // of pair_rows_: [value of `variable`][value]
  };
  struct LargeFactor {
    FactorId factor = 0;
    std::uint32_t position = 0;
    std::size_t entries = 0;  // of large_entries_, in the order of the factor's table
  };
  /// Number of values in a lane; rows are processed in whole lanes. Everything beyond a variable's own values has
  /// weight 0, whatever the rows hold there: the next row, or zeros.
  static constexpr std::size_t kLanes = 8;
  static std::size_t padded(std::size_t cardinality) { return (cardinality + kLanes - 1) / kLanes * kLanes; }

  std::size_t add_rows(const FactorGraph& graph, FactorId factor, std::uint32_t position);
  void multiply_large(std::span<const LargeFactor> factors, const Assignment& values, std::span<float> weights) const;

  template <std::size_t kExtent, class R>
  void visit(VariableId v, Assignment& values, std::span<float, kExtent> weights, std::span<float, kExtent> cumulative,
             R& random) const;

  const FactorGraph* graph_;
  std::vector<std::size_t> unary_begin_{0};      // [variable + 1]
  std::vector<float> unary_;                     // products of the variable's unary tables, padded with 0
  std::vector<std::size_t> neighbour_begin_{0};  // [variable + 1]
  std::vector<Neighbour> neighbours_;
  std::vector<float> pair_rows_;
  std::vector<std::size_t> large_begin_{0};  // [variable + 1]
  std::vector<LargeFactor> large_factors_;
  std::vector<float> large_entries_;
};

namespace internal {

/// Draws one of the values with these weights, whose running sums are `cumulative`; the last sum is positive. Padding
/// has weight 0. Has no branches where the stream allows it.
template <class R>
Value draw_value(R& random, std::span<const float> weights, std::span<const float> cumulative) {
  if constexpr (requires { random.threshold(1.0f); }) {
    const float target = random.threshold(cumulative.back());
    std::uint32_t value = 0;
    for (const float sum : cumulative) value += sum <= target;
    value = std::min(value, static_cast<std::uint32_t>(weights.size() - 1));
    while (!(weights[value] > 0)) --value;  // rounding may lead past the last possible value
    return static_cast<Value>(value);
  } else {
    return static_cast<Value>(random.categorical(weights));
  }
}

}  // namespace internal

template <std::size_t kExtent, class R>
void GraphGibbs::visit(VariableId v, Assignment& values, std::span<float, kExtent> weights,
                       std::span<float, kExtent> cumulative, R& random) const {
  const auto accumulate = [&] {
    float sum = 0;
    for (std::size_t k = 0; k < weights.size(); ++k) cumulative[k] = sum += weights[k];
    return sum;
  };
  std::copy_n(unary_.data() + unary_begin_[v], weights.size(), weights.begin());
  for (std::size_t i = neighbour_begin_[v]; i < neighbour_begin_[v + 1]; ++i) {
    const Neighbour& neighbour = neighbours_[i];
    const float* row = pair_rows_.data() + neighbour.rows + std::size_t{neighbour.stride} * values[neighbour.variable];
    for (std::size_t k = 0; k < weights.size(); ++k) weights[k] *= row[k];
  }
  if (large_begin_[v] < large_begin_[v + 1])
    multiply_large({large_factors_.data() + large_begin_[v], large_begin_[v + 1] - large_begin_[v]}, values,
                   weights.first(graph_->cardinality(v)));
  if (accumulate() < kTooSmallWeight) {
    if (!weigh_by_scores(*graph_, v, values, weights.first(graph_->cardinality(v)))) return;
    accumulate();
  }
  values[v] = internal::draw_value(random, std::span<const float>(weights), std::span<const float>(cumulative));
}

template <class R>
void GraphGibbs::step(Assignment& values, std::span<const VariableId> batch, R& random) const {
  std::vector<float> weights(2 * padded(graph_->max_cardinality()));
  const std::span<float> sums = std::span(weights).subspan(weights.size() / 2);
  for (const VariableId v : batch) {
    const std::size_t extent = padded(graph_->cardinality(v));
    if (extent == kLanes)
      visit(v, values, std::span<float, kLanes>(weights.data(), kLanes), std::span<float, kLanes>(sums.data(), kLanes),
            random);
    else visit(v, values, std::span(weights.data(), extent), sums.first(extent), random);
  }
}

}  // namespace fovea::graph
