// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "fovea/base/run.h"
#include "fovea/graph/local_search/crossover.h"
#include "fovea/graph/local_search/searcher.h"
#include "fovea/graph/task/search_policy.h"
#include "fovea/graph/task/solve_log.h"

namespace fovea::graph {

/// Runs searchers side by side, in rounds, and keeps the best assignment of all. Between rounds, and only there, each
/// searcher is offered the best assignment so far; the one that found it gets a larger share of the next rounds, which
/// then falls back to what a policy gives it on such models. Within a round no searcher depends on another: under a
/// count budget without a deadline, the answer is the same at any number of threads.
///
///   repeat until a limit is reached, the bound meets the score, or no searcher can go on:
///     cut the round into slices by share        (of time under a deadline or without limits, else of transitions)
///     run every searcher for its slice, in parallel
///     take the best assignment and the least bound; cross the best of all members with it; offer it; adapt the shares
class MapPortfolio {
 public:
  static constexpr std::uint64_t kUnlimited = std::numeric_limits<std::uint64_t>::max();

  /// `graph` and `log` must outlive it.
  MapPortfolio(const FactorGraph& graph, SolveLog& log, SearchPolicy policy = {})
      : graph_(graph), log_(log), policy_(std::move(policy)), crossover_(graph) {}

  /// Adds a searcher that looks for better assignments.
  void add(std::unique_ptr<Searcher> searcher) { add(std::move(searcher), false); }
  /// Adds a searcher that proves: with two threads or more it has one of them for itself.
  void add_proof(std::unique_ptr<Searcher> searcher) { add(std::move(searcher), true); }

  /// Offers an assignment to begin with; allowed between runs, too.
  void offer(const ScoredAssignment& found, const std::string& finder);
  void tighten(double upper_bound);

  /// `transitions`: of all members together.
  void run(const Run& run, std::uint64_t transitions = kUnlimited);

  const ScoredAssignment& best() const { return best_; }
  const std::string& finder() const { return finder_; }
  double upper_bound() const { return upper_bound_; }
  /// True if the score meets the bound, up to rounding: within 1e-9 of its size.
  bool is_proved() const;
  /// Records of the members that ran.
  std::vector<SearcherRecord> records() const;

 private:
  struct Member {
    std::unique_ptr<Searcher> searcher;
    bool is_proof = false;
    double usual_share = 1, share = 1;
    Work spent = {};  // in the last round
    SearcherRecord record = {};
  };
  void add(std::unique_ptr<Searcher> searcher, bool is_proof);
  void run_round(const Run& run, double seconds, std::uint64_t transitions, bool is_counted);
  void take_shares();
  void collect();
  void cross();
  double slice_of(const Member& member, int threads) const;
  bool all_finished() const;

  const FactorGraph& graph_;
  SolveLog& log_;
  SearchPolicy policy_;
  PartitionCrossover crossover_;
  std::vector<Member> members_;
  ScoredAssignment best_;
  std::string finder_;
  double upper_bound_ = std::numeric_limits<double>::infinity();
};

}  // namespace fovea::graph
