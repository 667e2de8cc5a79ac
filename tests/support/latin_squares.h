// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "fovea/base/log_math.h"
#include "fovea/graph/model/factor_graph.h"

namespace fovea::testing {

/// The Latin squares of an order, all equally probable: variable r * order + c is the entry of row r and column c. No
/// entry can change alone. There are 576 of order 4 (sequence A002860).
inline graph::FactorGraph latin_squares(std::size_t order) {
  graph::FactorGraph::Builder builder;
  for (std::size_t i = 0; i < order * order; ++i) builder.add_variable(order);
  std::vector<double> differ(order * order, 0);
  for (std::size_t k = 0; k < order; ++k) differ[k * order + k] = kImpossible;
  const graph::TableId table = builder.add_table(differ);
  const auto add = [&](std::size_t a, std::size_t b) {
    builder.add_factor(std::vector{static_cast<VariableId>(a), static_cast<VariableId>(b)}, table);
  };
  for (std::size_t line = 0; line < order; ++line)
    for (std::size_t i = 0; i < order; ++i)
      for (std::size_t j = i + 1; j < order; ++j) {
        add(line * order + i, line * order + j);
        add(i * order + line, j * order + line);
      }
  return builder.build();
}

}  // namespace fovea::testing
