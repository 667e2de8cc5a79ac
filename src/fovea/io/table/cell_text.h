// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace fovea::io {

/// Why a text cannot be the cell of a table that was filled from memory, or null: it is longer than
/// TextColumn::kMaxCellBytes, holds a NUL character or is not UTF-8.
const char* fault_of_cell(std::string_view text);

}  // namespace fovea::io
