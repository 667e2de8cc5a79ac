// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace fovea::graph::internal {

/// Walks through the joint values of some variables row by row, a row being the values of the last few of them with
/// the others fixed, and adds up tables over subsets of these variables (or adds to such tables) along the row. The
/// last variable varies fastest. Strides are per variable, 0 where a table does not depend on it.
class TableRows {
 public:
  static constexpr std::size_t kMaxRow = 4096;  ///< entries; more only if the last variable alone has more

  explicit TableRows(std::span<const std::size_t> cardinalities);

  std::size_t row_size() const { return row_size_; }
  /// The variables from this one on vary within a row.
  std::size_t row_begin() const { return row_begin_; }

  /// A table that sum() reads.
  void add_source(const double* table, std::vector<std::size_t> strides);
  /// A table that scatter() writes.
  void add_target(double* table, std::vector<std::size_t> strides);

  /// Goes to the next joint value of the variables [begin, end), all before row_begin(); returns false after the last
  /// one: they are then back at the first.
  bool advance(std::size_t begin, std::size_t end);

  /// Number of joint values of the variables [begin, end).
  std::size_t count(std::size_t begin, std::size_t end) const;
  /// Goes to joint value `index` of the variables [begin, end), the last varying fastest.
  void move_to(std::size_t begin, std::size_t end, std::size_t index);
  /// Lets target `i` be another table of the same shape. Only at the first joint value.
  void set_target(std::size_t i, double* table) { targets_[i].table = table; }

  /// row[i] = the sum of all sources; row has row_size() entries. Log domain.
  void sum(double* row) const;
  /// Adds row[i] to its entry of every target. Linear domain.
  void scatter(const double* row) const;

 private:
  /// Places of a table's entries along a row: runs of entries that lie `stride` apart.
  struct Runs {
    std::size_t length = 1, stride = 0;
    std::vector<std::size_t> begins = {};
  };
  template <class Table>
  struct View {
    Table* table;  // at the joint value of the variables before the row
    std::vector<std::size_t> strides;
    Runs runs;
  };

  Runs find_runs(std::span<const std::size_t> strides) const;
  template <class Table>
  static void shift(std::vector<View<Table>>& views, std::size_t variable, std::ptrdiff_t steps);

  std::vector<std::size_t> cardinalities_;
  std::vector<std::size_t> values_;
  std::size_t row_begin_ = 0, row_size_ = 1;
  std::vector<View<const double>> sources_;
  std::vector<View<double>> targets_;
};

}  // namespace fovea::graph::internal
