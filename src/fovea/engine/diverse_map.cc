// SPDX-License-Identifier: Apache-2.0
#include "fovea/engine/diverse_map.h"

#include <fmt/format.h>

#include <algorithm>

#include "fovea/engine/map_solver.h"

namespace fovea {
namespace {

using Answers = std::vector<ScoredAssignment>;

constexpr int kSteps = 12;  // of the search for the penalty of one answer

std::size_t distance(const Assignment& a, const Assignment& b) {
  std::size_t differing = 0;
  for (std::size_t v = 0; v < a.size(); ++v) differing += a[v] != b[v];
  return differing;
}

bool is_far_from(const Assignment& values, const Answers& answers, int least) {
  return std::all_of(answers.begin(), answers.end(), [&](const ScoredAssignment& other) {
    return distance(values, other.values) >= static_cast<std::size_t>(least);
  });
}

/// The model with `penalty` taken off for every variable and answer that agree.
FactorGraph penalised(const FactorGraph& graph, const Answers& answers, double penalty) {
  FactorGraph::Builder builder;
  for (const std::uint32_t cardinality : graph.cardinalities()) builder.add_variable(cardinality);
  for (TableId t = 0; t < graph.table_count(); ++t) builder.add_table(graph.shared_table(t));
  for (FactorId f = 0; f < graph.factor_count(); ++f) builder.add_factor(graph.scope(f), graph.table_id(f));
  for (VariableId v = 0; v < graph.variable_count(); ++v) {
    std::vector<double> scores(graph.cardinality(v), 0);
    for (const ScoredAssignment& answer : answers) scores[answer.values[v]] -= penalty;
    builder.add_factor(std::span(&v, 1), scores);
  }
  return builder.build();
}

/// A penalty that surely moves something: the mean difference between the values of a variable, all else fixed.
double first_penalty(const FactorGraph& graph, const Assignment& values) {
  double sum = 0;
  std::size_t count = 0;
  std::vector<double> scores(graph.max_cardinality());
  for (VariableId v = 0; v < graph.variable_count(); ++v) {
    graph.conditional_scores(v, values, scores);
    for (std::size_t k = 0; k < graph.cardinality(v); ++k) {
      const double loss = scores[values[v]] - scores[k];
      if (k == values[v] || !(loss < std::numeric_limits<double>::infinity())) continue;
      sum += std::abs(loss);
      ++count;
    }
  }
  return count == 0 ? 1 : std::max(sum / static_cast<double>(count) / 16, 1e-6);
}

}  // namespace

std::vector<ScoredAssignment> find_diverse(const FactorGraph& graph, const ScoredAssignment& best,
                                           const SolveRequest& request, SolveLog& log) {
  Answers answers = {best};
  const int wanted = request.options.diverse, least = request.options.distance;
  log.phase("diverse answers", [&] {
    SolveRequest inner = request;
    inner.on_improvement = {};
    double penalty = first_penalty(graph, best.values);
    while (static_cast<int>(answers.size()) < wanted && !request.limits.stop.requested()) {
      ScoredAssignment found;
      double too_small = 0;
      for (int step = 0; step < kSteps && !request.limits.stop.requested(); ++step) {
        // Each step may take its share of the time that is left for all answers.
        const double steps_left = kSteps * (wanted - static_cast<double>(answers.size())) - step;
        inner.limits.stop = request.limits.within(std::min(1.0, request.limits.stop.seconds_left() / steps_left));
        SolveLog inner_log({});
        const MapAnswer answer = solve_map(penalised(graph, answers, penalty), best.values, inner, inner_log);
        log.spend(inner_log.work());
        if (is_far_from(answer.best.values, answers, least)) {
          const double score = graph.log_score(answer.best.values);
          if (!found.found() || score > found.score) found = {answer.best.values, score};
          penalty = (too_small + penalty) / 2;
        } else {
          too_small = penalty;
          penalty *= found.found() ? 1.25 : 2;
        }
      }
      if (!found.found()) break;
      answers.push_back(std::move(found));
    }
    std::stable_sort(answers.begin(), answers.end(),
                     [](const ScoredAssignment& a, const ScoredAssignment& b) { return a.score > b.score; });
    return fmt::format("{} of {} answers at a distance of at least {}", answers.size(), wanted, least);
  });
  return answers;
}

}  // namespace fovea
