// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <random>
#include <vector>

#include "fovea/graph/model/factor_graph.h"

namespace fovea::testing {

struct RandomTreeShape {
  std::size_t factor_count = 4;  ///< of two or more variables; each variable has a factor of its own too
  std::size_t max_cardinality = 3;
  std::size_t max_arity = 4;
  double forbidden = 0;  ///< share of entries that are -inf; assignment 0, 0, ... keeps its scores
};

/// A factor graph without cycles: each factor joins new variables to one that is there. Scores are normal and scopes
/// shuffled.
inline graph::FactorGraph random_tree(const RandomTreeShape& shape, std::uint32_t seed) {
  std::mt19937 engine(seed);
  std::normal_distribution<double> normal;
  std::uniform_real_distribution<double> unit(0, 1);
  const auto draw = [&](std::size_t low, std::size_t high) {
    return std::uniform_int_distribution<std::size_t>(low, high)(engine);
  };
  graph::FactorGraph::Builder builder;
  const auto add_variable = [&] {
    return builder.add_variable(draw(2, std::max<std::size_t>(2, shape.max_cardinality)));
  };
  const auto add_factor = [&](const std::vector<VariableId>& scope) {
    std::size_t size = 1;
    for (const VariableId v : scope) size *= builder.cardinality(v);
    std::vector<double> table(size);
    for (std::size_t i = 0; i < size; ++i)
      table[i] = i > 0 && unit(engine) < shape.forbidden ? -std::numeric_limits<double>::infinity() : normal(engine);
    builder.add_factor(scope, table);
  };
  add_variable();
  for (std::size_t f = 0; f < shape.factor_count; ++f) {
    std::vector<VariableId> scope = {static_cast<VariableId>(draw(0, builder.variable_count() - 1))};
    for (std::size_t arity = draw(2, shape.max_arity); scope.size() < arity;) scope.push_back(add_variable());
    std::shuffle(scope.begin(), scope.end(), engine);
    add_factor(scope);
  }
  for (VariableId v = 0; v < builder.variable_count(); ++v) add_factor({v});
  return builder.build();
}

}  // namespace fovea::testing
