// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "fovea/base/run_control.h"
#include "fovea/graph/model/factor_graph.h"

namespace fovea::graph::internal {

/// A statement "variable has value", numbered throughout the model: first_literal[variable] + value.
using LiteralId = std::uint32_t;

/// A graph split into hard constraints, as lists of literals that must not all be true (nogoods; the clauses of
/// propositional logic, negated), weights of literals, and the tables that are left.
struct NogoodModel {
  std::vector<LiteralId> first_literal = {0};        ///< [variable + 1]
  std::vector<VariableId> variable_of = {};          ///< [literal]
  std::vector<double> weights = {};                  ///< [literal], log domain; -inf: excluded
  std::vector<std::vector<LiteralId>> nogoods = {};  ///< at least two literals of different variables each
  std::vector<FactorId> soft_factors = {};           ///< that are more than nogoods; at least two variables
  double constant = 0;                               ///< log domain; -inf: nothing is feasible
};

/// Nogoods are as short as their factor allows. Tables with very many entries or nogoods stay soft factors that contain
/// -inf. Throws LimitError if stopped.
NogoodModel extract_nogoods(const FactorGraph& graph, const Stop& stop);

}  // namespace fovea::graph::internal
