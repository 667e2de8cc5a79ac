// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace fovea::graph::internal {

/// View of a table as [outer][a][middle][b][inner] around two places of its scope; log domain, -inf is legal.
struct TablePair {
  std::span<const double> table;
  std::size_t outer = 1, first = 1, middle = 1, second = 1, inner = 1;

  double at(std::size_t o, std::size_t a, std::size_t m, std::size_t b, std::size_t i) const {
    return table[(((o * first + a) * middle + m) * second + b) * inner + i];
  }
};

/// View of the pair of places `first` < `second` in a scope of these cardinalities.
TablePair view_pair(std::span<const double> table, std::span<const std::size_t> cardinalities, std::size_t first,
                    std::size_t second);

/// The factors of a table in which two variables are independent given the others.
struct SplitTable {
  std::vector<double> without_second = {}, without_first = {};
};
std::optional<SplitTable> split(const TablePair& pair);

/// Returns c if row(a) = row(b) + c everywhere (-inf in both or in neither), where rows are the table with one variable
/// fixed; nothing otherwise. Two rows of -inf give 0.
std::optional<double> find_offset(std::span<const double> table, std::size_t stride, std::size_t cardinality,
                                  std::size_t a, std::size_t b);

}  // namespace fovea::graph::internal
