// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "fovea/io/table/table.h"
#include "fovea/message/regression/logistic_regression.h"

namespace fovea {

/// The name of the constant column.
inline constexpr const char* kIntercept = "(intercept)";

/// Which columns of a table a logistic regression is about.
struct LogisticColumns {
  std::vector<std::string> names = {};  ///< of the weights; kIntercept is 1 in every row
  std::string target = "";
};

/// All columns but the target, behind a constant one if `has_intercept`. Throws InputError where there is no such
/// target.
LogisticColumns logistic_columns(const Table& table, const std::string& target, bool has_intercept);

/// The rows of these columns. Throws InputError (file:line and column) for cells that are missing or no finite numbers,
/// for labels other than 0, 1, true and false (in any case), and for a table without rows.
message::LogisticData logistic_data(const Table& table, const LogisticColumns& columns);

/// The same without labels, for a table that need not have the target.
std::vector<double> logistic_rows(const Table& table, const LogisticColumns& columns);

}  // namespace fovea
