// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tsl/robin_map.h>

#include <cstddef>
#include <cstdint>
#include <vector>

#include "fovea/linkage/clustering/attribute_pairs.h"

namespace fovea::linkage {

/// Sums of pair scores with a set of records, in a look-up for each attribute however many members it has:
///
///   sum over members n: pair_score(m, n) = w_m (bias W + sum over attributes a: sums_a[value of m]),
///   sums_a[v] = sum over members n: w_n scores_a[v][value of n],    W = sum over members n: w_n
///
/// A member that comes or goes costs all values of a dense attribute, and the exceptions of its value of a sparse one.
/// Sums are in double: each change leaves an error of about 1e-16 of them.
class MemberSums {
 public:
  /// Of no members; `model` must outlive it.
  explicit MemberSums(const AttributePairs& model);

  void clear();
  void add(RecordId m) { change(m, 1); }
  void remove(RecordId m) { change(m, -1); }

  /// Over all members, m itself included if it is one.
  double sum(RecordId m) const;

  /// Numbers that change when a member comes or goes, exceptions aside.
  static std::size_t dense_values(const AttributePairs& model);

 private:
  /// Over those members whose value makes an exception.
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
