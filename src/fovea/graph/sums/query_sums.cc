// SPDX-License-Identifier: Apache-2.0
#include "fovea/graph/sums/query_sums.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <unordered_map>
#include <utility>

#include "fovea/base/error.h"
#include "fovea/graph/model/reduction.h"
#include "fovea/graph/propagation/belief_propagation.h"
#include "fovea/graph/tables/partition_guess.h"
#include "fovea/graph/tree/elimination_order.h"
#include "fovea/graph/tree/junction_tree.h"

namespace fovea::graph {
namespace {

constexpr double kMostOperations = 5e7;  // of a part's tree, about .1 s: it is summed many times
constexpr double kHopelessSumLog2Width = 40;
constexpr std::uint64_t kIterations = 30;  // of belief propagation
constexpr double kTolerance = 1e-4;        // of its messages: sums then change by far less than their error
constexpr std::uint32_t kNoPart = std::numeric_limits<std::uint32_t>::max();

/// The model over some of the variables (ascending), with some of the factors.
FactorGraph submodel(const FactorGraph& graph, std::span<const VariableId> variables,
                     std::span<const FactorId> factors) {
  FactorGraph::Builder builder;
  for (const VariableId v : variables) builder.add_variable(graph.cardinality(v));
  std::unordered_map<TableId, TableId> tables;
  std::vector<VariableId> scope;
  for (const FactorId f : factors) {
    scope.clear();
    for (const VariableId v : graph.scope(f))
      scope.push_back(static_cast<VariableId>(std::ranges::lower_bound(variables, v) - variables.begin()));
    const auto [table, is_new] = tables.try_emplace(graph.table_id(f), 0);
    if (is_new) table->second = builder.add_table(graph.table(f));
    builder.add_factor(scope, table->second);
  }
  return builder.build();
}

/// [variable] -> the number of its connected part once the query is taken out; kNoPart for the query.
std::vector<std::uint32_t> number_parts(const FactorGraph& graph, std::span<const char> is_query,
                                        std::uint32_t& count) {
  std::vector<std::uint32_t> part(graph.variable_count(), kNoPart);
  std::vector<VariableId> open;
  for (VariableId v = 0; v < part.size(); ++v) {
    if (is_query[v] || part[v] != kNoPart) continue;
    part[v] = count;
    open.assign(1, v);
    while (!open.empty()) {
      const VariableId from = open.back();
      open.pop_back();
      for (const VariableId u : graph.markov_blanket(from))
        if (!is_query[u] && std::exchange(part[u], count) != count) open.push_back(u);
    }
    ++count;
  }
  return part;
}

/// Plans a tree; returns nothing if it does not fit the memory or would take too long.
std::optional<ClusterTree> plan_tree(const FactorGraph& graph, const std::vector<char>& is_query, double memory_bytes,
                                     const Random& random, const Stop& stop) {
  try {
    const EliminationOrder order =
        find_elimination_order(graph, {.max_log2_width = kHopelessSumLog2Width, .skipped = is_query}, random, stop);
    if (!order.found()) return {};
    ClusterTree tree(graph, order.order, {}, stop);
    if (tree.peak_bytes() > memory_bytes || tree.operations() > kMostOperations) return {};
    return tree;
  } catch (const LimitError&) {  // no order in time
    return {};
  }
}

}  // namespace

QuerySums::QuerySums(const FactorGraph& graph, std::span<const VariableId> query, std::uint64_t memory_bytes,
                     const Random& random, const Stop& stop)
    : parts_of_(graph.variable_count()), memory_bytes_(static_cast<double>(memory_bytes)) {
  std::vector<char> is_query(graph.variable_count(), 0);
  for (const VariableId v : query) is_query[v] = 1;
  std::uint32_t count = 0;
  const std::vector<std::uint32_t> part_of = number_parts(graph, is_query, count);
  parts_.resize(count);
  std::vector<std::vector<FactorId>> factors(count);
  std::vector<FactorId> between;
  for (FactorId f = 0; f < graph.factor_count(); ++f) {
    const auto scope = graph.scope(f);
    const auto summed = std::ranges::find_if(scope, [&](VariableId v) { return !is_query[v]; });
    if (summed == scope.end()) between.push_back(f);
    else factors[part_of[*summed]].push_back(f);
  }
  std::vector<VariableId> all(graph.variable_count());
  std::iota(all.begin(), all.end(), VariableId{0});
  between_ = submodel(graph, all, between);

  for (const VariableId v : all)
    if (!is_query[v]) parts_[part_of[v]].variables.push_back(v);
  for (std::uint32_t p = 0; p < count; ++p) {
    Part& part = parts_[p];
    for (const FactorId f : factors[p])
      for (const VariableId v : graph.scope(f))
        if (is_query[v]) part.query.push_back(v);
    std::ranges::sort(part.query);
    part.query.erase(std::unique(part.query.begin(), part.query.end()), part.query.end());
    for (const VariableId v : part.query) parts_of_[v].push_back(p);
    part.variables.insert(part.variables.end(), part.query.begin(), part.query.end());
    std::ranges::sort(part.variables);
    for (const VariableId v : part.variables) part.is_query.push_back(is_query[v]);
    part.graph = submodel(graph, part.variables, factors[p]);
    part.tree = plan_tree(part.graph, part.is_query, memory_bytes_, random.child("part", p), stop);
    is_exact_ &= part.tree.has_value();
  }
}

double QuerySums::log_sum(std::size_t index, std::span<const Value> values, const Stop& stop) const {
  const Part& part = parts_[index];
  Assignment local;
  for (const VariableId v : part.variables) local.push_back(values[v]);
  if (part.tree) return JunctionTree(part.graph, *part.tree).log_partition(stop, local);
  return estimate(part, local, stop);
}

double QuerySums::estimate(const Part& part, std::span<const Value> values, const Stop& stop) const {
  Evidence evidence;
  for (VariableId v = 0; v < part.is_query.size(); ++v)
    if (part.is_query[v]) evidence.push_back({v, values[v]});
  const Reduction rest = condition(part.graph, evidence);
  const LimitError late("stopped before the sum over a marginal MAP query's other variables was estimated");
  const std::optional<PartitionGuess> guess = guess_partition(*rest.graph, stop);
  if (!guess) throw late;
  if (static_cast<double>(BeliefPropagation::predicted_bytes(*rest.graph)) > memory_bytes_) return guess->log_z;
  BeliefPropagation beliefs(*rest.graph, {.damping = 0.1, .tolerance = kTolerance});
  beliefs.run(kIterations, stop);
  if (beliefs.is_infeasible()) return -std::numeric_limits<double>::infinity();
  const std::optional<double> log_sum = beliefs.log_partition(stop);
  if (stop.requested() || !log_sum) throw late;
  return std::min(*log_sum, guess->upper_bound);
}

}  // namespace fovea::graph
