// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "fovea/graph/format/tables/table_pool.h"
#include "fovea/graph/model/factor_graph.h"

// Code shared by toulbar2's formats .wcsp and .cfn. A cost function network asks for the assignment of least total
// cost; its log score is minus the cost, in natural units: p(y) is proportional to exp(-cost(y)). A file also has an
// upper bound: an assignment that reaches it is impossible. An entry that takes every total to the bound is a hard
// constraint of its factor; ModelFile::cost_bound covers other assignments.

namespace fovea::graph {

/// Minus the cost; -inf for one at or above `bound`.
double log_score_of_cost(double cost, double bound);

/// Index of the joint value in a table over variables of these cardinalities, the last one fastest.
std::size_t joint_index(std::span<const std::uint32_t> values, std::span<const std::uint32_t> cardinalities);

/// A table that is given as a default and exceptions.
class SparseTable {
 public:
  explicit SparseTable(double default_entry) : default_entry_(default_entry) {}

  void add(std::size_t index, double entry) { entries_.emplace_back(index, entry); }
  std::size_t size() const { return entries_.size(); }

  /// Returns all entries. Throws InputError for an entry given twice or, by `limit`, for a table that is too large.
  std::vector<double> expand(std::span<const std::uint32_t> cardinalities, TableLimit& limit,
                             const InputLocation& location) const;

 private:
  double default_entry_;
  std::vector<std::pair<std::size_t, double>> entries_;
};

/// Functions of two variables x, y that a keyword and numbers describe ("arithmetic" or "in intention"):
///
///   >= c d     y + c - x, if positive; forbidden above d         (x >= y + c)
///   >  c d     y + c + 1 - x, if positive; forbidden above d
///   <= c d     x - c - y, if positive; forbidden above d         (x <= y + c)
///   <  c d     x - c + 1 - y, if positive; forbidden above d
///   =  c d     |y + c - x|; forbidden above d
///   disj cx cy w               0 if x >= y + cy or y >= x + cx, else w
///   sdisj cx cy X Y wx wy      forbidden if x > X or y > Y, or if x < X, y < Y and disj is violated; else
///                              wx if x = X plus wy if y = Y
class ArithmeticCost {
 public:
  /// Number of parameters after the keyword; 0 for any other word.
  static std::size_t parameter_count(std::string_view keyword);

  /// Requires parameter_count(keyword) parameters.
  ArithmeticCost(std::string_view keyword, std::span<const double> parameters);

  /// Cost of a pair of values; +inf if it is forbidden.
  double operator()(double x, double y) const;
  /// The costs of all pairs, y fastest.
  std::vector<double> table(std::size_t x_count, std::size_t y_count) const;

 private:
  enum class Kind { kGreaterEqual, kGreater, kLessEqual, kLess, kEqual, kDisjunction, kSpecialDisjunction };
  double soft_inequality(double violation) const;
  double special_disjunction(double x, double y) const;

  Kind kind_;
  std::vector<double> parameters_;
};

/// The bound if the costs of some assignment may add up to it; otherwise +inf.
double bound_if_reached(const FactorGraph& graph, double bound);

/// A whole number above the cost of every assignment and of every entry that is not forbidden, at least 1. Throws
/// InputError if the scores are too large for that.
double upper_bound_of_costs(const FactorGraph& graph);

/// [factor]: the first factor with the same table over variables of the same cardinalities; formats let these share it.
std::vector<FactorId> first_alike(const FactorGraph& graph);

/// The entry that occurs most often; the first one if several do. 0 for no entries.
double most_frequent(std::span<const double> entries);

}  // namespace fovea::graph
