// SPDX-License-Identifier: Apache-2.0
#include "fovea/graph/local_search/conditional_modes.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>
#include <vector>

namespace fovea::graph {
namespace {

constexpr VariableId kVariablesBetweenLooks = 1024;

/// Least gain of a change, of the size of the score: what rounding alone could make would let ties go round for ever.
constexpr double kLeastGain = 1e-12;

/// The place of the largest score; the first of equal ones.
Value place_of_largest(std::span<const double> scores) {
  return static_cast<Value>(std::ranges::max_element(scores) - scores.begin());
}

}  // namespace

Assignment own_modes(const FactorGraph& graph) {
  Assignment values(graph.variable_count(), 0);
  std::vector<double> scores;
  for (VariableId v = 0; v < graph.variable_count(); ++v) {
    scores.assign(graph.cardinality(v), 0);
    for (const FactorGraph::Incidence& incidence : graph.incidences(v)) {
      if (graph.scope(incidence.factor).size() > 1) continue;
      const std::span<const double> table = graph.table(incidence.factor);
      for (std::size_t k = 0; k < scores.size(); ++k) scores[k] += table[k];
    }
    values[v] = place_of_largest(scores);
  }
  return values;
}

std::uint64_t climb_to_conditional_modes(const FactorGraph& graph, double penalty, Assignment& values,
                                         const Stop& stop) {
  std::vector<char> is_due(graph.variable_count(), 1);
  std::vector<double> scores;
  std::uint64_t visits = 0;
  for (bool has_changed = true; has_changed;) {
    has_changed = false;
    for (VariableId v = 0; v < graph.variable_count(); ++v) {
      if (v % kVariablesBetweenLooks == 0 && stop.requested()) return visits;
      if (!is_due[v]) continue;
      is_due[v] = 0;
      ++visits;
      scores.assign(graph.cardinality(v), 0);
      for (const auto& [factor, position] : graph.incidences(v)) {
        const std::size_t stride = graph.strides(factor)[position];
        const double* entry = graph.table(factor).data() + graph.entry_index(factor, values) - stride * values[v];
        for (double& score : scores) {
          score += std::max(*entry, -penalty);
          entry += stride;
        }
      }
      const Value best = place_of_largest(scores);
      const double now = scores[values[v]];
      if (!(scores[best] > now + kLeastGain * (1 + std::abs(now)))) continue;
      values[v] = best;
      has_changed = true;
      for (const VariableId neighbour : graph.markov_blanket(v)) is_due[neighbour] = 1;
    }
  }
  return visits;
}

}  // namespace fovea::graph
