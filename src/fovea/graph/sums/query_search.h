// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <span>
#include <vector>

#include "fovea/base/assignment.h"
#include "fovea/base/random.h"
#include "fovea/base/run_control.h"
#include "fovea/graph/sums/query_sums.h"

namespace fovea::graph {

/// Iterated local search over the values of a marginal MAP query (Park and Darwiche 2004, "Complexity results and
/// approximation strategies for MAP explanations", search by local sums): single values are changed while that raises
/// the score, variables near a change first; then a few neighbouring values of the best are drawn anew, and the climb
/// begins again from there. A transition is the score of one changed value. Without a deadline the outcome depends only
/// on the stream and the number of transitions.
class QuerySearch {
 public:
  /// `sums` must outlive it.
  QuerySearch(const QuerySums& sums, std::span<const VariableId> query, const Random& random);

  /// Begins at `values` (of the whole model; only the query's values count) and climbs. Returns false if stopped before
  /// they were scored, or if they break a constraint: then nothing has changed. Further calls keep the better result.
  bool start(const Assignment& values, std::uint64_t max_transitions, const Stop& stop);

  /// Disturbs the best once and climbs from there; ends early at a limit.
  void disturb(std::uint64_t max_transitions, const Stop& stop);

  std::uint64_t transitions() const { return transitions_; }  ///< so far
  const ScoredAssignment& best() const { return best_; }      ///< zeros outside the query

 private:
  struct State {
    Assignment values = {};           // [variable of the whole model]
    std::vector<double> sums = {};    // [part]
    std::vector<double> scores = {};  // of a variable's values, scratch
    double score = 0;
  };
  bool evaluate(State& state, const Stop& stop) const;
  void climb(State& state, const Stop& stop);
  bool improve_at(State& state, VariableId v, const Stop& stop);
  double changed_score(State& state, VariableId v, Value value, const Stop& stop, std::vector<double>& sums) const;
  void enqueue(VariableId v);
  void enqueue_neighbours(VariableId v);
  void keep_if_better(const State& state);
  bool may_go_on(const Stop& stop) const { return transitions_ < max_transitions_ && !stop.requested(); }

  const QuerySums& sums_;
  std::vector<VariableId> query_;
  Random random_;
  ScoredAssignment best_;
  State best_state_;
  std::deque<VariableId> open_;  // variables that may gain from a change
  std::vector<char> is_open_;    // [variable]
  std::uint64_t transitions_ = 0, max_transitions_ = 0;
};

}  // namespace fovea::graph
