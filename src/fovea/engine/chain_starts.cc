// SPDX-License-Identifier: Apache-2.0
#include "fovea/engine/chain_starts.h"

#include <algorithm>
#include <limits>

#include "fovea/engine/map_solver.h"

namespace fovea {
namespace {

constexpr double kSearchShare = 0.1, kLongestSearchSeconds = 2;  // of the time left, for each search
constexpr double kSearchSweeps = 200;

Assignment random_assignment(const FactorGraph& graph, Random random) {
  Assignment values(graph.variable_count());
  for (VariableId v = 0; v < values.size(); ++v)
    values[v] = static_cast<Value>(random.uniform_index(static_cast<std::uint32_t>(graph.cardinality(v))));
  return values;
}

Assignment searched_assignment(const FactorGraph& graph, const SolveLimits& limits, const Random& random) {
  // Without a deadline the sweeps alone end it: who draws a number of samples wants the same ones on every machine.
  const Stop& stop = limits.stop;
  const double seconds = std::min(kSearchShare * stop.seconds_left(), kLongestSearchSeconds);
  const SolveRequest request = {.graph = graph,
                                .options = {.method = "search"},
                                .limits = {.stop = stop.has_deadline() ? stop.within(seconds) : stop,
                                           .budget = {.sweeps = kSearchSweeps},
                                           .threads = limits.threads},
                                .random = random};
  SolveLog quiet({});
  return solve_map(graph, {}, request, quiet).best.values;
}

}  // namespace

std::vector<Assignment> find_chain_starts(const FactorGraph& graph, std::size_t count, const SolveLimits& limits,
                                          const Random& random) {
  std::vector<Assignment> starts;
  for (std::size_t c = 0; c < count; ++c) {
    const Random stream = random.child("start", c);
    starts.push_back(random_assignment(graph, stream));
    if (graph.log_score(starts.back()) == -std::numeric_limits<double>::infinity())
      starts.back() = searched_assignment(graph, limits, stream);
  }
  return starts;
}

}  // namespace fovea
