// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <functional>
#include <string>

#include "fovea/io/table/read_table.h"
#include "fovea/io/table/table.h"

namespace fovea::io {

/// Reads a file of delimited text, packed or not, and calls use(part) for each `rows` of its rows, in order: for tables
/// that are larger than the memory. The parts have the same columns. Throws what read_table() throws, and UsageError
/// for standard input, which cannot be read twice, and for other formats.
void for_each_part(const std::string& path, const TableReadOptions& options, std::size_t rows,
                   const std::function<void(Table&& part)>& use);

}  // namespace fovea::io
