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

/// A model without the parts that evidence and hard constraints decide: observed variables, values that single factors
/// show to have no assignment of positive probability (generalised arc consistency), variables with one value left,
/// factors that became constant (added up in one factor of empty scope). Lifted assignments have the same scores.
struct Reduction {
  FactorGraph graph;                       ///< over the variables that are left; every cardinality >= 2
  std::vector<VariableId> variables;       ///< [variable of graph] -> variable of the whole model, ascending
  std::vector<std::vector<Value>> values;  ///< [variable of graph][value] -> value in the whole model, ascending
  Assignment decided;                      ///< [variable of the whole model]; meaningful for those not in `variables`

  /// The assignment of the whole model for one of `graph`.
  Assignment lift(std::span<const Value> reduced) const;
  /// The assignment of `graph` nearest to one of the whole model: values that were ruled out become the first one left.
  Assignment restrict(std::span<const Value> whole) const;
};

/// Throws InfeasibleError if it finds that no assignment has positive probability (it need not find it), and
/// std::invalid_argument for evidence that lies outside the model or contradicts itself. Once `stop` is requested it
/// leaves further values in, which is slower but just as correct.
Reduction reduce(const FactorGraph& graph, std::span<const Observation> evidence = {}, const Stop& stop = {});

/// The model with evidence put in, and nothing else inferred: the same scores, the other variables in their order.
/// `Reduction::values` is then the identity.
Reduction condition(const FactorGraph& graph, std::span<const Observation> evidence);

}  // namespace fovea::graph
