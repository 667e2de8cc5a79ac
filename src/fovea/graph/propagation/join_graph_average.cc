// SPDX-License-Identifier: Apache-2.0
#include "fovea/graph/propagation/join_graph_average.h"

#include "fovea/base/error.h"
#include "fovea/graph/propagation/join_graph.h"
#include "fovea/graph/tree/elimination_order.h"

namespace fovea::graph {

JoinGraphAverage::JoinGraphAverage(const FactorGraph& graph, const JoinGraphAverageOptions& options,
                                   const Random& random)
    : graph_(graph), options_(options), random_(random) {
  validate(options_);
  validate(options_.propagation);
  for (VariableId v = 0; v < graph.variable_count(); ++v)
    marginals_.emplace_back(graph.cardinality(v), 1.0 / static_cast<double>(graph.cardinality(v)));
}

Work JoinGraphAverage::run(std::uint64_t rounds, const Stop& stop) {
  Work work;
  try {
    for (std::uint64_t i = 0; i < rounds && !is_exact_ && !is_infeasible_ && !stop.requested(); ++i)
      work += run_round(stop);
  } catch (const LimitError&) {
    // Stopped before the round had a join graph: the results of earlier rounds stand.
  }
  return work;
}

Work JoinGraphAverage::run_round(const Stop& stop) {
  const EliminationRule rule = rounds_ % 2 == 0 ? EliminationRule::kMinFill : EliminationRule::kMinWeight;
  const EliminationOrder order =
      find_elimination_order(graph_, {.rules = {rule}, .tries = 1}, random_.child("order", rounds_), stop);
  const JoinGraph join_graph(graph_, order.order, options_.max_entries, stop);
  JoinGraphPropagation propagation(graph_, join_graph, options_.propagation);
  const auto iterations = static_cast<std::uint64_t>(options_.iterations);
  const Work work = propagation.run(iterations, stop);
  const bool is_whole =
      propagation.is_infeasible() || propagation.is_converged() || propagation.iterations() == iterations;
  is_infeasible_ = propagation.is_infeasible();
  is_exact_ = join_graph.is_tree() && propagation.iterations() > 0;
  if (rounds_ > 0 && !is_whole && !is_exact_) return work;
  add(propagation);
  if (is_whole) ++rounds_;
  return work;
}

void JoinGraphAverage::add(const JoinGraphPropagation& propagation) {
  if (rounds_ == 0 || is_exact_ || is_infeasible_) {
    marginals_ = propagation.marginals();
    log_partition_ = propagation.log_partition();
    return;
  }
  const double share = 1.0 / static_cast<double>(rounds_ + 1);
  for (std::size_t v = 0; v < marginals_.size(); ++v)
    for (std::size_t k = 0; k < marginals_[v].size(); ++k)
      marginals_[v][k] += share * (propagation.marginals()[v][k] - marginals_[v][k]);
  log_partition_ += share * (propagation.log_partition() - log_partition_);
}

}  // namespace fovea::graph
