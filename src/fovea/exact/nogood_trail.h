// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "fovea/exact/nogoods.h"
#include "fovea/graph/factor_graph.h"

namespace fovea::internal {

/// A partial assignment of a NogoodModel: which literals are excluded, what follows from that by unit propagation, and
/// the score of all that is decided. Undone in the order of a stack.
class NogoodTrail {
 public:
  /// Keeps references. Excludes what the weights exclude; is_consistent() tells whether something may be left.
  NogoodTrail(const FactorGraph& graph, const NogoodModel& model);

  bool is_consistent() const { return is_consistent_; }
  bool is_open(VariableId v) const { return domain_sizes_[v] > 1; }
  bool is_alive(LiteralId l) const { return alive_[l] != 0; }
  /// Not satisfied yet: none of its literals is excluded.
  bool is_active(std::uint32_t nogood) const { return excluded_counts_[nogood] == 0; }
  /// Literals of an active nogood that are true.
  std::uint32_t true_count(std::uint32_t nogood) const { return true_counts_[nogood]; }
  std::span<const std::uint32_t> nogoods_of(LiteralId l) const { return nogoods_of_[l]; }
  std::span<const std::uint32_t> soft_factors_of(VariableId v) const { return soft_factors_of_[v]; }
  /// Where the decided variables of a soft factor are in its table: the entry with open variables at value 0.
  std::size_t soft_offset(std::uint32_t soft) const;
  /// Log domain: weights of decided variables and soft factors without open variables.
  double score() const { return score_; }

  struct Mark {
    std::size_t trail_size = 0;
    double score = 0;
  };
  Mark mark() const { return {trail_.size(), score_}; }
  void undo(const Mark& mark);

  /// Excludes all other values of the literal's variable and what follows; false if nothing is left.
  bool decide(LiteralId literal);

 private:
  void exclude(LiteralId literal);
  void make_true(VariableId v);
  bool propagate();
  LiteralId only_literal(VariableId v) const;

  const FactorGraph& graph_;
  const NogoodModel& model_;
  std::vector<std::vector<std::uint32_t>> nogoods_of_;        // [literal]
  std::vector<std::vector<std::uint32_t>> soft_factors_of_;   // [variable] -> places in model.soft_factors
  std::vector<char> alive_;                                   // [literal]
  std::vector<std::uint32_t> domain_sizes_;                   // [variable]
  std::vector<std::uint32_t> true_counts_, excluded_counts_;  // [nogood]
  std::vector<std::uint32_t> open_counts_;                    // [soft factor]
  std::vector<LiteralId> trail_, queue_;                      // excluded; to be excluded
  double score_ = 0;
  bool is_consistent_ = true;
};

}  // namespace fovea::internal
