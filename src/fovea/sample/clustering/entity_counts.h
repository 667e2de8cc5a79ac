// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "fovea/sample/clustering/attribute_pairs.h"
#include "fovea/sample/clustering/partition.h"

namespace fovea {

/// How many members of each entity have which value of each attribute: sufficient statistics of sums of pair scores,
///
///   sum over n in e: pair_score(m, n) = |e| bias + sum over attributes a, values v: count(e, a, v) scores_a[m's][v]
///
/// in one look-up for each distinct value instead of one pair score for each member.
class EntityCounts {
 public:
  EntityCounts(const AttributePairs& model, const Partition& partition);

  void add(MentionId m, EntityId e);
  void remove(MentionId m, EntityId e);

  /// Over all n in e, m itself included where it belongs to e.
  double sum_of_scores(MentionId m, EntityId e) const;
  /// Look-ups that sum_of_scores takes.
  std::size_t lookups(EntityId e) const;

 private:
  struct ValueCount {
    std::uint32_t value, count;
  };
  using Counts = std::vector<ValueCount>;  // in arbitrary order, none of them 0

  Counts& counts(EntityId e, std::size_t attribute) { return counts_[e * model_->attribute_count() + attribute]; }
  const Counts& counts(EntityId e, std::size_t attribute) const {
    return counts_[e * model_->attribute_count() + attribute];
  }

  const AttributePairs* model_;
  std::vector<Counts> counts_;        // [entity][attribute]
  std::vector<std::uint32_t> sizes_;  // [entity]
};

}  // namespace fovea
