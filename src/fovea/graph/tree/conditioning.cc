// SPDX-License-Identifier: Apache-2.0
#include "fovea/graph/tree/conditioning.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "fovea/base/error.h"
#include "fovea/base/log_math.h"

namespace fovea::graph {
namespace {

/// The variable whose removal takes the most entries out of the clusters of a tree.
VariableId find_costliest(const FactorGraph& graph, const ClusterTree& tree) {
  std::vector<double> saved(graph.variable_count(), 0);
  for (const ClusterTree::Cluster& cluster : tree.clusters())
    for (const VariableId v : cluster.variables)
      saved[v] += cluster.entries * (1 - 1 / static_cast<double>(graph.cardinality(v)));
  return static_cast<VariableId>(std::ranges::max_element(saved) - saved.begin());
}

/// Puts `more`, of weight exp(log_weight), into a mean of weight exp(log_total); log_sum: log of both weights together.
void mix(double log_total, double log_weight, double log_sum, const GraphMarginals& more, GraphMarginals& mean) {
  const double old_share = std::exp(log_total - log_sum), new_share = std::exp(log_weight - log_sum);
  for (std::size_t v = 0; v < more.variables.size(); ++v)
    for (std::size_t k = 0; k < more.variables[v].size(); ++k)
      mean.variables[v][k] = old_share * mean.variables[v][k] + new_share * more.variables[v][k];
}

}  // namespace

CutsetConditioning::CutsetConditioning(const FactorGraph& graph, std::vector<VariableId> cutset, ClusterTree tree)
    : graph_(&graph), cutset_(std::move(cutset)), tree_(std::move(tree)) {
  for (const VariableId v : cutset_) joint_values_ *= static_cast<double>(graph.cardinality(v));
}

std::optional<CutsetConditioning> CutsetConditioning::plan(const FactorGraph& graph, const ConditioningOptions& options,
                                                           Random random, const Stop& stop) {
  EliminationOptions elimination = options.elimination;
  elimination.skipped.resize(graph.variable_count(), 0);
  std::vector<VariableId> cutset;
  for (VariableId v = 0; v < graph.variable_count(); ++v)
    if (elimination.skipped[v]) cutset.push_back(v);
  for (std::uint64_t round = 0;; ++round) {
    const EliminationOrder order = find_elimination_order(graph, elimination, random.child("cutset", round), stop);
    if (!order.found()) return std::nullopt;
    CutsetConditioning result(graph, cutset, ClusterTree(graph, order.order, {}, stop));
    // A larger cutset would not need fewer operations: it divides a pass by no more than it multiplies the number of
    // passes.
    if (result.operations() > options.max_operations) return std::nullopt;
    if (result.tree_.marginal_bytes() <= options.memory_limit) return result;
    const VariableId next = find_costliest(graph, result.tree_);
    elimination.skipped[next] = 1;
    cutset.push_back(next);
  }
}

template <class Visit>
void CutsetConditioning::for_each_condition(const Visit& visit) const {
  Assignment conditions(graph_->variable_count(), 0);
  for (;;) {
    visit(std::as_const(conditions));
    std::size_t i = cutset_.size();
    while (i > 0 && ++conditions[cutset_[i - 1]] == graph_->cardinality(cutset_[i - 1])) conditions[cutset_[--i]] = 0;
    if (i == 0) return;
  }
}

double CutsetConditioning::log_partition(const Stop& stop) const {
  const JunctionTree junction_tree(*graph_, tree_);
  double sum = kImpossible;
  for_each_condition(
      [&](const Assignment& conditions) { sum = add_logs(sum, junction_tree.log_partition(stop, conditions)); });
  return sum;
}

ScoredAssignment CutsetConditioning::maximise(const Stop& stop) const {
  const JunctionTree junction_tree(*graph_, tree_);
  ScoredAssignment best;
  for_each_condition([&](const Assignment& conditions) {
    try {
      ScoredAssignment found = junction_tree.maximise(stop, conditions);
      if (found.score > best.score) best = std::move(found);
    } catch (const InfeasibleError&) {  // other conditions may leave some
    }
  });
  if (best.score == kImpossible) throw InfeasibleError("no assignment is possible: every one breaks a constraint");
  return best;
}

GraphMarginals CutsetConditioning::marginals(const Stop& stop) const {
  const JunctionTree junction_tree(*graph_, tree_);
  GraphMarginals mean;
  for_each_condition([&](const Assignment& conditions) {
    try {
      GraphMarginals found = junction_tree.marginals(stop, conditions);
      if (mean.variables.empty()) {
        mean = std::move(found);
        return;
      }
      const double sum = add_logs(mean.log_z, found.log_z);
      mix(mean.log_z, found.log_z, sum, found, mean);
      mean.log_z = sum;
    } catch (const InfeasibleError&) {  // weight 0
    }
  });
  if (mean.variables.empty() && mean.log_z == kImpossible)
    throw InfeasibleError("no assignment is possible: every one breaks a constraint");
  return mean;
}

}  // namespace fovea::graph
