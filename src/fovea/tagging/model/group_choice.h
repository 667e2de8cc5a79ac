// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>

namespace fovea::tagging {

/// Sequences that belong together, such as those of a document or a writer.
struct GroupChoice {
  bool by_file = false;
  std::size_t column = 0;  ///< from 1 on: the cell of a sequence's first item names its group; 0: no column

  /// Reads "", "file" or a number from 1 on; throws UsageError for anything else.
  static GroupChoice of_text(const std::string& text);
};

}  // namespace fovea::tagging
