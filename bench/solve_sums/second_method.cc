// SPDX-License-Identifier: Apache-2.0
// Exact marginals of one model computed twice: by the two passes of a junction tree, and as quotients Z(v = k) / Z of
// partition functions, each by one pass over a simplified model of its own. They share the upward pass only. Prints one
// JSON line.
#include <algorithm>
#include <cmath>
#include <iostream>
#include <limits>
#include <nlohmann/json.hpp>
#include <span>
#include <string>

#include "bench/support/measure.h"
#include "fovea/base/error.h"
#include "fovea/graph/format/evidence_file.h"
#include "fovea/graph/format/read_model.h"
#include "fovea/graph/model/reduction.h"
#include "fovea/graph/simplify/simplify_sum.h"
#include "fovea/graph/tree/cluster_tree.h"
#include "fovea/graph/tree/elimination_order.h"
#include "fovea/graph/tree/junction_tree.h"

namespace fovea::bench {
namespace {

constexpr std::size_t kVariables = 5;  // that are compared, evenly spread, by their first and last value

graph::ClusterTree cluster_tree(const graph::FactorGraph& graph) {
  return graph::ClusterTree(graph, graph::find_elimination_order(graph, {.tries = 40}, Random(1)).order);
}

double log_partition(const graph::FactorGraph& graph) {
  const graph::FactorGraph simple = graph::simplify_sum(graph);
  const graph::ClusterTree tree = cluster_tree(simple);
  return graph::JunctionTree(simple, tree).log_partition();
}

/// -inf where a value is impossible.
double log_partition_given(const graph::FactorGraph& graph, VariableId v, std::size_t value) {
  try {
    const graph::Observation observation = {.variable = v, .value = static_cast<Value>(value)};
    return log_partition(*graph::reduce(graph, std::span(&observation, 1)).graph);
  } catch (const InfeasibleError&) {
    return -std::numeric_limits<double>::infinity();
  }
}

nlohmann::ordered_json compare(const std::string& path, const std::string& evidence_path) {
  const graph::ModelFile model = graph::read_model(path);
  const graph::FactorGraph graph =
      *graph::reduce(model.graph, graph::evidence_argument(evidence_path, model.graph, model.names)).graph;
  const graph::ClusterTree tree = cluster_tree(graph);
  const graph::GraphMarginals marginals = graph::JunctionTree(graph, tree).marginals();
  const double log_z = log_partition(graph);
  double largest = std::abs(marginals.log_z - log_z) / std::max(1.0, std::abs(log_z));
  const std::size_t count = graph.variable_count(), step = std::max<std::size_t>(1, count / kVariables);
  std::size_t compared = 0;
  for (VariableId v = 0; v < count; v += static_cast<VariableId>(step))
    for (const std::size_t k : {std::size_t{0}, marginals.variables[v].size() - 1}) {
      const double quotient = std::exp(log_partition_given(graph, v, k) - log_z);
      largest = std::max(largest, std::abs(marginals.variables[v][k] - quotient));
      ++compared;
    }
  return {{"compared", compared}, {"largest_difference", largest}};
}

}  // namespace
}  // namespace fovea::bench

int main(int argc, char** argv) {
  if (!fovea::bench::has_arguments(argc, 2, "solve_sums_second_method MODEL EVIDENCE|''")) return 2;
  std::cout << fovea::bench::compare(argv[1], argv[2]).dump() << '\n';
}
