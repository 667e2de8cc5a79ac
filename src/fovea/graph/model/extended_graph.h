// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

#include "fovea/base/assignment.h"
#include "fovea/graph/model/factor_graph.h"

namespace fovea::graph {

/// An observation that is not certain: how likely it is under each value of a variable (Pearl's virtual evidence).
struct Likelihoods {
  VariableId variable = 0;
  std::vector<double> values = {};  ///< [value], 0 or more, not logarithms; a common factor changes log Z alone
};

/// The graph with one factor more for each of these observations. Throws UsageError for variables that the graph does
/// not have, another number of likelihoods than values, and likelihoods that are negative or not finite.
FactorGraph with_likelihoods(const FactorGraph& graph, std::span<const Likelihoods> evidence);

inline constexpr std::size_t kMostJointValues = 4096;

/// The graph with one variable more, the last, whose value numbers the joint values of `variables`, the last of them
/// fastest: its marginal is their joint distribution. Throws UsageError for variables that the graph does not have or
/// that are named twice, and for more than kMostJointValues joint values.
FactorGraph with_joint_variable(const FactorGraph& graph, std::span<const VariableId> variables);

}  // namespace fovea::graph
