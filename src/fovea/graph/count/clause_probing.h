// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "fovea/base/run_control.h"
#include "fovea/graph/count/clause_trail.h"
#include "fovea/graph/count/clauses.h"

namespace fovea::graph::internal {

/// Finds literals that lead to a contradiction by unit propagation; what is learned from them makes them false ("failed
/// literals"; tried after each decision as in Thurley 2006, "sharpSAT", implicit Boolean constraint propagation).
class ClauseProbing {
 public:
  /// Keeps references to both arguments.
  ClauseProbing(const ClauseIndex& index, ClauseTrail& trail);

  /// Tries every literal once; returns false after a contradiction. To be called before the first decision. Ends early
  /// if stopped.
  bool probe_all(const Stop& stop);

  /// Tries literals to which the last level gave more consequences: those that falsify one of the last two open
  /// literals of a clause. Returns false after a contradiction.
  bool probe_last_level();

 private:
  void collect(Literal false_literal);
  void collect_from(std::uint32_t clause);
  void keep_most_active();
  bool probe(Literal l);

  const ClauseIndex& index_;
  ClauseTrail& trail_;
  std::vector<Literal> candidates_;
  std::vector<std::uint64_t> collected_;  // [literal] -> last stamp with which it became a candidate
  std::uint64_t stamp_ = 0;
};

}  // namespace fovea::graph::internal
