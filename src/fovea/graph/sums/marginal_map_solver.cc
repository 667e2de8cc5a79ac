// SPDX-License-Identifier: Apache-2.0
#include "fovea/graph/sums/marginal_map_solver.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <optional>
#include <string>
#include <utility>

#include "fovea/base/error.h"
#include "fovea/base/log_math.h"
#include "fovea/graph/propagation/belief_propagation.h"
#include "fovea/graph/sums/query_search.h"
#include "fovea/graph/sums/query_sums.h"
#include "fovea/graph/tables/partition_guess.h"
#include "fovea/graph/tree/marginal_map.h"

namespace fovea::graph {
namespace {

constexpr double kExactShare = 0.4, kStartShare = 0.2, kQueryTreeShare = 0.2;  // of the time left
constexpr double kHopelessQueryLog2Width = 40;
constexpr std::uint64_t kStartIterations = 100;
constexpr double kStartSweeps = 100;                 // for the likeliest assignment
constexpr std::uint64_t kUntimedDisturbances = 100;  // without any limit

/// One run of find_marginal_map: each function is a phase.
class MarginalMapSolver {
 public:
  MarginalMapSolver(const FactorGraph& graph, const std::vector<VariableId>& query, const MarginalMapOptions& options,
                    const Run& run, SolveLog& log)
      : graph_(graph), query_(query), options_(options), run_(run), log_(log) {}

  MapAnswer run() {
    if (method() == SolveMethod::kExact) {
      log_.phase("marginal MAP", [&] { return prove(stop(), transition_limit()); });
    } else {
      bound();
      if (method() != SolveMethod::kSearch) try_to_prove();
      if (!answer_.is_optimal && !run_.is_cancelled()) search();
    }
    if (!answer_.best.found()) refuse();
    answer_.best.score = std::min(answer_.best.score, answer_.upper_bound);
    return std::move(answer_);
  }

 private:
  SolveMethod method() const { return options_.method; }
  const Stop& stop() const { return run_.stop; }
  Random random(const char* name) const { return run_.random.child(name); }

  std::uint64_t transition_limit() const { return run_.transition_limit(graph_.variable_count()); }
  std::uint64_t transitions_left() const {
    const std::uint64_t limit = transition_limit();
    return limit - std::min(limit, log_.work().transitions);
  }

  /// Bounds scores by one look at the tables.
  void bound() {
    log_.phase("first bound", [&]() -> std::string {
      std::vector<char> is_query(graph_.variable_count(), 0);
      for (const VariableId v : query_) is_query[v] = 1;
      const std::optional<PartitionGuess> guess = guess_partition(graph_, stop(), is_query);
      if (!guess) return "out of time";
      answer_.upper_bound = guess->upper_bound;
      return fmt::format("at most {:.6g}", guess->upper_bound);
    });
  }

  std::string prove(const Stop& share, std::uint64_t max_nodes) {
    const MarginalMap found = maximise_marginal(graph_, query_,
                                                {.memory_limit = static_cast<double>(run_.memory_bytes),
                                                 .max_nodes = max_nodes,
                                                 .elimination = {.max_log2_width = kHopelessQueryLog2Width}},
                                                random("marginal MAP"), share);
    answer_.upper_bound = std::min(answer_.upper_bound, found.upper_bound);
    log_.spend({.transitions = found.nodes});
    if (found.best.found()) {
      Assignment values(graph_.variable_count(), 0);
      for (std::size_t i = 0; i < query_.size(); ++i) values[query_[i]] = found.best.values[i];
      take({.values = std::move(values), .score = found.best.score},
           found.nodes == 0 ? "junction tree" : "branch and bound", false);
      answer_.is_optimal = found.is_optimal;
    }
    return fmt::format("{} nodes", found.nodes);
  }

  void try_to_prove() {
    const Stop share = stop().within(kExactShare * stop().seconds_left());
    const std::uint64_t limit = transition_limit();
    log_.phase("marginal MAP", [&]() -> std::string {
      try {
        return prove(share, limit == std::numeric_limits<std::uint64_t>::max() ? limit : limit / 2);
      } catch (const LimitError&) {
        return "too wide, or no order found in its share of the time";
      }
    });
  }

  void take(ScoredAssignment found, const char* method, bool is_estimated) {
    answer_.best = std::move(found);
    answer_.method = method;
    answer_.is_estimated = is_estimated;
    log_.improve(answer_.method, answer_.best.score, answer_.upper_bound);
  }

  void search() {
    std::vector<Assignment> starts = find_starts();
    if (run_.is_cancelled()) return;
    log_.phase("local search", [&]() -> std::string {
      const Stop planning = stop().within(kQueryTreeShare * stop().seconds_left());
      const QuerySums sums(graph_, query_, run_.memory_bytes, random("query sums"), planning);
      QuerySearch climbing(sums, query_, random("query search"));
      climb_from(starts, climbing);
      const bool is_better =
          climbing.best().found() && (!answer_.best.found() || answer_.is_estimated ||
                                      (sums.is_exact() && climbing.best().score > answer_.best.score));
      if (is_better) take(climbing.best(), "local search", !sums.is_exact());
      return fmt::format("{} parts, sums {}", sums.part_count(), sums.is_exact() ? "exact" : "estimated");
    });
  }

  void climb_from(const std::vector<Assignment>& starts, QuerySearch& climbing) {
    const std::uint64_t limit = transitions_left();
    for (const Assignment& start : starts) climbing.start(start, limit, stop());
    const bool is_untimed = !stop().has_deadline() && limit > (std::uint64_t{1} << 60);
    for (std::uint64_t i = 0; climbing.best().found() && !query_.empty() && !stop().requested(); ++i) {
      if (climbing.transitions() >= limit || (is_untimed && i >= kUntimedDisturbances)) break;
      climbing.disturb(limit, stop());
    }
    log_.spend({.transitions = climbing.transitions()});
  }

  /// Whole assignments to begin at: the best so far, the likeliest by beliefs, what beliefs decode to; otherwise the
  /// likeliest found. The score of one that breaks no constraint is at most that of its query values, so it serves as
  /// an answer if there is no other.
  std::vector<Assignment> find_starts() {
    std::vector<Assignment> starts;
    if (answer_.best.found()) starts.push_back(answer_.best.values);
    const Stop share = stop().within(kStartShare * stop().seconds_left());
    log_.phase("belief propagation", [&] { return propagate(share, starts); });
    if (!answer_.best.found() && !run_.is_cancelled()) {
      log_.phase("likeliest assignment", [&] { return maximise_all(); });
      starts.push_back(answer_.best.values);
    }
    return starts;
  }

  std::string maximise_all() {
    Run likeliest = run_;
    likeliest.stop = stop().within(kStartShare * stop().seconds_left());
    likeliest.budget.sweeps = std::min(run_.budget.sweeps / 2, kStartSweeps);
    SolveLog aside({});  // its scores and bounds are of whole assignments
    take_whole(find_map(graph_, {}, likeliest, aside).best, "likeliest assignment");
    log_.spend(aside.work());
    return fmt::format("log score {:.6f}", answer_.best.score);
  }

  std::string propagate(const Stop& share, std::vector<Assignment>& starts) {
    if (static_cast<double>(BeliefPropagation::predicted_bytes(graph_)) > static_cast<double>(run_.memory_bytes))
      return "would not fit the memory";
    BeliefPropagation beliefs(graph_, {.damping = 0.3});
    log_.spend(beliefs.run(kStartIterations, share));
    if (beliefs.is_infeasible()) throw InfeasibleError("no assignment is possible: every one breaks a hard constraint");
    if (beliefs.iterations() == 0) return "out of time";
    Assignment likeliest(graph_.variable_count(), 0);
    std::vector<double> belief;
    for (const VariableId v : query_) {
      belief.resize(graph_.cardinality(v));
      beliefs.belief(v, belief);
      likeliest[v] = static_cast<Value>(std::ranges::max_element(belief) - belief.begin());
    }
    starts.push_back(std::move(likeliest));
    const ScoredAssignment decoded = beliefs.decode(share);
    if (!decoded.found()) return "decoded nothing";
    starts.push_back(decoded.values);
    if (!answer_.best.found()) take_whole(decoded, "belief propagation");
    return fmt::format("{} iterations", beliefs.iterations());
  }

  void take_whole(ScoredAssignment whole, const char* method) {
    if (whole.score > kImpossible) take(std::move(whole), method, true);
  }

  [[noreturn]] void refuse() const {
    if (run_.is_cancelled()) throw CancelledError("stopped before there was an answer");
    throw LimitError("no values of the query were found within the limits; allow more time or memory");
  }

  const FactorGraph& graph_;
  const std::vector<VariableId>& query_;
  const MarginalMapOptions& options_;
  const Run& run_;
  SolveLog& log_;
  MapAnswer answer_;
};

}  // namespace

MapAnswer find_marginal_map(const FactorGraph& graph, const std::vector<VariableId>& query,
                            const MarginalMapOptions& options, const Run& run, SolveLog& log) {
  return MarginalMapSolver(graph, query, options, run, log).run();
}

}  // namespace fovea::graph
