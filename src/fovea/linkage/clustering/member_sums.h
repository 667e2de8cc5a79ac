// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tsl/robin_map.h>

#include <cstddef>
#include <cstdint>
#include <vector>

#include "fovea/linkage/clustering/attribute_pairs.h"

namespace fovea::linkage {

/// Sums of pair scores with a set of records. A sum takes one look-up for each attribute, however many members there
/// are:
///
///   sum over members n: pair_score(m, n) = w_m (bias W + sum over attributes a: sums_a[value of m]),
///   sums_a[v] = sum over members n: w_n scores_a[v][value of n],    W = sum over members n: w_n
///
/// Adding or removing a member updates all values of a dense attribute, and the exceptions of the member's value of a
/// sparse one. Sums are in double precision: each change leaves a relative error of about 1e-16.
class MemberSums {
 public:
  /// Starts without members. `model` must outlive the object.
  explicit MemberSums(const AttributePairs& model);

  void clear();
  void add(RecordId m) { change(m, 1); }
  void remove(RecordId m) { change(m, -1); }

  /// Sum of the pair scores of m with all members, including m itself if it is a member.
  double sum(RecordId m) const;

  /// Number of values that change when a member is added or removed, not counting exceptions.
  static std::size_t dense_values(const AttributePairs& model);

 private:
  /// Sum over the members whose value is an exception.
  struct Excess {
    double sum = 0;
    std::uint32_t members = 0;
  };
  struct SparseSums {
    double present = 0;  // weight of members that have a value
    tsl::robin_map<std::uint32_t, Excess> excess;
  };

  void change(RecordId m, int sign);
  void change_sparse(const AttributePairs::SparseAttribute& attribute, SparseSums& sums, RecordId m, int sign);

  const AttributePairs* model_;
  double weight_ = 0;               // W
  std::vector<double> dense_;       // the values of all dense attributes, one after the other
  std::vector<SparseSums> sparse_;  // [sparse attribute]
};

}  // namespace fovea::linkage
