// SPDX-License-Identifier: Apache-2.0
#include "fovea/graph/propagation/join_graph_propagation.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "fovea/base/log_math.h"
#include "fovea/graph/propagation/message_layout.h"
#include "fovea/graph/tree/log_sum_kernels.h"

namespace fovea::graph {
namespace {

constexpr std::size_t kTableEntriesPerExponential = 4;  // table entries read in the time of one exponential
constexpr double kUnknown = std::numeric_limits<double>::infinity();
// A sum between these is trusted: nothing that matters was lost below exp(-700), and nothing is about to overflow.
constexpr double kSmallestSum = 1e-50, kLargestSum = 1e200;

/// Stride of a table for each variable of a cluster, 0 for a variable that the table does not have. The last variable
/// is fastest.
std::vector<std::size_t> strides_in(const FactorGraph& graph, std::span<const VariableId> scope,
                                    std::span<const VariableId> variables) {
  std::vector<std::size_t> strides(variables.size(), 0);
  std::size_t stride = 1;
  for (std::size_t i = scope.size(); i-- > 0; stride *= graph.cardinality(scope[i]))
    strides[static_cast<std::size_t>(std::ranges::find(variables, scope[i]) - variables.begin())] = stride;
  return strides;
}

std::size_t entry_count(const FactorGraph& graph, std::span<const VariableId> scope) {
  std::size_t count = 1;
  for (const VariableId v : scope) count *= graph.cardinality(v);
  return count;
}

}  // namespace

JoinGraphPropagation::JoinGraphPropagation(const FactorGraph& graph, const JoinGraph& join_graph,
                                           const JoinGraphPropagationOptions& options)
    : graph_(graph),
      join_graph_(join_graph),
      options_(options),
      messages_(join_graph.edges().size()),
      cluster_log_sums_(join_graph.clusters().size(), 0.0),
      shifts_(join_graph.clusters().size(), kUnknown) {
  validate(options_);
  for (VariableId v = 0; v < graph.variable_count(); ++v)
    marginals_.emplace_back(graph.cardinality(v), 1.0 / static_cast<double>(graph.cardinality(v)));
}

Work JoinGraphPropagation::run(std::uint64_t iterations, const Stop& stop) {
  work_ = {};
  for (std::uint64_t i = 0; i < iterations && !is_converged() && !is_infeasible_; ++i)
    if (stop.requested() || !iterate(stop)) break;
  return work_;
}

bool JoinGraphPropagation::iterate(const Stop& stop) {
  const auto clusters = static_cast<std::uint32_t>(join_graph_.clusters().size());
  const double before = change_;
  change_ = 0;
  for (std::uint32_t i = 0; i < 2 * clusters && !is_infeasible_; ++i) {
    const bool is_forward = i < clusters;
    const std::uint32_t c = is_forward ? i : 2 * clusters - 1 - i;
    if (visit(c, is_forward ? Direction::kForward : Direction::kBackward, stop)) continue;
    change_ = before;
    return false;
  }
  ++iterations_;
  if (is_infeasible_) return true;
  log_partition_ = constant_score(graph_) + std::accumulate(cluster_log_sums_.begin(), cluster_log_sums_.end(), 0.0);
  for (std::size_t e = 0; e < messages_.size(); ++e) log_partition_ -= edge_log_sum(e);
  return true;
}

bool JoinGraphPropagation::visit(std::uint32_t c, Direction direction, const Stop& stop) {
  const JoinGraph::Cluster& cluster = join_graph_.clusters()[c];
  std::vector<Sums> sums;
  for (const std::uint32_t e : cluster.edges) {
    const JoinGraph::Edge& edge = join_graph_.edges()[e];
    if ((direction == Direction::kForward ? edge.earlier : edge.later) == c) sums.push_back({edge.separator, e, {}});
  }
  const std::size_t message_count = sums.size();
  if (direction == Direction::kBackward)
    for (const VariableId& v : cluster.represented) sums.push_back({{&v, 1}, v, {}});
  if (sums.empty() && direction == Direction::kForward) return true;
  if (!sum_rows(c, sums, stop)) return false;
  if (is_infeasible_) return true;
  for (std::size_t i = 0; i < sums.size(); ++i)
    if (i < message_count) send(sums[i], direction);
    else set_marginal(sums[i]);
  return true;
}

internal::TableRows JoinGraphPropagation::rows_of(std::uint32_t c) const {
  const JoinGraph::Cluster& cluster = join_graph_.clusters()[c];
  std::vector<std::size_t> cardinalities;
  for (const VariableId v : cluster.variables) cardinalities.push_back(graph_.cardinality(v));
  internal::TableRows rows(cardinalities);
  for (const FactorId f : cluster.factors)
    rows.add_source(graph_.table(f).data(), strides_in(graph_, graph_.scope(f), cluster.variables));
  for (const std::uint32_t e : cluster.edges)
    if (!message_to(c, e).empty())
      rows.add_source(message_to(c, e).data(), strides_in(graph_, join_graph_.edges()[e].separator, cluster.variables));
  return rows;
}

// Sets the cluster's shift to the highest log b_c(x).
bool JoinGraphPropagation::find_shift(std::uint32_t c, const Stop& stop) {
  internal::TableRows rows = rows_of(c);
  row_.resize(rows.row_size());
  double highest = kImpossible;
  do {
    rows.sum(row_.data());
    highest = std::max(highest, *std::ranges::max_element(row_));
    if (meter_.is_late(row_.size() * tables_of(c), stop)) return false;
  } while (rows.advance(0, rows.row_begin()));
  if (highest == kImpossible) give_up();
  shifts_[c] = highest;
  return true;
}

// Computes all sums and the cluster's log sum in one walk over the joint values, shifted by the log sum of the last
// visit; if that has moved too far, walks once more, shifted by the highest joint value.
bool JoinGraphPropagation::sum_rows(std::uint32_t c, std::span<Sums> sums, const Stop& stop) {
  for (bool is_exact : {false, true}) {
    if (shifts_[c] == kUnknown || is_exact) {
      if (!find_shift(c, stop)) return false;
      if (is_infeasible_) return true;
      is_exact = true;
    }
    internal::TableRows rows = rows_of(c);
    for (Sums& sum : sums) {
      const std::vector<std::size_t> strides = strides_in(graph_, sum.scope, join_graph_.clusters()[c].variables);
      sum.entries.assign(entry_count(graph_, sum.scope), 0.0);
      rows.add_target(sum.entries.data(), strides);
    }
    row_.resize(rows.row_size());
    double total = 0;
    do {
      rows.sum(row_.data());
      internal::exponentiate_shifted(row_.data(), row_.size(), shifts_[c]);
      total += std::accumulate(row_.begin(), row_.end(), 0.0);
      rows.scatter(row_.data());
      if (meter_.is_late(row_.size() * (tables_of(c) + sums.size() + kTableEntriesPerExponential), stop)) return false;
    } while (rows.advance(0, rows.row_begin()));
    if (!is_exact && !(total > kSmallestSum && total < kLargestSum)) continue;
    cluster_log_sums_[c] = shifts_[c] += std::log(total);
    return true;
  }
  return true;
}

void JoinGraphPropagation::send(const Sums& sums, Direction direction) {
  const std::size_t way = direction == Direction::kForward ? 0 : 1;
  const std::vector<double>& received = messages_[sums.id][1 - way];
  std::vector<double>& message = messages_[sums.id][way];
  if (message.empty()) message.assign(sums.entries.size(), 0.0);
  ++work_.factors;
  computed_.resize(message.size());
  double highest = kImpossible;
  for (std::size_t s = 0; s < message.size(); ++s) {
    const double divisor = received.empty() ? 0 : received[s];
    computed_[s] = divisor == kImpossible || sums.entries[s] == 0 ? kImpossible : std::log(sums.entries[s]) - divisor;
    highest = std::max(highest, computed_[s]);
  }
  for (std::size_t s = 0; s < message.size(); ++s) {
    double score = computed_[s] - highest;
    if (options_.damping > 0 && score > kImpossible && message[s] > kImpossible)
      score = options_.damping * message[s] + (1 - options_.damping) * score;
    change_ = std::max(change_, std::abs(std::exp(score) - std::exp(message[s])));
    message[s] = score;
  }
}

void JoinGraphPropagation::set_marginal(const Sums& sums) {
  const double total = std::accumulate(sums.entries.begin(), sums.entries.end(), 0.0);
  std::vector<double>& marginal = marginals_[sums.id];
  for (std::size_t k = 0; k < marginal.size(); ++k) marginal[k] = sums.entries[k] / total;
}

// log sum_s h_c->e(s) h_e->c(s)
double JoinGraphPropagation::edge_log_sum(std::size_t e) const {
  const std::vector<double>&forth = messages_[e][0], &back = messages_[e][1];
  double highest = kImpossible, sum = 0;
  for (std::size_t s = 0; s < forth.size(); ++s) highest = std::max(highest, forth[s] + back[s]);
  for (std::size_t s = 0; s < forth.size(); ++s) sum += std::exp(forth[s] + back[s] - highest);
  return highest + std::log(sum);
}

void JoinGraphPropagation::give_up() {
  is_infeasible_ = true;
  log_partition_ = kImpossible;
  for (std::vector<double>& marginal : marginals_) std::ranges::fill(marginal, 0.0);
}

}  // namespace fovea::graph
