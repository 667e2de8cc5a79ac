// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <utility>
#include <vector>

#include "fovea/graph/branch_and_bound/branch_and_bound.h"
#include "fovea/graph/branch_and_bound/soft_arc_search.h"
#include "fovea/graph/local_search/searcher.h"
#include "fovea/graph/simplify/simplify_max.h"

namespace fovea::graph {

/// Branch and bound as a member of a portfolio: proves, and finds what it proves. Its transitions are nodes.
class ProofSearch final : public Searcher {
 public:
  /// order: an elimination order of all variables. Throws LimitError where it alone would break the memory limit,
  /// or `stop` was requested before all was set up.
  ProofSearch(const FactorGraph& graph, const std::vector<VariableId>& order, std::uint64_t memory_bytes,
              const Stop& stop)
      : search_(graph, order, {.memory_bytes = static_cast<std::size_t>(memory_bytes)}, stop) {}

  const char* name() const override { return "branch and bound"; }
  Work run(std::uint64_t transitions, const Stop& stop) override { return search_.run(transitions, stop); }
  const mcmc::ScoredAssignment& best() const override { return search_.best(); }
  void offer(const mcmc::ScoredAssignment& found) override { search_.offer(found); }
  double upper_bound() const override { return search_.upper_bound(); }
  bool is_finished() const override { return search_.is_finished(); }

 private:
  BranchAndBound search_;
};

/// SoftArcSearch likewise, of a model of two-variable factors, which is simplified to another one first; its
/// transitions are tables looked at.
class ArcProofSearch final : public Searcher {
 public:
  /// None for a model that SoftArcSearch is not for. `graph` must outlive it.
  static std::unique_ptr<ArcProofSearch> make(const FactorGraph& graph, std::size_t memory_bytes, const Stop& stop) {
    if (!SoftArcSearch::is_for(graph, std::numeric_limits<std::size_t>::max())) return nullptr;
    MaxSimplification simple = simplify_max(graph, {.max_neighbours = 2}, stop);
    if (!SoftArcSearch::is_for(simple.graph, memory_bytes)) return nullptr;
    return std::unique_ptr<ArcProofSearch>(new ArcProofSearch(graph, std::move(simple)));
  }

  const char* name() const override { return "arc consistency"; }
  Work run(std::uint64_t transitions, const Stop& stop) override {
    const Work work = search_.run(transitions, stop);
    if (search_.best().score > best_.score) {
      best_.values = simple_.lift(search_.best().values);
      best_.score = graph_->log_score(best_.values);
    }
    return work;
  }
  const mcmc::ScoredAssignment& best() const override { return best_; }
  void offer(const mcmc::ScoredAssignment& found) override {
    if (!(found.score > best_.score)) return;
    best_ = found;
    mcmc::ScoredAssignment reduced = {.values = simple_.restrict(found.values)};
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
  mcmc::ScoredAssignment best_;
};

}  // namespace fovea::graph
