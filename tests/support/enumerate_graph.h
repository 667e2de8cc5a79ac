// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <limits>
#include <map>
#include <span>
#include <vector>

#include "fovea/graph/model/factor_graph.h"
#include "fovea/mcmc/conditional_model.h"

namespace fovea::testing {

/// Calls visit(assignment, log score) for every assignment of a small graph, the last variable fastest.
template <class Visit>
void for_each_assignment(const graph::FactorGraph& graph, const Visit& visit) {
  Assignment y(graph.variable_count(), 0);
  for (;;) {
    visit(static_cast<const Assignment&>(y), graph.log_score(y));
    std::size_t v = y.size();
    while (v > 0 && ++y[v - 1] == graph.cardinality(static_cast<VariableId>(v - 1))) y[--v] = 0;
    if (v == 0) return;
  }
}

/// The answers of brute force about a graph.
struct EnumeratedGraph {
  double log_z = -std::numeric_limits<double>::infinity();
  ScoredAssignment best = {};                       ///< the first of the highest; not found() if none is feasible
  std::vector<std::vector<double>> marginals = {};  ///< [variable][value], linear domain; 0 if none is feasible
};

inline EnumeratedGraph enumerate_graph(const graph::FactorGraph& graph) {
  EnumeratedGraph result;
  for (VariableId v = 0; v < graph.variable_count(); ++v) result.marginals.emplace_back(graph.cardinality(v), 0.0);
  for_each_assignment(graph, [&](const Assignment& y, double score) {
    if (score > result.best.score) result.best = {y, score};
  });
  if (!result.best.found()) return result;
  double sum = 0;
  for_each_assignment(graph, [&](const Assignment& y, double score) {
    const double weight = std::exp(score - result.best.score);
    sum += weight;
    for (std::size_t v = 0; v < y.size(); ++v) result.marginals[v][y[v]] += weight;
  });
  for (std::vector<double>& marginal : result.marginals)
    for (double& p : marginal) p /= sum;
  result.log_z = result.best.score + std::log(sum);
  return result;
}

/// The log of the sum over all assignments that agree with `values` on `variables`.
inline double enumerate_log_sum(const graph::FactorGraph& graph, std::span<const VariableId> variables,
                                std::span<const Value> values) {
  double sum = 0;
  for_each_assignment(graph, [&](const Assignment& y, double score) {
    for (std::size_t i = 0; i < variables.size(); ++i)
      if (y[variables[i]] != values[i]) return;
    sum += std::exp(score);
  });
  return std::log(sum);
}

/// Marginal MAP by brute force: values of the query variables (in their order) that maximise the log of the sum over
/// all others, and that log; not found() if none is feasible. Scores must be moderate (no scaling).
inline ScoredAssignment enumerate_marginal_map(const graph::FactorGraph& graph, std::span<const VariableId> query) {
  std::map<Assignment, double> sums;
  for_each_assignment(graph, [&](const Assignment& y, double score) {
    Assignment key;
    for (const VariableId v : query) key.push_back(y[v]);
    sums[key] += std::exp(score);
  });
  ScoredAssignment best;
  for (const auto& [key, sum] : sums)
    if (std::log(sum) > best.score) best = {key, std::log(sum)};
  return best;
}

/// The probability of every assignment that is possible.
inline std::map<Assignment, double> law_of(const graph::FactorGraph& graph) {
  const double log_z = enumerate_graph(graph).log_z;
  std::map<Assignment, double> law;
  for_each_assignment(graph, [&](const Assignment& y, double score) {
    if (score > -std::numeric_limits<double>::infinity()) law[y] = std::exp(score - log_z);
  });
  return law;
}

}  // namespace fovea::testing
