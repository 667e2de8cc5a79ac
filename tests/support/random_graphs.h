// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <map>
#include <random>
#include <vector>

#include "fovea/graph/model/factor_graph.h"

namespace fovea::testing {

/// The shape of a random factor graph.
struct RandomGraphShape {
  std::size_t variable_count = 6;
  std::size_t factor_count = 8;
  std::size_t min_cardinality = 2, max_cardinality = 3;
  std::size_t min_arity = 1, max_arity = 3;  ///< 0 is legal: a constant
  double scale = 1;                          ///< standard deviation of the log scores
  double forbidden = 0;                      ///< share of entries that are -inf
  double shared_tables = 0;                  ///< share of factors that use an earlier table that fits
  bool is_feasible = false;                  ///< one hidden assignment keeps finite scores
};

/// Draws the factors of one graph.
class RandomGraphMaker {
 public:
  RandomGraphMaker(const RandomGraphShape& shape, std::uint32_t seed) : shape_(shape), engine_(seed) {}

  graph::FactorGraph make() {
    for (std::size_t v = 0; v < shape_.variable_count; ++v) {
      builder_.add_variable(draw(shape_.min_cardinality, shape_.max_cardinality));
      witness_.push_back(static_cast<Value>(draw(0, builder_.cardinality(static_cast<VariableId>(v)) - 1)));
    }
    for (std::size_t f = 0; f < shape_.factor_count; ++f)
      add_factor(draw(shape_.min_arity, std::min(shape_.max_arity, shape_.variable_count)));
    return builder_.build();
  }

 private:
  std::size_t draw(std::size_t low, std::size_t high) {
    return std::uniform_int_distribution<std::size_t>(low, std::max(low, high))(engine_);
  }

  void add_factor(std::size_t arity) {
    std::vector<VariableId> all(shape_.variable_count), scope;
    for (std::size_t v = 0; v < all.size(); ++v) all[v] = static_cast<VariableId>(v);
    for (std::size_t i = 0; i < arity; ++i) {
      std::swap(all[i], all[draw(i, all.size() - 1)]);
      scope.push_back(all[i]);
    }
    std::vector<std::size_t> shape;
    std::size_t entries = 1, witness = 0;
    for (const VariableId v : scope) {
      shape.push_back(builder_.cardinality(v));
      entries *= shape.back();
      witness = witness * shape.back() + witness_[v];
    }
    std::vector<graph::TableId>& earlier = tables_[shape];
    if (!earlier.empty() && unit_(engine_) < shape_.shared_tables) {
      builder_.add_factor(scope, earlier[draw(0, earlier.size() - 1)]);
      return;
    }
    const graph::TableId table = builder_.add_table(draw_table(entries, witness));
    builder_.add_factor(scope, table);
    if (!shape_.is_feasible || shape_.forbidden == 0) earlier.push_back(table);
  }

  std::vector<double> draw_table(std::size_t entries, std::size_t witness) {
    std::vector<double> table(entries);
    for (std::size_t i = 0; i < entries; ++i) {
      table[i] = shape_.scale * normal_(engine_);
      const bool is_forbidden = unit_(engine_) < shape_.forbidden;
      if (is_forbidden && !(shape_.is_feasible && i == witness)) table[i] = -std::numeric_limits<double>::infinity();
    }
    return table;
  }

  RandomGraphShape shape_;
  std::mt19937 engine_;
  std::normal_distribution<double> normal_{0, 1};
  std::uniform_real_distribution<double> unit_{0, 1};
  graph::FactorGraph::Builder builder_;
  std::vector<Value> witness_;
  std::map<std::vector<std::size_t>, std::vector<graph::TableId>>
      tables_;  // cardinalities of the scope -> tables that fit
};

/// Equal for equal shapes, seeds and standard libraries. (Feasible graphs with forbidden entries share no tables.)
inline graph::FactorGraph random_graph(const RandomGraphShape& shape, std::uint32_t seed) {
  return RandomGraphMaker(shape, seed).make();
}

/// A rows x columns lattice with a unary factor per variable and a pairwise one per edge, normal scores.
inline graph::FactorGraph random_grid(std::size_t rows, std::size_t columns, std::size_t cardinality,
                                      std::uint32_t seed, double scale = 1) {
  std::mt19937 engine(seed);
  std::normal_distribution<double> normal(0, scale);
  graph::FactorGraph::Builder builder;
  const auto add = [&](const std::vector<VariableId>& scope) {
    std::vector<double> table(scope.size() == 1 ? cardinality : cardinality * cardinality);
    for (double& score : table) score = normal(engine);
    builder.add_factor(scope, table);
  };
  for (std::size_t v = 0; v < rows * columns; ++v) builder.add_variable(cardinality);
  for (std::size_t v = 0; v < rows * columns; ++v) {
    const auto id = static_cast<VariableId>(v);
    add({id});
    if (v % columns + 1 < columns) add({id, id + 1});
    if (v / columns + 1 < rows) add({id, id + static_cast<VariableId>(columns)});
  }
  return builder.build();
}

}  // namespace fovea::testing
