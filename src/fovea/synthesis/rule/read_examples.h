// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <span>
#include <string>

#include "fovea/io/table/table.h"
#include "fovea/synthesis/rule/rule_table.h"

namespace fovea::synthesis {

/// Columns of a table, by what they hold.
struct RuleColumns {
  std::string target = "";                ///< the classes; none: the last column
  std::string weights = "";               ///< of rows, at least 0; none: all 1
  std::vector<std::string> ignored = {};  ///< not used
};

/// The rows of a table with their classes. A column is numeric if all its cells are numbers; "?", "NA", "N/A", "nan"
/// and "null" among numbers count as missing. Other columns are categories; one with more than 64 different texts is
/// left out, and `note` is told. Throws InputError (file:line and column) for a missing class, for a weight that is not
/// a number of at least 0, for fewer than two classes or more than 64, and for a table without rows or without columns
/// to learn from.
RuleExamples read_rule_examples(const io::Table& table, const RuleColumns& columns,
                                const std::function<void(const std::string&)>& note);

/// The columns of `like`, by name, from another table; a category that `like` does not know is different from all.
/// Throws InputError for a column that is not there, and for a cell that should be a number.
RuleTable read_rule_table(const io::Table& table, const RuleTable& like);

}  // namespace fovea::synthesis
