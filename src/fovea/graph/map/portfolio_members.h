// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "fovea/base/random.h"
#include "fovea/graph/branch_and_bound/branch_and_bound.h"
#include "fovea/graph/branch_and_bound/soft_arc_search.h"
#include "fovea/graph/grid/strip_rule.h"
#include "fovea/graph/grid/strip_schedule.h"
#include "fovea/graph/local_search/crossover.h"
#include "fovea/graph/local_search/searcher.h"
#include "fovea/graph/model/factor_graph.h"
#include "fovea/graph/propagation/belief_propagation.h"
#include "fovea/graph/propagation/dual_bound.h"
#include "fovea/graph/simplify/simplify_max.h"

namespace fovea::graph {

/// The dual bound as a member of a portfolio: lowers the bound and decodes an assignment from time to time. It has no
/// use for what others found.
class DualSearch final : public Searcher {
 public:
  explicit DualSearch(const FactorGraph& graph) : graph_(&graph), passes_(2 * graph.variable_count()) {}

  const char* name() const override { return "dual bound"; }
  bool is_for_bounds() const override { return true; }
  Work run(std::uint64_t transitions, const Stop& stop) override {
    if (!bound_) bound_.emplace(*graph_);
    const std::uint64_t before = bound_->iterations();
    Work work = bound_->run(transitions / passes_ + (transitions % passes_ != 0), stop);
    work.transitions = (bound_->iterations() - before) * passes_;  // one visit each
    return work;
  }
  const ScoredAssignment& best() const override { return bound_ ? bound_->best() : none_; }
  void offer(const ScoredAssignment&) override {}
  double upper_bound() const override {
    return bound_ ? bound_->upper_bound() : std::numeric_limits<double>::infinity();
  }
  bool is_finished() const override { return bound_ && bound_->is_finished(); }

 private:
  const FactorGraph* graph_;
  std::uint64_t passes_;            // visits of one iteration
  std::optional<DualBound> bound_;  // made when it is first run: its messages are large
  ScoredAssignment none_;
};

/// Branch and bound as a member of a portfolio: proves, and finds what it proves. Its transitions are nodes.
class ProofSearch final : public Searcher {
 public:
  /// order: an elimination order of all variables. Throws LimitError if it alone would exceed the memory limit, or if
  /// `stop` was requested before everything was set up.
  ProofSearch(const FactorGraph& graph, const std::vector<VariableId>& order, std::uint64_t memory_bytes,
              const Stop& stop)
      : search_(graph, order, {.memory_bytes = static_cast<std::size_t>(memory_bytes)}, stop) {}

  const char* name() const override { return "branch and bound"; }
  bool is_for_bounds() const override { return true; }
  Work run(std::uint64_t transitions, const Stop& stop) override { return search_.run(transitions, stop); }
  const ScoredAssignment& best() const override { return search_.best(); }
  void offer(const ScoredAssignment& found) override { search_.offer(found); }
  double upper_bound() const override { return search_.upper_bound(); }
  bool is_finished() const override { return search_.is_finished(); }

 private:
  BranchAndBound search_;
};

/// SoftArcSearch as a member of a portfolio, for a model of two-variable factors, which is first simplified to another
/// one. Its transitions are tables looked at.
class ArcProofSearch final : public Searcher {
 public:
  /// Returns nullptr for a model that SoftArcSearch is not for. `graph` must outlive it.
  static std::unique_ptr<ArcProofSearch> make(const FactorGraph& graph, std::size_t memory_bytes, const Stop& stop) {
    if (!SoftArcSearch::is_for(graph, std::numeric_limits<std::size_t>::max())) return nullptr;
    MaxSimplification simple = simplify_max(graph, {.max_neighbours = 2}, stop);
    if (!SoftArcSearch::is_for(simple.graph, memory_bytes)) return nullptr;
    return std::unique_ptr<ArcProofSearch>(new ArcProofSearch(graph, std::move(simple)));
  }

  const char* name() const override { return "arc consistency"; }
  bool is_for_bounds() const override { return true; }
  Work run(std::uint64_t transitions, const Stop& stop) override {
    const Work work = search_.run(transitions, stop);
    if (search_.best().score > best_.score) {
      best_.values = simple_.lift(search_.best().values);
      best_.score = graph_->log_score(best_.values);
    }
    return work;
  }
  const ScoredAssignment& best() const override { return best_; }
  void offer(const ScoredAssignment& found) override {
    if (!(found.score > best_.score)) return;
    best_ = found;
    ScoredAssignment reduced = {.values = simple_.restrict(found.values)};
    reduced.score = simple_.graph.log_score(reduced.values);
    search_.offer(reduced);
  }
  double upper_bound() const override { return search_.upper_bound(); }
  bool is_finished() const override { return search_.is_finished(); }

 private:
  ArcProofSearch(const FactorGraph& graph, MaxSimplification simple)
      : graph_(&graph), simple_(std::move(simple)), search_(simple_.graph) {}

  const FactorGraph* graph_;
  MaxSimplification simple_;
  SoftArcSearch search_;
  ScoredAssignment best_;
};

/// A searcher of the whole model as a member of a portfolio on the simplified one: for methods that need what
/// simplification takes away, such as a grid or factors of two variables only. Scores are the same in both.
class LiftedSearch final : public Searcher {
 public:
  /// `search` works on the model that `simple` was made from; `simple` must outlive the searcher.
  LiftedSearch(std::unique_ptr<Searcher> search, const MaxSimplification& simple)
      : search_(std::move(search)), simple_(&simple) {}

  const char* name() const override { return search_->name(); }
  bool is_for_bounds() const override { return search_->is_for_bounds(); }
  Work run(std::uint64_t transitions, const Stop& stop) override {
    const Work work = search_->run(transitions, stop);
    if (search_->best().score > best_.score)
      best_ = {.values = simple_->restrict(search_->best().values), .score = search_->best().score};
    return work;
  }
  void plan_until(Stop::Clock::time_point end) override { search_->plan_until(end); }
  const ScoredAssignment& best() const override { return best_; }
  void offer(const ScoredAssignment& found) override {
    if (!(found.score > best_.score)) return;
    best_ = found;
    search_->offer({.values = simple_->lift(found.values), .score = found.score});
  }
  double upper_bound() const override { return search_->upper_bound(); }
  bool is_finished() const override { return search_->is_finished(); }

 private:
  std::unique_ptr<Searcher> search_;
  const MaxSimplification* simple_;
  ScoredAssignment best_;
};

/// Sum-product belief propagation as a member of a portfolio, in episodes. The first propagates on the scores as they
/// are and decodes an assignment by sequential conditioning after 10, 20, 40, ... iterations. The next ones do so on
/// scores times a growing inverse temperature, which moves beliefs from averages over all assignments towards the best
/// ones. All later ones draw the inverse temperature and the length, and discourage a few random values of the best
/// assignment, which takes over every better part of what is decoded (PartitionCrossover).
///
/// On loopy models of random factors and on noisy-or networks, decoded assignments are out of reach of local moves from
/// any start: discouraging one value of a cause moves all that follows from it.
class BeliefSearch final : public Searcher {
 public:
  /// `graph` must outlive it.
  BeliefSearch(const FactorGraph& graph, const Random& random)
      : graph_(&graph), random_(random), beliefs_(graph, {.damping = 0.1}), crossover_(graph) {}

  const char* name() const override { return "belief propagation"; }
  Work run(std::uint64_t transitions, const Stop& stop) override;
  const ScoredAssignment& best() const override { return best_; }
  void offer(const ScoredAssignment& found) override {
    if (found.score > best_.score) best_ = found;
  }
  /// True if messages have shown that no assignment is possible.
  bool is_finished() const override { return is_finished_; }

 private:
  void decode(const Stop& stop);
  void record(const ScoredAssignment& decoded);
  void begin_episode();
  std::vector<BeliefPropagation::Favour> discourage_some(double score);

  const FactorGraph* graph_;
  Random random_;
  BeliefPropagation beliefs_;
  PartitionCrossover crossover_;
  ScoredAssignment best_;
  std::size_t episode_ = 0;
  std::uint64_t length_ = kFirstLength, next_decoding_ = kFirstDecoding;  // iterations of the episode
  bool is_decoding_ = false;                                              // was stopped while decoding
  bool is_finished_ = false;

  static constexpr std::uint64_t kFirstLength = 640, kFirstDecoding = 10;
};

/// Temperatures for a grid, in proportion to the spread of its pair scores.
AnnealingPlan grid_annealing_plan(const GridModel& grid);

/// Vectorised annealing of a grid, with strips chosen by a rule (StripSchedule), as a member of a portfolio. Works on
/// the model that was asked about, because simplification would destroy its grid; LiftedSearch translates for the other
/// members. Cycles double in length as long as they fit the time of a round; at the end of each, the best assignment
/// takes over every part in which the cycle did better.
class GridSearch final : public Searcher {
 public:
  /// `graph` is the model that `grid` was detected in. Both must outlive the searcher.
  GridSearch(const FactorGraph& graph, const GridModel& grid, const StripRule& rule, const Random& random);

  const char* name() const override { return "grid annealing"; }
  Work run(std::uint64_t transitions, const Stop& stop) override;
  const ScoredAssignment& best() const override { return best_; }
  void offer(const ScoredAssignment& found) override;

  /// [cell]: number of visits to its strip.
  std::vector<std::uint64_t> visits() const;

 private:
  static constexpr std::uint32_t kFirstRounds = 100, kMostRounds = 100'000;

  void take(const Assignment& labels);
  std::uint32_t rounds_that_fit(const Stop& stop) const;

  const FactorGraph* graph_;
  const GridModel* grid_;
  PartitionCrossover crossover_;
  StripSchedule schedule_;
  AnnealingPlan plan_;  // of the next cycle
  std::uint32_t longest_ = kFirstRounds;
  double seconds_per_round_ = 0;  // of the last cycle
  ScoredAssignment best_;
};

}  // namespace fovea::graph
