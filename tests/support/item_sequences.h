// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "fovea/tagging/feature/item_sequence.h"

namespace fovea::testing {

/// The sequence that a reader makes from rows of cells joined by `separator`.
inline tagging::ItemSequence make_sequence(const std::vector<std::vector<std::string>>& rows, char separator = '\t') {
  tagging::ItemSequence sequence;
  sequence.clear(1);
  for (const std::vector<std::string>& row : rows) {
    std::string line;
    std::vector<tagging::ItemSequence::Cell> cells;
    for (const std::string& cell : row) {
      if (!cells.empty()) line += separator;
      const auto begin = static_cast<std::uint32_t>(line.size());
      line += cell;
      cells.push_back({begin, static_cast<std::uint32_t>(line.size())});
    }
    sequence.add_line(line, cells);
  }
  return sequence;
}

}  // namespace fovea::testing
