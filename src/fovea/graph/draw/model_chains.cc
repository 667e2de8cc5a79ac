// SPDX-License-Identifier: Apache-2.0
#include "fovea/graph/draw/model_chains.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "fovea/base/log_math.h"
#include "fovea/graph/colour/blocked_chain.h"
#include "fovea/graph/map/map_solver.h"
#include "fovea/graph/temper/tempered_chain.h"

namespace fovea::graph {
namespace {

template <class T>
std::unique_ptr<const T> kept(std::optional<T> built) {
  return built ? std::make_unique<const T>(std::move(*built)) : nullptr;
}

bool is_constrained(const FactorGraph& graph) {
  for (TableId t = 0; t < graph.table_count(); ++t)
    if (std::ranges::count(graph.shared_table(t), kImpossible) > 0) return true;
  return false;
}

constexpr double kSearchShare = 0.1, kLongestSearchSeconds = 2;  // of the time left, for each search
constexpr double kSearchSweeps = 200;

Assignment random_assignment(const FactorGraph& graph, Random random) {
  Assignment values(graph.variable_count());
  for (VariableId v = 0; v < values.size(); ++v)
    values[v] = static_cast<Value>(random.uniform_index(static_cast<std::uint32_t>(graph.cardinality(v))));
  return values;
}

/// The model's constraints with random scores in place of its own: any assignment that satisfies the constraints may
/// score best there, so searches for the best one start chains apart from each other.
FactorGraph with_random_scores(const FactorGraph& graph, Random random) {
  FactorGraph::Builder builder;
  for (VariableId v = 0; v < graph.variable_count(); ++v) builder.add_variable(graph.cardinality(v));
  std::vector<TableId> tables;
  for (TableId t = 0; t < graph.table_count(); ++t) {
    std::vector<double> scores(graph.shared_table(t).begin(), graph.shared_table(t).end());
    for (double& score : scores)
      if (score > kImpossible) score = 0;
    tables.push_back(builder.add_table(scores));
  }
  for (FactorId f = 0; f < graph.factor_count(); ++f) builder.add_factor(graph.scope(f), tables[graph.table_id(f)]);
  std::vector<double> scores;
  for (VariableId v = 0; v < graph.variable_count(); ++v) {
    scores.assign(graph.cardinality(v), 0);
    for (double& score : scores) score = -std::log(random.exponential());  // Gumbel distribution
    builder.add_factor(std::span(&v, 1), scores);
  }
  return builder.build();
}

Assignment searched_assignment(const FactorGraph& graph, const Run& run) {
  // Without a deadline only the sweeps end it: a user who draws a number of samples wants the same ones on every
  // machine.
  const double seconds = std::min(kSearchShare * run.stop.seconds_left(), kLongestSearchSeconds);
  const FactorGraph scattered = with_random_scores(graph, run.random.child("scores"));
  const Run search = {.stop = run.stop.has_deadline() ? run.stop.within(seconds) : run.stop,
                      .budget = {.sweeps = kSearchSweeps},
                      .threads = run.threads,
                      .random = run.random};
  SolveLog quiet({});
  return find_map(scattered, {.method = SolveMethod::kSearch}, search, quiet).best.values;
}

}  // namespace

std::vector<Assignment> find_initial_states(const FactorGraph& graph, std::size_t count, const Run& run) {
  std::vector<Assignment> starts;
  for (std::size_t c = 0; c < count; ++c) {
    const Run stream = run.with(run.random.child("start", c));
    starts.push_back(random_assignment(graph, stream.random));
    if (graph.log_score(starts.back()) == kImpossible) starts.back() = searched_assignment(graph, stream);
  }
  return starts;
}

std::optional<ModelChains> ModelChains::build(const FactorGraph& graph, const std::vector<double>& inverse_temperatures,
                                              std::vector<Assignment> starts, const Random& random, const Stop& stop) {
  ModelChains made;
  made.inverse_temperatures_ = inverse_temperatures;
  if (inverse_temperatures.size() > 1)
    made.tables_ = kept(SoftTables::build(graph, default_violation_penalty(graph, stop), stop));
  else made.gibbs_ = kept(ColourGibbs::build(graph, stop));
  made.has_constraints_ = is_constrained(graph);
  if (!made.gibbs_ && !made.tables_) return std::nullopt;
  for (std::size_t c = 0; c < starts.size(); ++c) {
    if (stop.requested()) return std::nullopt;
    made.chains_.push_back(made.chain_from(std::move(starts[c]), random.child("chain", c)));
  }
  return made;
}

TargetChain ModelChains::chain_from(Assignment start, const Random& random) const {
  if (tables_) return TargetChain(TemperedChain(*tables_, inverse_temperatures_, std::move(start), random));
  if (has_constraints_) return TargetChain(BlockedChain(*gibbs_, std::move(start), random));
  return TargetChain(ColourChain(*gibbs_, std::move(start), random));
}

}  // namespace fovea::graph
