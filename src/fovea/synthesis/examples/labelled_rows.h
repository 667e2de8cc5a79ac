// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "fovea/io/table/table.h"
#include "fovea/synthesis/formula_search/example_set.h"

namespace fovea::synthesis {

/// Rows of integers, each with the label that a formula should predict.
struct LabelledRows {
  std::vector<std::string> names;  ///< [variable]
  ExampleSet examples;             ///< good and bad ones; equal rows with equal labels are one
  std::vector<std::size_t> rows;   ///< [example]: the first row, from 0 on, that is this example
  std::size_t row_count = 0;

  /// No rows yet. `names`: of the variables.
  explicit LabelledRows(std::vector<std::string> variable_names)
      : names(std::move(variable_names)), examples(names.size()) {}

  /// Adds a row; `values`: one per variable.
  void add(std::span<const std::int64_t> values, bool label);
};

/// Reads labelled rows. The last column is the label, true or false (in any case), 1 or 0; the others hold 64-bit
/// integers. Throws InputError (file:line and column) for any other cell, for a table without rows, and for one without
/// a column besides the label.
LabelledRows labelled_rows(const io::Table& table);

/// Constants by which these rows can be told apart, in ascending order: the values of x, -x and +-x +-y at the rows,
/// where such inequalities become tight, and -1, 0 and 1. If there are more than `most`, those at equal distances in
/// their order are kept. Of many rows or variables, only some are looked at.
std::vector<std::int64_t> mined_constants(const ExampleSet& examples, std::size_t most = 256);

}  // namespace fovea::synthesis
