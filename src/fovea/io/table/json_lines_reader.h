// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "fovea/io/stream.h"
#include "fovea/io/table/table.h"

namespace fovea::io {

/// Separator that joins the elements of an array into a cell.
inline constexpr char kElementSeparator = '|';

/// Reads JSON lines: one object a line, its keys naming the columns. The columns are all keys of the file, in the order
/// of first appearance; null, "" and an absent key are missing. Numbers keep their spelling if they have a fraction or
/// an exponent; true and false become words; an array of such values becomes one cell, "a|b|c", without its nulls;
/// an object, or an array that holds arrays or objects, becomes its JSON without blanks. Empty lines are skipped.
/// Values other than texts are also kept as Table::json().
///
/// `encoding`: as for LineDecoder. Throws InputError (file:line) for lines that are not objects, elements that hold the
/// separator, a key twice in one object, NUL characters, a file without a key, and what LineReader refuses. Lines are
/// read on up to `threads` threads.
Table read_json_lines(LineReader lines, const std::string& encoding = "utf-8",
                      const std::vector<std::string>& missing = {}, int threads = 1);

}  // namespace fovea::io
