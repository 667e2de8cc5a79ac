// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <limits>
#include <vector>

#include "fovea/graph/model/factor_graph.h"

namespace fovea::testing {

/// A chain of `variables` of two values, in which it costs `nats` for neighbours to differ. All are 0 or all are 1,
/// half of the time each, and Markov chains of single visits hardly cross.
inline graph::FactorGraph two_modes(std::size_t variables, double nats) {
  graph::FactorGraph::Builder builder;
  for (std::size_t v = 0; v < variables; ++v) builder.add_variable(2);
  const graph::TableId equal = builder.add_table(std::vector<double>{nats, 0, 0, nats});
  for (VariableId v = 0; v + 1 < variables; ++v) builder.add_factor(std::vector<VariableId>{v, v + 1}, equal);
  return builder.build();
}

/// A chain of three variables that must be equal, but whose ends must differ.
inline graph::FactorGraph contradiction() {
  constexpr double kNever = -std::numeric_limits<double>::infinity();
  graph::FactorGraph::Builder builder;
  for (int v = 0; v < 3; ++v) builder.add_variable(2);
  const graph::TableId equal = builder.add_table(std::vector<double>{0, kNever, kNever, 0});
  for (VariableId v = 0; v < 2; ++v) builder.add_factor(std::vector<VariableId>{v, v + 1}, equal);
  builder.add_factor(std::vector<VariableId>{0}, std::vector<double>{0, kNever});
  builder.add_factor(std::vector<VariableId>{2}, std::vector<double>{kNever, 0});
  return builder.build();
}

}  // namespace fovea::testing
