// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
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

/// The values that are left of each variable of a reduced model. Takes memory for variables that have lost some.
class KeptValues {
 public:
  /// Values of variable v of the reduced model, as values in the whole model, ascending.
  std::span<const Value> operator[](VariableId v) const;
  /// For the next variable: the positions that are not 0 in `possible`, [value].
  void add(std::span<const char> possible);

 private:
  std::vector<std::uint32_t> counts_;  // [variable of the reduced model]
  std::vector<std::size_t> begins_;    // in some_, or kAll
  std::vector<Value> some_, all_;      // all_: 0, 1, ...
  static constexpr std::size_t kAll = static_cast<std::size_t>(-1);
};

/// A model without the parts that evidence and hard constraints decide: observed variables, values that single factors
/// show to have no assignment of positive probability (generalised arc consistency), variables with one value left,
/// factors that became constant (added up in one factor of empty scope). Lifted assignments have the same scores.
struct Reduction {
  std::shared_ptr<const FactorGraph> graph;  ///< over the variables that are left; every cardinality >= 2
  std::vector<VariableId> variables;         ///< [variable of graph] -> variable of the whole model, ascending
  KeptValues values;
  Assignment decided;  ///< [variable of the whole model]; meaningful for those not in `variables`

  /// The assignment of the whole model for one of `graph`.
  Assignment lift(std::span<const Value> reduced) const;
  /// The assignment of `graph` nearest to one of the whole model: values that were ruled out become the first one left.
  Assignment restrict(std::span<const Value> whole) const;
};

/// Throws InfeasibleError if it finds that no assignment has positive probability (it need not find it), and
/// std::invalid_argument for evidence that lies outside the model or contradicts itself. Once `stop` is requested it
/// leaves further values in, which is slower but just as correct. A model of which all is left is not copied: it must
/// outlive its reduction.
Reduction reduce(const FactorGraph& graph, std::span<const Observation> evidence = {}, const Stop& stop = {});

/// The model with evidence put in, and nothing else inferred: the same scores, the other variables in their order.
/// `Reduction::values` is then the identity. Without evidence the model must outlive its reduction.
Reduction condition(const FactorGraph& graph, std::span<const Observation> evidence);

/// A reduction must not outlive its model.
Reduction reduce(FactorGraph&&, std::span<const Observation> = {}, const Stop& = {}) = delete;
Reduction condition(FactorGraph&&, std::span<const Observation>) = delete;

}  // namespace fovea::graph
