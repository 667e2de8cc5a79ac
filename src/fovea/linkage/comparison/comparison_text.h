// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "fovea/io/table/table.h"
#include "fovea/linkage/columns/column_expression.h"
#include "fovea/linkage/comparison/comparison_kind.h"

namespace fovea::linkage {

/// The parts of a comparison's text: expression:kind@context, where a kind may have arguments in parentheses.
struct ComparisonText {
  /// Throws UsageError if `text` is not a comparison, InputError if it names a column that the table does not have.
  ComparisonText(std::string_view text, const io::Table& table);

  ComparisonKind kind;
  ColumnExpression expression;
  bool has_context = false;
  std::string context;  ///< as row_contexts() takes it

  /// Name of the values in MatchStatistics, however the text spells it.
  std::string compared() const { return expression.text() + ":" + kind.name; }
};

/// The levels of a kind in words, range by range if there is a context.
std::vector<std::string> level_names(const ComparisonKind& kind, bool has_context);

/// The same for a comparison as written, without its table; empty if it cannot be read without the table.
std::vector<std::string> level_names(std::string_view comparison);

}  // namespace fovea::linkage
