// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "fovea/io/table/table.h"

namespace fovea::linkage {

/// Returns a list of comparisons or of blocking rules in which all dates are written as `format` says, a DateFormat:
///
///   born:date, year(born)+city@size(month(born))  ->  born:date(mdy), year(born, mdy)+city@size(month(born, mdy))
///
/// It replaces other formats. Columns of `table` whose names look like such functions stay as they are. Throws
/// UsageError for what is not a DateFormat.
std::string with_date_format(std::string_view list, std::string_view format, const io::Table& table);

}  // namespace fovea::linkage
