// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "fovea/graph/count/clauses.h"

namespace fovea::graph::internal {

/// A partial assignment of a ClauseModel with its consequences by unit propagation, undone in the order of a stack.
/// Each contradiction leaves a learned clause that follows from the model (the first unique implication point: Zhang,
/// Madigan, Moskewicz and Malik 2001), so that similar ones are seen earlier. Propagation watches two literals of each
/// clause (Moskewicz et al. 2001).
class ClauseTrail {
 public:
  /// Keeps about `max_learned` learned clauses at first, more in the long run; older ones are forgotten. Throws
  /// LimitError if stopped.
  ClauseTrail(const ClauseModel& model, std::size_t max_learned, const Stop& stop);

  bool is_open(Atom a) const { return !is_true_[2 * a] && !is_true_[2 * a + 1]; }
  bool is_true(Literal l) const { return is_true_[l] != 0; }
  /// Number of contradictions in which the atom took part, older ones counting less.
  double activity(Atom a) const { return activities_[a]; }

  /// Assigns the literals of one-literal clauses and their consequences; returns false on a contradiction.
  bool start();

  /// Opens a level and makes the literal and its consequences true there; returns false after a contradiction, from
  /// which a clause was learned. Every decide(), whatever its outcome, needs a retract().
  bool decide(Literal literal);

  /// Closes the last level.
  void retract();

  /// Asserts in the last level what was learned in levels that are now closed; returns false on a contradiction.
  bool adopt_learned() { return assert_units() && assert_learned(); }

  /// Literals assigned in the last level, in order.
  std::span<const Literal> last_level() const {
    return std::span(trail_).subspan(level_begins_.empty() ? 0 : level_begins_.back());
  }

 private:
  static constexpr std::uint32_t kNone = 0xFFFFFFFFu;

  struct Watch {
    std::uint32_t clause = 0;
    Literal other = 0;  ///< some other literal of the clause: if it is true there is nothing to do
  };

  void add_clause(std::vector<Literal> literals);
  bool assign(Literal literal, std::uint32_t reason);
  bool assert_units();
  bool assert_learned();
  bool propagate();
  bool visit_watches(Literal false_literal);
  void learn();
  void mark_literals(std::uint32_t clause, Literal except, std::vector<Literal>& learned, std::size_t& at_level);
  void keep_learned(std::vector<Literal> learned);
  void forget_half();

  std::vector<std::vector<Literal>> clauses_;  // those of the model first; the first two literals are watched
  std::size_t model_clauses_ = 0;
  std::size_t max_learned_;
  std::vector<Literal> units_;               // clauses of one literal
  std::vector<std::vector<Watch>> watches_;  // [literal]: clauses that watch it
  std::vector<char> is_true_;                // [literal]
  std::vector<std::uint32_t> levels_;        // [atom]; 0: follows from the model alone
  std::vector<std::uint32_t> reasons_;       // [atom] -> clause or kNone
  std::vector<double> activities_;           // [atom]
  std::vector<char> is_marked_;              // [atom]
  std::vector<Literal> trail_;
  std::vector<std::size_t> level_begins_;             // [level - 1] in trail_
  std::size_t propagated_ = 0;                        // in trail_
  std::uint32_t conflict_ = kNone, pending_ = kNone;  // pending_: just learned, has yet to assign its first literal
  std::uint64_t contradictions_ = 0;
};

}  // namespace fovea::graph::internal
