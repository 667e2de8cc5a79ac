// SPDX-License-Identifier: Apache-2.0
#include "fovea/graph/propagation/potts_tables.h"

#include <algorithm>
#include <limits>

namespace fovea::graph {

PottsTables::PottsTables(const FactorGraph& graph) {
  std::vector<Scores> scores(graph.table_count());
  std::vector<bool> is_seen(graph.table_count(), false);
  bool has_any = false;
  for (FactorId f = 0; f < graph.factor_count(); ++f) {
    const TableId table = graph.table_id(f);
    if (is_seen[table]) continue;
    is_seen[table] = true;
    const std::span<const VariableId> scope = graph.scope(f);
    if (scope.size() != 2 || graph.cardinality(scope[0]) != graph.cardinality(scope[1])) continue;
    scores[table] = scores_of(graph.table(f), graph.cardinality(scope[0]));
    has_any = has_any || scores[table].is_potts;
  }
  if (has_any) scores_ = std::move(scores);
}

PottsTables::Scores PottsTables::scores_of(std::span<const double> table, std::size_t cardinality) {
  if (cardinality < kMinCardinality) return {};
  for (std::size_t i = 0; i < table.size(); ++i)
    if (table[i] != table[i % (cardinality + 1) == 0 ? 0 : 1]) return {};
  return {.is_potts = true, .same = table[0], .different = table[1]};
}

void PottsTables::maximize(TableId table, const double* vector, std::size_t cardinality, double* message) const {
  const Scores& scores = scores_[table];
  double best = -std::numeric_limits<double>::infinity(), second = best;
  std::size_t best_value = 0;
  for (std::size_t k = 0; k < cardinality; ++k) {
    if (vector[k] > best) {
      second = best;
      best = vector[k];
      best_value = k;
    } else {
      second = std::max(second, vector[k]);
    }
  }
  for (std::size_t x = 0; x < cardinality; ++x)
    message[x] = std::max(vector[x] + scores.same, (x == best_value ? second : best) + scores.different);
}

}  // namespace fovea::graph
