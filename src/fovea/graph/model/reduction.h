// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

#include "fovea/base/run_control.h"
#include "fovea/graph/model/factor_graph.h"

namespace fovea::graph {

/// A variable's observed value.
struct Observation {
  VariableId variable = 0;
  Value value = 0;
  friend bool operator==(const Observation&, const Observation&) = default;
};
using Evidence = std::vector<Observation>;

/// A model without what evidence and hard constraints decide: observed variables, values that no assignment of positive
/// probability can take as far as single factors show (generalised arc consistency), variables with one value left,
/// factors that became constant (added up in one factor of empty scope). Scores of lifted assignments are equal.
struct Reduction {
  FactorGraph graph;                       ///< over the variables that are left; every cardinality >= 2
  std::vector<VariableId> variables;       ///< [variable of graph] -> variable of the whole model, ascending
  std::vector<std::vector<Value>> values;  ///< [variable of graph][value] -> value in the whole model, ascending
  Assignment decided;                      ///< [variable of the whole model]; meaningful for those not in `variables`

  /// The whole model's assignment for one of `graph`.
  Assignment lift(std::span<const Value> reduced) const;
  /// The assignment of `graph` nearest to one of the whole model: values that were ruled out become the first left.
  Assignment restrict(std::span<const Value> whole) const;
};

/// Throws InfeasibleError where it finds that no assignment has positive probability (it need not find it), and
/// std::invalid_argument for evidence outside the model or in contradiction with itself. When `stop` is requested it
/// leaves further values in, which is slower but as correct.
Reduction reduce(const FactorGraph& graph, std::span<const Observation> evidence = {}, const Stop& stop = {});

/// The model with evidence put in, and nothing else inferred: the same scores, the other variables in their order.
/// `Reduction::values` is then the identity.
Reduction condition(const FactorGraph& graph, std::span<const Observation> evidence);

}  // namespace fovea::graph
