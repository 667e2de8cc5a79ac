// SPDX-License-Identifier: Apache-2.0
#include "fovea/graph/map/distance_constraint.h"

#include <algorithm>
#include <array>
#include <vector>

#include "fovea/base/infinity.h"

namespace fovea::graph {
namespace {

/// How many differences the count behind variable v tells apart: 0, 1, ... and `least`, which stands for more too.
std::size_t most_differences(VariableId v, std::size_t least) { return std::min<std::size_t>(v + 1, least); }

/// Table of (count before v, y_v, count behind it): only the count that follows is possible.
std::vector<double> counting_table(std::size_t before, std::size_t cardinality, std::size_t behind, Value answer) {
  std::vector<double> table((before + 1) * cardinality * (behind + 1), kImpossible);
  for (std::size_t count = 0; count <= before; ++count)
    for (std::size_t value = 0; value < cardinality; ++value) {
      const std::size_t next = std::min(behind, count + (value != answer));
      table[(count * cardinality + value) * (behind + 1) + next] = 0;
    }
  return table;
}

std::size_t counting_entries(const FactorGraph& graph, std::size_t least) {
  std::size_t entries = 0;
  for (VariableId v = 0; v < graph.variable_count(); ++v)
    entries +=
        (1 + (v == 0 ? 0 : most_differences(v - 1, least))) * graph.cardinality(v) * (1 + most_differences(v, least));
  return entries;
}

void add_counts(const FactorGraph& graph, const Assignment& answer, std::size_t least, FactorGraph::Builder& builder) {
  std::vector<VariableId> scope;
  for (VariableId v = 0; v < graph.variable_count(); ++v) {
    const std::size_t before = v == 0 ? 0 : most_differences(v - 1, least), behind = most_differences(v, least);
    const VariableId count = builder.add_variable(behind + 1);
    if (v == 0) scope = {v, count};
    else scope = {count - 1, v, count};
    builder.add_factor(scope, counting_table(before, graph.cardinality(v), behind, answer[v]));
  }
  const auto last = static_cast<VariableId>(builder.variable_count() - 1);
  std::vector<double> enough(builder.cardinality(last), kImpossible);
  if (enough.size() == least + 1) enough.back() = 0;  // else there are too few variables
  builder.add_factor(std::array{last}, enough);
}

}  // namespace

std::optional<FactorGraph> with_distance(const FactorGraph& graph, std::span<const mcmc::ScoredAssignment> answers,
                                         std::size_t least, std::size_t max_entries) {
  least = std::min(least, graph.variable_count() + 1);
  if (counting_entries(graph, least) * answers.size() > max_entries) return std::nullopt;
  FactorGraph::Builder builder;
  for (const std::uint32_t cardinality : graph.cardinalities()) builder.add_variable(cardinality);
  for (TableId t = 0; t < graph.table_count(); ++t) builder.add_table(graph.shared_table(t));
  for (FactorId f = 0; f < graph.factor_count(); ++f) builder.add_factor(graph.scope(f), graph.table_id(f));
  for (const mcmc::ScoredAssignment& answer : answers) add_counts(graph, answer.values, least, builder);
  return builder.build();
}

Assignment with_counts(const Assignment& values, std::span<const mcmc::ScoredAssignment> answers, std::size_t least) {
  Assignment all = values;
  for (const mcmc::ScoredAssignment& answer : answers) {
    std::size_t count = 0;
    for (std::size_t v = 0; v < values.size(); ++v) {
      count = std::min(least, count + (values[v] != answer.values[v]));
      all.push_back(static_cast<Value>(count));
    }
  }
  return all;
}

}  // namespace fovea::graph
