// SPDX-License-Identifier: Apache-2.0
#include "fovea/graph/model/extended_graph.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "fovea/base/error.h"

namespace fovea::graph {
namespace {

void require_variable(const FactorGraph& graph, VariableId variable) {
  if (variable >= graph.variable_count())
    throw UsageError(fmt::format("the graph has no variable {}: it has {}", variable, graph.variable_count()));
}

}  // namespace

FactorGraph with_likelihoods(const FactorGraph& graph, std::span<const Likelihoods> evidence) {
  FactorGraph::Builder builder(graph);
  for (const auto& [variable, values] : evidence) {
    require_variable(graph, variable);
    if (values.size() != graph.cardinality(variable))
      throw UsageError(fmt::format("{} likelihoods for variable {}: needs one for each of its {} values", values.size(),
                                   variable, graph.cardinality(variable)));
    std::vector<double> scores;
    for (const double value : values) {
      if (!(value >= 0) || !std::isfinite(value))
        throw UsageError(fmt::format("the likelihood {} of variable {}: needs a number, 0 or more", value, variable));
      scores.push_back(std::log(value));
    }
    builder.add_factor(std::span(&variable, 1), scores);
  }
  return builder.build();
}

FactorGraph with_joint_variable(const FactorGraph& graph, std::span<const VariableId> variables) {
  std::size_t count = 1;
  for (std::size_t i = 0; i < variables.size(); ++i) {
    require_variable(graph, variables[i]);
    if (std::ranges::find(variables.first(i), variables[i]) != variables.begin() + static_cast<std::ptrdiff_t>(i))
      throw UsageError(fmt::format("variable {} is named twice", variables[i]));
    count *= graph.cardinality(variables[i]);
    if (count > kMostJointValues)
      throw UsageError(fmt::format("these variables have more than {} joint values", kMostJointValues));
  }
  FactorGraph::Builder builder(graph);
  std::vector<VariableId> scope(variables.begin(), variables.end());
  scope.push_back(builder.add_variable(count));
  std::vector<double> scores(count * count, -std::numeric_limits<double>::infinity());
  for (std::size_t k = 0; k < count; ++k) scores[k * count + k] = 0;
  builder.add_factor(scope, scores);
  return builder.build();
}

}  // namespace fovea::graph
