// SPDX-License-Identifier: Apache-2.0
#include "fovea/graph/map/map_solver.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>

#include "fovea/base/error.h"
#include "fovea/base/text.h"
#include "fovea/graph/grid/strip_rule.h"
#include "fovea/graph/local_search/annealing.h"
#include "fovea/graph/local_search/block_search.h"
#include "fovea/graph/local_search/conditional_modes.h"
#include "fovea/graph/local_search/expansion_search.h"
#include "fovea/graph/local_search/tabu_search.h"
#include "fovea/graph/map/map_portfolio.h"
#include "fovea/graph/map/portfolio_members.h"
#include "fovea/graph/simplify/simplify_max.h"
#include "fovea/graph/task/elimination_plan.h"
#include "fovea/graph/tree/junction_tree.h"

namespace fovea::graph {
namespace {

constexpr double kArcSimplifyingShare = .05;  // of the time left
constexpr double kSimplifyingShare = 0.25;    // of the time left
constexpr std::uint64_t kBlockSweeps = 2;
constexpr double kFirstLookSeconds = 0.1, kFirstLookShare = .25;  // seconds, or of the time left

/// One run of find_map: each function is a phase.
class MapSolver {
 public:
  MapSolver(const FactorGraph& graph, const MapOptions& options, const Run& run, SolveLog& log)
      : whole_(graph),
        options_(options),
        run_(run),
        log_(log),
        first_(look_first()),
        simple_(simplify()),
        portfolio_(simple_.graph, log, options.search_policy ? *options.search_policy : SearchPolicy()) {}

  MapAnswer run() {
    if (simple_.graph.variable_count() == 0) {
      const double score = simple_.graph.log_score({});
      portfolio_.tighten(score);
      portfolio_.offer({.values = {}, .score = score}, "simplification");
    } else {
      begin();
      if (may_prove()) eliminate();
      if (!portfolio_.is_proved()) search();
    }
    return answer();
  }

 private:
  bool may_search() const { return options_.method == SolveMethod::kAuto || options_.method == SolveMethod::kSearch; }
  bool may_prove() const { return options_.method == SolveMethod::kAuto || options_.method == SolveMethod::kExact; }
  bool may_bound() const { return options_.method != SolveMethod::kSearch; }
  bool fits(std::size_t bytes) const { return bytes <= run_.memory_bytes; }
  const FactorGraph& graph() const { return simple_.graph; }

  /// Finds an answer that is nearly free, on the model as it is: simplifying a large one takes much longer.
  Assignment look_first() {
    Assignment values;
    log_.phase("first look", [&] {
      const Stop stop = run_.within(std::max(kFirstLookSeconds, kFirstLookShare * run_.stop.seconds_left()));
      const double penalty = default_violation_penalty(whole_, stop);
      values = own_modes(whole_);
      log_.spend({.transitions = climb_to_conditional_modes(whole_, penalty, values, stop)});
      log_.spend({.transitions = maximise_blocks(penalty, values, stop)});
      return fmt::format("log score {:.6f}", whole_.log_score(values));
    });
    return values;
  }

  /// Gives random blocks their best values, for kBlockSweeps visits of each variable on average.
  std::uint64_t maximise_blocks(double penalty, Assignment& values, const Stop& stop) {
    BlockKernel kernel(whole_, {}, penalty);
    auto random = run_.random.child("first look");
    const auto count = static_cast<std::uint32_t>(whole_.variable_count());
    std::uint64_t visits = 0;
    while (visits < kBlockSweeps * count && !stop.requested()) {
      visits += kernel.grow(random.uniform_index(count), random).size();
      kernel.maximise(values);
    }
    return visits;
  }

  MaxSimplification simplify() {
    MaxSimplification simple;
    log_.phase("simplifying", [&] {
      // A pure search on a grid is a study of where it samples, so the picture stays whole.
      const bool stays_whole = options_.method == SolveMethod::kSearch && GridModel::detect(whole_);
      const Stop at_once = {.deadline = Stop::Clock::time_point::min()};
      const Stop& stop = run_.stop;
      simple = simplify_max(whole_, {}, stays_whole ? at_once : stop.within(kSimplifyingShare * stop.seconds_left()));
      return fmt::format("{} variables and {} factors left", simple.graph.variable_count(),
                         simple.graph.factor_count());
    });
    return simple;
  }

  /// Offers the answers that are nearly free: the first look, the start, or each variable's first value, and greedy
  /// descent from there.
  void begin() {
    log_.phase("starts", [&] {
      offer(simple_.restrict(first_), "conditional modes");
      Assignment values(graph().variable_count(), 0);
      if (!options_.start.empty()) values = simple_.restrict(options_.start);
      offer(values, "start");
      const Stop stop = run_.within(kFirstLookSeconds);
      if (const auto tables = SoftTables::build(graph(), default_violation_penalty(graph(), stop), stop)) {
        ScoreRows rows(*tables, values);
        log_.spend({.transitions = descend_greedily(rows, stop)});
        offer(rows.values(), "greedy descent");
      }
      return portfolio_.best().found() ? fmt::format("log score {:.6f}", portfolio_.best().score) : "no answer yet";
    });
  }

  void offer(const Assignment& values, const char* finder) {
    const double score = graph().log_score(values);
    if (score > -std::numeric_limits<double>::infinity()) portfolio_.offer({.values = values, .score = score}, finder);
  }

  void eliminate() {
    log_.phase("elimination order", [&] {
      plan_ = plan_elimination(graph(), EliminationGoal::kMaximum, run_.child("elimination order"));
      return plan_.describe();
    });
    if (!plan_.fits) return;
    log_.phase("junction tree", [&]() -> std::string {
      try {
        const ScoredAssignment best =
            JunctionTree(graph(), *plan_.tree, static_cast<double>(run_.memory_bytes), run_.threads)
                .maximise(run_.stop);
        portfolio_.tighten(best.score);
        portfolio_.offer(best, "junction tree");
        return "proved";
      } catch (const LimitError&) {
        return "out of time";
      }
    });
  }

  void search() {
    if (may_search()) {
      if ((grid_ = GridModel::detect(whole_))) add_grid_search();
      portfolio_.add(std::make_unique<Annealing>(graph(), run_.random.child("annealing"), portfolio_.best()));
      portfolio_.add(std::make_unique<BlockSearch>(graph(), run_.random.child("block search")));
      if (TabuSearch::accepts(graph()))
        portfolio_.add(std::make_unique<TabuSearch>(graph(), run_.random.child("tabu search")));
      if (fits(BeliefPropagation::predicted_bytes(graph())))
        portfolio_.add(std::make_unique<BeliefSearch>(graph(), run_.random.child("belief propagation")));
      if (ExpansionSearch::accepts(whole_))
        add_lifted(std::make_unique<ExpansionSearch>(whole_, run_.random.child("expansion search")));
    }
    if (may_bound() && fits(DualBound::predicted_bytes(graph()))) portfolio_.add(std::make_unique<DualSearch>(graph()));
    if (may_prove()) add_proof();
    if (may_prove()) add_arc_proof();
    log_.phase("portfolio", [&] {
      portfolio_.run(run_, run_.transition_limit(whole_.variable_count()));
      return portfolio_.is_proved() ? "proved"
                                    : fmt::format("gap {:.6g}", portfolio_.upper_bound() - portfolio_.best().score);
    });
  }

  void add_grid_search() {
    const StripRule rule = options_.grid_rule ? *options_.grid_rule : universal_strip_rule();
    auto search = std::make_unique<GridSearch>(whole_, *grid_, rule, run_.random.child("grid annealing"));
    grid_search_ = search.get();
    add_lifted(std::move(search));
  }

  /// Adds a search that needs the model as it was: a grid, or factors of two variables.
  void add_lifted(std::unique_ptr<Searcher> search) {
    portfolio_.add(std::make_unique<LiftedSearch>(std::move(search), simple_));
  }

  /// Adds a proof for the simplified model or, if that has larger factors, for the whole one, simplified in another
  /// way.
  void add_arc_proof() {
    const auto memory = static_cast<std::size_t>(run_.memory_bytes / 4);
    const Stop at_once = {.deadline = Stop::Clock::time_point::min()}, &stop = run_.stop;
    if (auto search = ArcProofSearch::make(graph(), memory, at_once)) portfolio_.add(std::move(search));
    else if ((search = ArcProofSearch::make(whole_, memory, stop.within(kArcSimplifyingShare * stop.seconds_left()))))
      add_lifted(std::move(search));
  }

  void add_proof() {
    if (!plan_.order.found()) return;
    try {
      portfolio_.add_proof(std::make_unique<ProofSearch>(graph(), plan_.order.order, run_.memory_bytes / 2, run_.stop));
    } catch (const LimitError&) {  // the model is too wide for the memory or the time: go on without a proof
    }
  }

  MapAnswer answer() const {
    const ScoredAssignment& best = portfolio_.best();
    if (!best.found()) refuse();
    return {.best = {.values = simple_.lift(best.values), .score = best.score},
            .upper_bound = portfolio_.upper_bound(),
            .is_optimal = portfolio_.is_proved(),
            .method = portfolio_.finder(),
            .visits = grid_search_ ? grid_search_->visits() : std::vector<std::uint64_t>{},
            .searchers = portfolio_.records()};
  }

  [[noreturn]] void refuse() const {
    if (portfolio_.upper_bound() == -std::numeric_limits<double>::infinity())
      throw InfeasibleError("no assignment is possible: every one breaks a hard constraint");
    if (run_.is_cancelled()) throw CancelledError("stopped before an assignment without broken constraints was found");
    throw LimitError(
        "no assignment without broken hard constraints was found within the limits; allow more time, or give one that "
        "breaks none as the start");
  }

  const FactorGraph& whole_;
  const MapOptions& options_;
  const Run& run_;
  SolveLog& log_;
  Assignment first_;  // of the whole model
  MaxSimplification simple_;
  std::optional<GridModel> grid_;
  MapPortfolio portfolio_;
  const GridSearch* grid_search_ = nullptr;  // of the portfolio
  EliminationPlan plan_;
};

}  // namespace

MapAnswer find_map(const FactorGraph& graph, const MapOptions& options, const Run& run, SolveLog& log) {
  return MapSolver(graph, options, run, log).run();
}

}  // namespace fovea::graph
