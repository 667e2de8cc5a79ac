// SPDX-License-Identifier: Apache-2.0
#include "fovea/graph/task/tree_cost.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <limits>
#include <numeric>
#include <vector>

#include "fovea/base/run_control.h"
#include "fovea/graph/tree/junction_tree.h"

namespace fovea::graph {
namespace {

/// Seconds for each cluster, joint value and table read, joint value, entry of a message to the parent, joint value and
/// child, joint value and own variable.
struct TreeCosts {
  double cluster, operation, entry, message, child, own;
};

TreeCosts costs_of(EliminationGoal goal) {
  switch (goal) {
    case EliminationGoal::kMaximum:
      return {13e-6, 1.3e-10, 1.2e-9, 5e-9, 0, 0};
    case EliminationGoal::kPartition:
      return {9e-6, 1e-11, 1.9e-9, 8e-9, 0, 0};
    case EliminationGoal::kMarginals:
      break;
  }
  return {9e-6, 0, 2.1e-9, 25e-9, .6e-9, .7e-9};
}

/// Seconds of the sum over a model of pairs of all its binary variables: one large cluster.
double seconds_of_small_tree() {
  constexpr VariableId kVariables = 16;
  constexpr int kRuns = 3;
  constexpr double kMemory = 1e9;
  FactorGraph::Builder builder;
  for (VariableId v = 0; v < kVariables; ++v) builder.add_variable(2);
  for (VariableId a = 0; a < kVariables; ++a)
    for (VariableId b = a + 1; b < kVariables; ++b)
      builder.add_factor(std::array{a, b}, std::vector<double>{.1 * a, 0, 0, .1 * b});
  const FactorGraph graph = builder.build();
  std::vector<VariableId> order(kVariables);
  std::iota(order.begin(), order.end(), VariableId{0});
  double least = std::numeric_limits<double>::infinity();
  for (int run = 0; run < kRuns; ++run) {
    const auto begin = std::chrono::steady_clock::now();
    JunctionTree(graph, ClusterTree(graph, order), kMemory, 1).log_partition({});
    least = std::min(least, seconds_since(begin));
  }
  return least;
}

}  // namespace

double predicted_seconds(const ClusterTree& tree, EliminationGoal goal, double passes) {
  constexpr double kLater = .25;  // of the cost of a cluster, in later passes
  const TreeCosts costs = costs_of(goal);
  const auto clusters = static_cast<double>(tree.clusters().size());
  double seconds = costs.operation * tree.operations();
  for (const ClusterTree::Cluster& cluster : tree.clusters())
    seconds += costs.message * cluster.message_entries +
               cluster.entries * (costs.entry + costs.child * static_cast<double>(cluster.children.size()) +
                                  costs.own * static_cast<double>(cluster.own_count));
  return passes * seconds + costs.cluster * clusters * (1 + kLater * (passes - 1));
}

double machine_slowness() {
  constexpr double kOnTheOther = 6.2e-4;  // seconds
  static const double slowness = std::clamp(seconds_of_small_tree() / kOnTheOther, .1, 10.);
  return slowness;
}

double seconds_here(double seconds, const Run& run) {
  constexpr double kWorthTiming = .05;  // shorter forecasts need not be better
  return run.is_timed() && seconds > kWorthTiming ? seconds * machine_slowness() : seconds;
}

}  // namespace fovea::graph
