// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <limits>

#include "fovea/base/assignment.h"
#include "fovea/base/run_control.h"

namespace fovea::graph {

/// One member of a portfolio that maximises a model's log score: it searches in rounds, keeps the best it has seen, and
/// accepts what others found only between rounds, so that a portfolio under a work budget gives the same answer at any
/// number of threads. A searcher belongs to one thread at a time and keeps a reference to its model.
class Searcher {
 public:
  virtual ~Searcher() = default;

  /// Name for reports: one or two lower-case words ("annealing", "block search").
  virtual const char* name() const = 0;

  /// Searches on until about `transitions` more transitions are spent or `stop` is requested, whichever comes first;
  /// returns what was spent. Without a deadline the outcome depends on the seed and the rounds alone.
  virtual Work run(std::uint64_t transitions, const Stop& stop) = 0;

  /// Tells searchers that plan ahead when the whole search, all rounds together, will end (time_point::max(): not
  /// known). The `stop` of run() ends only a round.
  virtual void plan_until(Stop::Clock::time_point) {}

  virtual const ScoredAssignment& best() const = 0;

  /// Offers an assignment found elsewhere, between rounds; it is ignored unless it is better than best().
  virtual void offer(const ScoredAssignment& found) = 0;

  /// True if the searcher is there to bound the score, whatever it finds on the way.
  virtual bool is_for_bounds() const { return false; }

  /// No assignment scores more than this.
  virtual double upper_bound() const { return std::numeric_limits<double>::infinity(); }

  /// True if further rounds would change nothing.
  virtual bool is_finished() const { return false; }
};

}  // namespace fovea::graph
