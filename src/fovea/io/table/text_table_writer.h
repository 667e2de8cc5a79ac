// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "fovea/io/output_file.h"
#include "fovea/io/table/table_writer.h"

namespace fovea::io {

/// Writes one row, quoting cells that a DelimitedReader would otherwise misread. Tab-separated text has no quotes: it
/// throws InputError for tabs, line ends and leading byte order marks in cells, and for a row that would be an empty
/// line; blanks around a cell are lost when it is read.
void write_delimited_row(std::span<const std::string_view> cells, char delimiter, OutputFile& output);

/// Writes the header at once and the rows as they come.
std::unique_ptr<TableWriter> make_delimited_writer(OutputFile output, std::span<const std::string> columns,
                                                   char delimiter);

/// Writes one object a line. Values are strings, except where add_row() is given `json`; missing cells are null.
std::unique_ptr<TableWriter> make_json_lines_writer(OutputFile output, std::span<const std::string> columns);

}  // namespace fovea::io
