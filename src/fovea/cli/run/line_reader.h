// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "fovea/base/run_control.h"

namespace fovea::cli {

/// Reads lines that a person types, or a script writes, and notices Ctrl-C while it waits.
class LineReader {
 public:
  /// `descriptor`: of an open file; it stays open.
  explicit LineReader(int descriptor) : descriptor_(descriptor) {}

  /// The next line without its end; nullopt at the end of the input and once `cancel` is set.
  std::optional<std::string> next(const CancelToken& cancel);

 private:
  int descriptor_;
  bool is_at_end_ = false;
  std::string rest_;  // that was read behind the last line
};

}  // namespace fovea::cli
