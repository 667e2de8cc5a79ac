// SPDX-License-Identifier: Apache-2.0
#include "fovea/graph/tree/junction_tree.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "fovea/base/error.h"
#include "fovea/base/log_math.h"
#include "fovea/graph/tree/cluster_messages.h"

namespace fovea::graph {
namespace {

using internal::ClusterMessages;
using internal::Elimination;

void check_memory(double bytes, double limit) {
  constexpr double kAddressable = 1e15;
  if (bytes > std::min(limit, kAddressable))
    throw LimitError(
        fmt::format("messages between clusters would need {:.3g} bytes; the limit is {:.3g}", bytes, limit));
}

[[noreturn]] void fail_infeasible() {
  throw InfeasibleError("no assignment is possible: every one breaks a constraint");
}

std::size_t count_entries(const FactorGraph& graph, std::span<const VariableId> scope) {
  std::size_t entries = 1;
  for (const VariableId v : scope) entries *= graph.cardinality(v);
  return entries;
}

/// The cluster that eliminates the first variable of a scope, the only one that can hold the scope.
std::uint32_t find_cluster(const ClusterTree& tree, std::span<const VariableId> scope) {
  const auto first = std::ranges::min_element(scope, {}, [&](VariableId v) { return tree.position(v); });
  const std::uint32_t c = first == scope.end() ? ClusterTree::kNoParent : tree.cluster_of(*first);
  const auto is_inside = [&](VariableId v) { return std::ranges::count(tree.clusters()[c].variables, v) > 0; };
  if (c == ClusterTree::kNoParent || !std::ranges::all_of(scope, is_inside))
    throw std::invalid_argument("marginals of variables that no cluster of the tree holds together");
  return c;
}

}  // namespace

double JunctionTree::log_partition(const Stop& stop, std::span<const Value> conditions) const {
  check_memory(tree_.peak_bytes(), memory_limit_);
  constexpr double kFewBytes = 1 << 28;  // then branches may be worked on side by side
  const bool keep = tree_.message_bytes() <= std::min(memory_limit_, kFewBytes);
  return ClusterMessages(graph_, tree_, conditions, stop, threads_).send_upward(Elimination::kSum, keep);
}

ScoredAssignment JunctionTree::maximise(const Stop& stop, std::span<const Value> conditions) const {
  check_memory(tree_.message_bytes(), memory_limit_);
  ClusterMessages messages(graph_, tree_, conditions, stop, threads_);
  if (messages.send_upward(Elimination::kMax, true) == kImpossible) fail_infeasible();
  ScoredAssignment best{.values = messages.trace_back(Elimination::kMax)};
  best.score = graph_.log_score(best.values);
  return best;
}

ScoredAssignment JunctionTree::maximise_sum(const Stop& stop, std::span<const Value> conditions) const {
  check_memory(tree_.message_bytes(), memory_limit_);
  ClusterMessages messages(graph_, tree_, conditions, stop, threads_);
  const double score = messages.send_upward(Elimination::kAsMarked, true);
  if (score == kImpossible) return {};
  return {.values = messages.trace_back(Elimination::kAsMarked), .score = score};
}

GraphMarginals JunctionTree::marginals(const Stop& stop, std::span<const Value> conditions,
                                       std::span<const std::vector<VariableId>> scopes) const {
  check_memory(tree_.marginal_bytes(), memory_limit_);
  GraphMarginals result;
  std::vector<std::vector<ClusterMessages::Marginal>> wanted(tree_.clusters().size());
  std::vector<VariableId> single(graph_.variable_count());
  result.variables.resize(single.size());
  for (VariableId v = 0; v < single.size(); ++v) {
    single[v] = v;
    result.variables[v].assign(graph_.cardinality(v), 0.0);
    const std::uint32_t c = tree_.cluster_of(v);
    if (c == ClusterTree::kNoParent) result.variables[v][conditions[v]] = 1;
    else wanted[c].push_back({.scope = std::span(single).subspan(v, 1), .table = &result.variables[v]});
  }
  result.scopes.resize(scopes.size());
  for (std::size_t i = 0; i < scopes.size(); ++i) {
    const std::uint32_t c = find_cluster(tree_, scopes[i]);
    result.scopes[i].assign(count_entries(graph_, scopes[i]), 0.0);
    wanted[c].push_back({.scope = scopes[i], .table = &result.scopes[i]});
  }
  ClusterMessages messages(graph_, tree_, conditions, stop, threads_);
  result.log_z = messages.send_upward(Elimination::kSum, true);
  if (result.log_z == kImpossible) fail_infeasible();
  messages.send_downward(wanted);
  return result;
}

JunctionDraws::JunctionDraws(const FactorGraph& graph, const ClusterTree& tree, double memory_limit, int threads,
                             const Stop& stop) {
  check_memory(tree.message_bytes(), memory_limit);
  messages_ = std::make_unique<ClusterMessages>(graph, tree, std::span<const Value>(), stop, threads);
  if (messages_->send_upward(Elimination::kSum, true) == kImpossible) fail_infeasible();
}

JunctionDraws::~JunctionDraws() = default;
JunctionDraws::JunctionDraws(JunctionDraws&&) noexcept = default;

Assignment JunctionDraws::draw(Random& random) const { return messages_->draw(random); }

}  // namespace fovea::graph
