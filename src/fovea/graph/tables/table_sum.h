// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "fovea/base/assignment.h"

namespace fovea::graph {

/// The sum of several tables over a common scope, made block by block, so that it need not be stored to be maximised
/// over its last variables. In all tables the last variable of the scope varies fastest; -inf is legal.
class TableSum {
 public:
  /// cardinalities: of every variable of the model, by id. The last `whole` variables of the scope are never split
  /// between blocks.
  TableSum(std::span<const VariableId> scope, std::span<const std::uint32_t> cardinalities, std::size_t whole = 1);

  /// Adds a table over some of the variables, in any order. `entries` must outlive the sum.
  void add(std::span<const VariableId> scope, std::span<const double> entries);

  std::size_t entry_count() const { return entry_count_; }

  /// Calls visit(first, sums) for the entries first, ..., first + sums.size() - 1 of each block, in ascending order;
  /// stops when visit returns false.
  template <class Visit>
  void for_each_block(const Visit& visit) {
    rewind();
    for (std::size_t first = 0; first < entry_count_; first += block_) {
      sum_block();
      if (!visit(first, std::span<double>(sums_))) return;
      next_block();
    }
  }

  /// The whole table.
  std::vector<double> entries();

 private:
  struct Source {
    const double* entries = nullptr;
    std::vector<std::size_t> strides;         // [variable of the scope], 0 where it does not occur
    std::vector<std::uint32_t> block_offset;  // [entry of a block]
    bool is_contiguous = false;               // block_offset[i] == i
    std::size_t at = 0;                       // where the current block starts
  };
  void rewind();
  void sum_block();
  void next_block();

  std::vector<VariableId> scope_;
  std::vector<std::uint32_t> cardinalities_;  // [variable of the scope]
  std::vector<std::uint32_t> values_;         // of the variables outside the blocks
  std::vector<Source> sources_;
  std::vector<double> sums_;
  std::size_t entry_count_ = 1, block_ = 1, outer_ = 0;  // outer_: variables outside the blocks
};

}  // namespace fovea::graph
