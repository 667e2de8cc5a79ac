// SPDX-License-Identifier: Apache-2.0
#include "fovea/graph/solve/solve.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "fovea/base/error.h"
#include "fovea/base/log_math.h"
#include "fovea/graph/map/diverse_map.h"
#include "fovea/graph/map/map_solver.h"
#include "fovea/graph/sums/marginal_map_solver.h"
#include "fovea/graph/sums/sum_solver.h"
#include "fovea/graph/task/solve_log.h"

namespace fovea::graph {
namespace {

constexpr double kReducingShare = 0.5;  // of the time left
constexpr VariableId kDecided = std::numeric_limits<VariableId>::max();

/// [variable of the whole model] -> variable of the reduced one, or kDecided.
std::vector<VariableId> reduced_numbers(const Reduction& reduction) {
  std::vector<VariableId> numbers(reduction.decided.size(), kDecided);
  for (std::size_t v = 0; v < reduction.variables.size(); ++v)
    numbers[reduction.variables[v]] = static_cast<VariableId>(v);
  return numbers;
}

std::vector<VariableId> reduced_query(const std::vector<VariableId>& whole, const Reduction& reduction) {
  const std::vector<VariableId> numbers = reduced_numbers(reduction);
  std::vector<VariableId> query;
  for (const VariableId v : whole)
    if (numbers[v] != kDecided) query.push_back(numbers[v]);
  return query;
}

/// True if the costs stay below the bound by more than the rounding of sums.
bool is_cheap_enough(double score, double cost_bound) {
  constexpr double kRounding = 1e-12;
  return cost_bound == kInfinity || -score < cost_bound - kRounding * std::max(1.0, std::abs(cost_bound));
}

void check_query(const FactorGraph& graph, const std::vector<VariableId>& query, const Evidence& evidence) {
  std::vector<char> seen(graph.variable_count());
  for (const VariableId v : query) {
    if (v >= seen.size()) throw UsageError(fmt::format("query variable {}: there are {} variables", v, seen.size()));
    if (std::exchange(seen[v], 1)) throw UsageError(fmt::format("query variable {} is named twice", v));
  }
  for (const Observation& observation : evidence)
    if (seen[observation.variable])
      throw UsageError(
          fmt::format("variable {} is in the query and observed; leave one of them out", observation.variable));
}

/// Marginals of the whole model from those of the reduced one.
std::vector<std::vector<double>> lift_marginals(const FactorGraph& whole, const Reduction& reduction,
                                                const std::vector<std::vector<double>>& reduced) {
  std::vector<std::vector<double>> marginals(whole.variable_count());
  for (VariableId v = 0; v < marginals.size(); ++v) {
    marginals[v].assign(whole.cardinality(v), 0);
    marginals[v][reduction.decided[v]] = 1;
  }
  for (VariableId v = 0; v < reduced.size(); ++v) {
    std::vector<double>& marginal = marginals[reduction.variables[v]];
    std::ranges::fill(marginal, 0);
    for (std::size_t k = 0; k < reduced[v].size(); ++k) marginal[reduction.values[v][k]] = reduced[v][k];
  }
  return marginals;
}

/// Throws if the answer reaches the bound: InfeasibleError if it was proved that every assignment does, else
/// LimitError.
void check_cost(double cost_bound, const MapResult& result) {
  if (is_cheap_enough(result.best.score, cost_bound)) return;
  if (!is_cheap_enough(result.bound, cost_bound))
    throw InfeasibleError(
        fmt::format("no assignment is possible: all cost at least {:.10g}, and what costs {:.10g} or "
                    "more is excluded by the upper bound of the model",
                    -result.bound, cost_bound));
  throw LimitError(
      fmt::format("no assignment was found that costs less than the upper bound of the model, {:.10g}; "
                  "allow more time",
                  cost_bound));
}

/// First step of every task. Throws InfeasibleError if evidence and constraints leave no assignment.
Reduction reduce_first(const FactorGraph& graph, const Evidence& evidence, const Run& run, SolveLog& log) {
  Reduction reduction;
  log.phase("evidence and constraints", [&] {
    reduction = reduce(graph, evidence, run.stop.within(kReducingShare * run.stop.seconds_left()));
    return fmt::format("{} of {} variables left, {} of {} factors", reduction.graph->variable_count(),
                       graph.variable_count(), reduction.graph->factor_count(), graph.factor_count());
  });
  return reduction;
}

/// Assignment of the whole model for one of the reduced model, scored by the tables as given, so that the user can
/// check it.
ScoredAssignment lifted(const FactorGraph& graph, const Reduction& reduction, const Assignment& values) {
  ScoredAssignment whole = {.values = reduction.lift(values)};
  whole.score = graph.log_score(whole.values);
  return whole;
}

void take_sums(const SumAnswer& answer, PartitionResult& result) {
  result.method = answer.method;
  result.status = answer.is_exact ? SolveStatus::kExact : SolveStatus::kEstimate;
  result.log_partition = answer.log_partition;
  result.log_partition_error = answer.log_partition_error;
  result.log_partition_bound = answer.log_partition_bound;
}

}  // namespace

MapResult solve_map(const FactorGraph& graph, const Evidence& evidence, const MapOptions& options, const Run& run) {
  validate(options);
  SolveLog log(run.progress, run.phases);
  const Reduction reduction = reduce_first(graph, evidence, run, log);
  MapOptions reduced = options;
  if (!options.start.empty()) reduced.start = reduction.restrict(options.start);
  Run first = run;
  if (options.diverse > 1) first.stop = run.stop.within(run.stop.seconds_left() / 2);
  const MapAnswer answer = find_map(*reduction.graph, reduced, first, log);
  MapResult result;
  result.method = answer.method;
  result.status = answer.is_optimal ? SolveStatus::kExact : SolveStatus::kBestSoFar;
  result.best = lifted(graph, reduction, answer.best.values);
  result.bound = answer.is_optimal ? result.best.score : std::max(answer.upper_bound, result.best.score);
  check_cost(options.cost_bound, result);
  result.searchers = answer.searchers;
  if (!answer.visits.empty()) result.visits.assign(graph.variable_count(), 0);
  for (std::size_t v = 0; v < answer.visits.size(); ++v) result.visits[reduction.variables[v]] = answer.visits[v];
  if (options.diverse > 1) {
    const DiverseAnswers found = find_diverse(*reduction.graph, answer.best, reduced, run, log);
    result.diverse_is_complete = found.is_complete;
    for (const ScoredAssignment& other : found.answers) {
      const ScoredAssignment whole = lifted(graph, reduction, other.values);
      if (is_cheap_enough(whole.score, options.cost_bound)) result.diverse.push_back(whole);
    }
  }
  log.finish(result);
  return result;
}

MarginalsResult solve_marginals(const FactorGraph& graph, const Evidence& evidence, const SumOptions& options,
                                const Run& run) {
  validate(options);
  SolveLog log(run.progress, run.phases);
  const Reduction reduction = reduce_first(graph, evidence, run, log);
  const SumAnswer answer = find_sums(*reduction.graph, /*wants_marginals=*/true, options, run, log);
  MarginalsResult result;
  take_sums(answer, result);
  const std::size_t decided = graph.variable_count() - reduction.graph->variable_count();
  result.exact_variables = decided + answer.exact_variables;
  result.marginals = lift_marginals(graph, reduction, answer.marginals);
  result.max_standard_error = answer.max_standard_error;
  result.max_r_hat = answer.max_r_hat;
  result.min_effective_samples = answer.min_effective_samples;
  result.mixing = answer.mixing;
  result.unmoved_variables = answer.unmoved_variables;
  log.finish(result);
  return result;
}

PartitionResult solve_partition(const FactorGraph& graph, const Evidence& evidence, const SumOptions& options,
                                const Run& run) {
  validate(options);
  SolveLog log(run.progress, run.phases);
  PartitionResult result;
  try {
    const Reduction reduction = reduce_first(graph, evidence, run, log);
    take_sums(find_sums(*reduction.graph, /*wants_marginals=*/false, options, run, log), result);
  } catch (const InfeasibleError&) {
    result.status = SolveStatus::kExact;  // nothing is possible: Z = 0
    result.method = "constraints";
    result.log_partition = result.log_partition_bound = -std::numeric_limits<double>::infinity();
    result.log_partition_error = 0;
  }
  log.finish(result);
  return result;
}

MarginalMapResult solve_marginal_map(const FactorGraph& graph, const std::vector<VariableId>& query,
                                     const Evidence& evidence, const MarginalMapOptions& options, const Run& run) {
  check_query(graph, query, evidence);
  SolveLog log(run.progress, run.phases);
  const Reduction reduction = reduce_first(graph, evidence, run, log);
  const MapAnswer answer = find_marginal_map(*reduction.graph, reduced_query(query, reduction), options, run, log);
  const Assignment whole = reduction.lift(answer.best.values);
  MarginalMapResult result;
  result.best.values.assign(whole.size(), 0);
  for (const VariableId v : query) result.best.values[v] = whole[v];
  result.best.score = answer.best.score;
  result.bound = answer.upper_bound;
  result.method = answer.method;
  result.status = answer.is_optimal     ? SolveStatus::kExact
                  : answer.is_estimated ? SolveStatus::kEstimate
                                        : SolveStatus::kBestSoFar;
  log.finish(result);
  return result;
}

}  // namespace fovea::graph
