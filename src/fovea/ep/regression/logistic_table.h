// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "fovea/ep/regression/logistic_regression.h"
#include "fovea/io/table/table.h"

namespace fovea::ep {

/// Name of the constant column.
inline constexpr const char* kIntercept = "(intercept)";

/// Subject of a weight: a column of numbers, a column of truth values (1 for true), or one value of a column of texts
/// (a dummy: 1 where the cell has that value).
struct LogisticTerm {
  enum class Kind { kConstant, kNumber, kTruth, kText };
  Kind kind = Kind::kConstant;
  std::string column = kIntercept;
  std::string value = "";  ///< the text, of a kText

  /// "age", or "city=rome".
  std::string name() const { return kind == Kind::kText ? column + "=" + value : column; }
};

/// Columns of a table that a logistic regression uses, and how it reads them.
struct LogisticColumns {
  std::vector<LogisticTerm> terms = {};
  std::string target = "";
  std::string positive = "1";  ///< the value of the target whose probability is modelled, as spelled in the table
};

struct LogisticColumnOptions {
  bool has_intercept = true;
  std::vector<std::string> columns = {};  ///< those to use; empty: all but the target
  std::vector<std::string> ignored = {};  ///< those of them to leave out
};

/// A target is 0 and 1, 1 and 2, false and true, or no and yes, in upper or lower case; 1.0 is 1. Truth values in the
/// other columns are 0 and 1; in a column of texts, every value but the first in order has a weight of its own. Throws
/// InputError for columns that do not exist, targets with other values, and columns with more than kMostTextsOfAColumn
/// texts. Uses up to `threads` threads (0: all cores).
LogisticColumns logistic_columns(const io::Table& table, const std::string& target,
                                 const LogisticColumnOptions& options, int threads = 1);
inline constexpr std::size_t kMostTextsOfAColumn = 100;

/// Rows, and the number left out because a cell is missing.
struct LogisticRows {
  LogisticData data;
  std::size_t left_out = 0;
};

/// The rows of these columns. Throws InputError (file:line and column) for cells that are not finite numbers in a
/// column of numbers, and for a table without a complete row. Uses up to `threads` threads (0: all cores).
LogisticRows logistic_rows(const io::Table& table, const LogisticColumns& columns, int threads = 1);

/// The same without labels, for a table that need not have the target: one row of terms after another. A missing cell
/// is an InputError; a text that had no weight counts as the first one.
std::vector<double> logistic_values(const io::Table& table, const LogisticColumns& columns, int threads = 1);

}  // namespace fovea::ep
