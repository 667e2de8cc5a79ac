// SPDX-License-Identifier: Apache-2.0
#include "fovea/graph/propagation/message_layout.h"

#include <limits>

namespace fovea::graph {

std::vector<double> unary_scores(const FactorGraph& graph, const MessageLayout& layout) {
  std::vector<double> scores(layout.variable_size(), 0.0);
  for (FactorId f = 0; f < graph.factor_count(); ++f) {
    if (graph.scope(f).size() != 1) continue;
    double* score = scores.data() + layout.variable_begin(graph.scope(f)[0]);
    for (const double entry : graph.table(f)) *score++ += entry;
  }
  return scores;
}

double constant_score(const FactorGraph& graph) {
  double score = 0;
  for (FactorId f = 0; f < graph.factor_count(); ++f)
    if (graph.scope(f).empty()) score += graph.table(f)[0];
  return score;
}

double score_until(const FactorGraph& graph, std::span<const Value> y, const Stop& stop) {
  constexpr FactorId kFactorsBetweenLooks = 1 << 14;
  double score = 0;
  for (FactorId f = 0; f < graph.factor_count(); ++f) {
    score += graph.factor_score(f, y);
    if (f % kFactorsBetweenLooks == kFactorsBetweenLooks - 1 && stop.requested())
      return -std::numeric_limits<double>::infinity();
  }
  return score;
}

}  // namespace fovea::graph
