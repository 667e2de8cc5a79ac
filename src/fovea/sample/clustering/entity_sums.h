// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "fovea/sample/clustering/attribute_pairs.h"
#include "fovea/sample/clustering/partition.h"
#include "fovea/sample/subsample/factor_change.h"

namespace fovea {

/// Sums of pair scores with all members of an entity, in a look-up for each attribute however many members there are:
///
///   sum over n in e: pair_score(m, n) = |e| bias + sum over attributes a: sums[e][a][value of m],
///   sums[e][a][v] = sum over n in e: scores_a[v][value of n]
///
/// Every move updates the sums of all values v of both entities, but most proposals are refused. Entities of few
/// members have no sums: their pairs are added up, as factors. Sums are in double: each move leaves
/// an error of about 1e-16 of them.
class EntitySums {
 public:
  EntitySums(const AttributePairs& model, const Partition& partition);

  /// Over all n in e but m itself.
  GroupedSum sum_of_scores(MentionId m, EntityId e, const Partition& partition) const;

  /// To be called after m has moved.
  void moved(MentionId m, EntityId from, EntityId to, const Partition& partition);

 private:
  /// An entity gets its sums with so many members and loses them with half as many.
  static constexpr std::size_t kMembers = 16;
  static constexpr std::uint32_t kNoRow = 0xFFFFFFFF;

  void open_row(EntityId e, const Partition& partition);
  void close_row(EntityId e);
  void add(MentionId m, EntityId e, double sign);

  const AttributePairs* model_;
  std::vector<std::size_t> begin_{0};  // [attribute + 1]: where its values begin in a row
  std::vector<std::uint32_t> row_;     // [entity], or kNoRow
  std::vector<double> sums_;           // [row][attribute][value]
  std::vector<std::uint32_t> free_rows_;
};

}  // namespace fovea
