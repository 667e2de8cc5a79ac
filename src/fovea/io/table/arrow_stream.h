// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "fovea/io/table/arrow_cells.h"
#include "fovea/io/table/table.h"

namespace fovea::io {

/// Reads a stream of record batches, as data frames and Arrow libraries give them (`__arrow_c_stream__`), into a table
/// of texts. Releases the stream in any case.
///
/// Texts stay as they are; whole numbers, decimals and truth values are spelled out, floating-point numbers with the
/// fewest digits that read back as the same number; dates are 2026-11-26, times of day 13:05:00 and points in time
/// 2026-11-26T13:05:00, each with a fraction where there is one, the last with a Z where a time zone is given (they are
/// in UTC then). Elements of lists are joined by kElementSeparator. Null and NaN are missing; a dictionary's indices
/// stand for its values.
///
/// `name`: name of the table in messages. `missing`: see Table. Throws InputError (row and column) for nested records,
/// binary columns and other types that have no text, for text that is not UTF-8 or holds NUL, for cells above
/// TextColumn::kMaxCellBytes, and for what the stream itself reports.
Table read_arrow_stream(ArrowArrayStream* stream, const std::string& name,
                        const std::vector<std::string>& missing = {});

}  // namespace fovea::io
