// SPDX-License-Identifier: Apache-2.0
#include "fovea/graph/tree/marginal_map.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <utility>
#include <vector>

#include "fovea/base/error.h"
#include "fovea/base/log_math.h"
#include "fovea/graph/model/reduction.h"
#include "fovea/graph/tree/cluster_tree.h"
#include "fovea/graph/tree/junction_tree.h"

namespace fovea::graph {
namespace {

std::vector<char> marked(const FactorGraph& graph, std::span<const VariableId> query) {
  std::vector<char> is_query(graph.variable_count(), 0);
  for (const VariableId v : query) {
    if (v >= is_query.size())
      throw std::invalid_argument(
          fmt::format("the query names variable {}, but there are {} variables", v, is_query.size()));
    if (std::exchange(is_query[v], 1)) throw std::invalid_argument(fmt::format("the query names variable {} twice", v));
  }
  return is_query;
}

/// Branch and bound over the query variables, one order and tree per depth: the variables fixed so far are conditioned
/// on.
class QuerySearch {
 public:
  QuerySearch(const FactorGraph& graph, std::span<const VariableId> query, std::vector<char> is_query,
              const MarginalMapTreeOptions& options, Random random, const Stop& stop)
      : graph_(graph),
        is_query_(std::move(is_query)),
        order_(query.begin(), query.end()),
        stop_(stop),
        max_nodes_(options.max_nodes),
        conditions_(graph.variable_count(), 0) {
    // Variables of many factors first: fixing them makes bounds tight and trees small.
    std::ranges::stable_sort(order_, std::ranges::greater(),
                             [&](VariableId v) { return graph.markov_blanket(v).size(); });
    EliminationOptions elimination = options.elimination;
    elimination.last.clear();
    elimination.skipped.assign(graph.variable_count(), 0);
    for (std::size_t depth = 0; depth <= order_.size(); ++depth) {
      const EliminationOrder found = find_elimination_order(graph, elimination, random.child("bound", depth), stop);
      trees_.emplace_back(graph, found.order, is_query_, stop);
      if (!found.found() || trees_.back().message_bytes() > options.memory_limit)
        throw LimitError("no elimination order fits the memory limit, not even for bounds of a marginal MAP query");
      if (depth < order_.size()) elimination.skipped[order_[depth]] = 1;
    }
  }

  MarginalMap run(std::span<const VariableId> query) {
    const double root = bound(0);
    if (root == kImpossible) throw InfeasibleError("no assignment is possible: every one breaks a constraint");
    double open_bound = root;
    try {
      visit(0, root);
      open_bound = kImpossible;
    } catch (const LimitError&) {  // the best so far, if any, and the bound are the answer
    }
    MarginalMap result{.upper_bound = std::max(best_.score, open_bound),
                       .is_optimal = best_.found() && open_bound <= best_.score,
                       .nodes = nodes_};
    result.best.score = best_.score;
    if (best_.found())
      for (const VariableId v : query) result.best.values.push_back(best_.values[v]);
    return result;
  }

 private:
  double bound(std::size_t depth) {
    if (nodes_ >= max_nodes_) throw LimitError("no nodes are left for the search of a marginal MAP query");
    ++nodes_;
    return JunctionTree(graph_, trees_[depth]).maximise_sum(stop_, conditions_).score;
  }

  void visit(std::size_t depth, double upper_bound) {
    if (upper_bound <= best_.score) return;
    if (depth == order_.size()) {
      best_ = {conditions_, upper_bound};
      return;
    }
    const VariableId v = order_[depth];
    std::vector<std::pair<double, Value>> branches;
    for (std::size_t k = 0; k < graph_.cardinality(v); ++k) {
      conditions_[v] = static_cast<Value>(k);
      branches.emplace_back(bound(depth + 1), conditions_[v]);
    }
    std::ranges::stable_sort(branches, std::ranges::greater(), &std::pair<double, Value>::first);
    for (const auto& [branch_bound, value] : branches) {
      conditions_[v] = value;
      visit(depth + 1, branch_bound);
    }
    conditions_[v] = 0;
  }

  const FactorGraph& graph_;
  std::vector<char> is_query_;
  std::vector<VariableId> order_;
  Stop stop_;
  std::uint64_t max_nodes_;
  Assignment conditions_;
  std::vector<ClusterTree> trees_;  // [number of query variables fixed]
  ScoredAssignment best_;
  std::uint64_t nodes_ = 0;
};

}  // namespace

MarginalMap maximise_marginal(const FactorGraph& graph, std::span<const VariableId> query,
                              const MarginalMapTreeOptions& options, Random random, const Stop& stop) {
  std::vector<char> is_query = marked(graph, query);
  EliminationOptions elimination = options.elimination;
  elimination.last = is_query;
  const EliminationOrder order = find_elimination_order(graph, elimination, random.child("constrained"), stop);
  if (order.found()) {
    const ClusterTree tree(graph, order.order, is_query, stop);
    if (tree.message_bytes() <= options.memory_limit && tree.operations() <= options.max_operations) {
      const ScoredAssignment found = JunctionTree(graph, tree).maximise_sum(stop);
      if (found.score == kImpossible) throw InfeasibleError("no assignment is possible: every one breaks a constraint");
      MarginalMap result{.upper_bound = found.score, .is_optimal = true};
      result.best.score = found.score;
      for (const VariableId v : query) result.best.values.push_back(found.values[v]);
      return result;
    }
  }
  return QuerySearch(graph, query, std::move(is_query), options, random.child("search"), stop).run(query);
}

}  // namespace fovea::graph
