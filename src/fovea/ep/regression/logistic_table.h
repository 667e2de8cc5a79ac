// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "fovea/ep/regression/logistic_regression.h"
#include "fovea/io/table/table.h"

namespace fovea::ep {

/// The name of the constant column.
inline constexpr const char* kIntercept = "(intercept)";

/// What a weight is about: a column of numbers, of truth values (1 for true), or one value of a column of texts (1
/// where the cell is that, a dummy).
struct LogisticTerm {
  enum class Kind { kConstant, kNumber, kTruth, kText };
  Kind kind = Kind::kConstant;
  std::string column = kIntercept;
  std::string value = "";  ///< of a text

  /// "age", or "city=rome".
  std::string name() const { return kind == Kind::kText ? column + "=" + value : column; }
};

/// Which columns of a table a logistic regression is about, and how it reads them.
struct LogisticColumns {
  std::vector<LogisticTerm> terms = {};
  std::string target = "";
  std::string positive = "1";  ///< the value of the target whose probability is modelled, as the table has it
};

struct LogisticColumnOptions {
  bool has_intercept = true;
  std::vector<std::string> columns = {};  ///< those to use; empty: all but the target
  std::vector<std::string> ignored = {};  ///< of them, those to leave out
};

/// A target is 0 and 1, 1 and 2, false and true, or no and yes, in any case; 1.0 is 1. Truth values among the other
/// columns are 0 and 1; of texts, every value but the first in order has a weight of its own. Throws InputError for
/// columns that there are not, targets of other values, and texts of more values than kMostTextsOfAColumn.
LogisticColumns logistic_columns(const io::Table& table, const std::string& target,
                                 const LogisticColumnOptions& options);
inline constexpr std::size_t kMostTextsOfAColumn = 100;

/// Rows, and how many were left out because a cell is missing.
struct LogisticRows {
  LogisticData data;
  std::size_t left_out = 0;
};

/// The rows of these columns. Throws InputError (file:line and column) for cells that are no finite numbers where
/// others are, and for a table without rows that are whole.
LogisticRows logistic_rows(const io::Table& table, const LogisticColumns& columns);

/// The same without labels, for a table that need not have the target: row after row of terms. A missing cell is an
/// InputError; a text that had no weight counts as the first one.
std::vector<double> logistic_values(const io::Table& table, const LogisticColumns& columns);

}  // namespace fovea::ep
