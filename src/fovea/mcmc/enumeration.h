// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "fovea/base/error.h"
#include "fovea/mcmc/conditional_model.h"

namespace fovea::mcmc {

/// Limit of enumeration, which answers by scoring every assignment of a model: the reference for all faster methods.
inline constexpr double kMaxEnumeratedAssignments = 1e7;

namespace internal {
[[noreturn]] inline void refuse_enumeration(double assignments) {
  throw LimitError(
      fmt::format("enumeration of {:g} assignments is refused (limit {:g})", assignments, kMaxEnumeratedAssignments));
}
}  // namespace internal

/// Calls visit(assignment, log score) for every assignment, the last variable varying fastest. Throws LimitError above
/// kMaxEnumeratedAssignments.
template <ConditionalModel Model, class Visit>
void enumerate_assignments(const Model& model, Visit&& visit) {
  const std::size_t n = model.variable_count();
  double assignments = 1;
  for (VariableId v = 0; v < n; ++v) assignments *= static_cast<double>(model.cardinality(v));
  if (assignments > kMaxEnumeratedAssignments) internal::refuse_enumeration(assignments);
  Assignment y(n, 0);
  if (assignments == 0) return;
  while (true) {
    visit(static_cast<const Assignment&>(y), model.log_score(y));
    std::size_t v = n;
    while (v > 0 && ++y[v - 1] == model.cardinality(static_cast<VariableId>(v - 1))) y[--v] = 0;
    if (v == 0) return;
  }
}

struct EnumerationResult {
  double log_z = -std::numeric_limits<double>::infinity();
  ScoredAssignment best;                       ///< the first with the highest score; score -inf if none is feasible
  std::vector<std::vector<double>> marginals;  ///< [variable][value], linear domain; 0 if infeasible
};

/// Sums and the maximum over all assignments; two passes, so that no precision is lost.
template <ConditionalModel Model>
EnumerationResult enumerate(const Model& model) {
  EnumerationResult result;
  result.best.values.assign(model.variable_count(), 0);
  for (VariableId v = 0; v < model.variable_count(); ++v) result.marginals.emplace_back(model.cardinality(v), 0.0);
  enumerate_assignments(model, [&](const Assignment& y, double score) {
    if (score > result.best.score) result.best = {y, score};
  });
  const double highest = result.best.score;
  if (highest == -std::numeric_limits<double>::infinity()) return result;
  double sum = 0;
  enumerate_assignments(model, [&](const Assignment& y, double score) {
    const double weight = std::exp(score - highest);
    sum += weight;
    for (std::size_t v = 0; v < y.size(); ++v) result.marginals[v][y[v]] += weight;
  });
  for (auto& marginal : result.marginals)
    for (double& p : marginal) p /= sum;
  result.log_z = highest + std::log(sum);
  return result;
}

/// The n best feasible assignments, best first; ties are broken by the order of enumeration. Fewer if fewer are
/// feasible.
template <ConditionalModel Model>
std::vector<ScoredAssignment> enumerate_n_best(const Model& model, std::size_t n) {
  std::vector<ScoredAssignment> best;
  const auto higher = [](const ScoredAssignment& a, const ScoredAssignment& b) { return a.score > b.score; };
  enumerate_assignments(model, [&](const Assignment& y, double score) {
    if (n == 0 || score == -std::numeric_limits<double>::infinity()) return;
    if (best.size() == n && !(score > best.back().score)) return;
    if (best.size() == n) best.pop_back();
    const ScoredAssignment candidate{y, score};
    best.insert(std::upper_bound(best.begin(), best.end(), candidate, higher), candidate);
  });
  return best;
}

}  // namespace fovea::mcmc
