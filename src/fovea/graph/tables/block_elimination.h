// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "fovea/base/assignment.h"

namespace fovea::graph {

/// Exact maximisation and sampling of a block of variables by elimination, for blocks that are built along with their
/// elimination order: each place (a variable of the block) is added with its parents, the earlier places that it shares
/// a table with. Places are eliminated from the last to the first. Each leaves a message to its parents, which goes to
/// the table of the latest of them, so all other parents must be parents of that one. Then no table outgrows the
/// product of the cardinalities of a place and its parents; in a tree these are pairs.
///
/// Tables are in the log domain, the parents' values in ascending order of their places, the own value fastest. -inf is
/// legal. A workspace: clear() keeps the memory.
class BlockElimination {
 public:
  using Place = std::uint32_t;

  void clear();

  /// True if a place with these parents (ascending) can be added.
  bool fits(std::span<const Place> parents) const;
  /// Adds a place with a table of zeros; fits(parents) must hold.
  Place add(std::size_t cardinality, std::span<const Place> parents);

  std::size_t size() const { return bags_.size(); }
  std::span<const Place> parents(Place p) const { return scope(p).first(scope(p).size() - 1); }
  std::size_t entry_count() const { return entries_.size(); }

  /// Adds to the table of p, at each of its entries, source[sum_d strides[d] * value_d], d over parents(p) and then p;
  /// -inf counts as `impossible`.
  void add_scores(Place p, const double* source, std::span<const std::size_t> strides, double impossible);
  /// Sets all tables to zero, keeping the places.
  void forget_scores() { std::ranges::fill(entries_, 0.0); }
  /// Multiplies the table of p; factor > 0.
  void scale(Place p, double factor);

  /// Adds to each table what its later places leave for it: their maximum, or the log of their sum.
  void eliminate_by_maximum();
  void eliminate_by_sum();

  /// After elimination: scores of p's values, best over or summed over all later places, given values[parents].
  std::span<const double> row(Place p, std::span<const Value> values) const;

 private:
  struct Bag {
    std::size_t table = 0, scope = 0;  // where they begin
    std::size_t entries = 0;
    std::uint32_t scope_size = 0, cardinality = 0;
  };
  std::span<const Place> scope(Place p) const { return {scopes_.data() + bags_[p].scope, bags_[p].scope_size}; }
  template <class Reduce>
  void eliminate(const Reduce& reduce);
  void send_message(Place p);

  std::vector<Bag> bags_;
  std::vector<Place> scopes_;  // of all bags: parents, then the place itself
  std::vector<double> entries_;
  std::vector<double> message_;
  std::vector<std::size_t> strides_;
  std::vector<std::uint32_t> counter_;
};

}  // namespace fovea::graph
