// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "fovea/io/table/table.h"

namespace fovea::testing {

/// A table with these rows of cells, as if it were the file "data.csv".
inline io::Table data_table(const std::vector<std::string>& columns,
                            const std::vector<std::vector<std::string>>& rows) {
  io::Table table("data.csv", columns);
  for (std::size_t i = 0; i < rows.size(); ++i)
    table.add_row(std::vector<std::string_view>(rows[i].begin(), rows[i].end()), static_cast<std::int64_t>(i) + 2);
  return table;
}

}  // namespace fovea::testing
