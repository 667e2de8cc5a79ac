// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <ostream>
#include <string>

#include "fovea/base/run_control.h"

namespace fovea::cli {

/// One line of at most `width` columns: phase, bar, share done, rate, time left and the figure that matters. If the
/// total is unknown, the count replaces bar, share and time left.
///   training [#########-----------]  45% 12.3/s  0:34 left  objective 1234.5
std::string progress_line(const Progress& progress, std::size_t width);

/// "950", "12.3k", "1.25M": three significant digits.
std::string short_count(double count);

/// "0:34", "12:05", "3:00:00".
std::string clock_text(double seconds);

/// Redraws the progress line on a terminal, at most ten times a second.
class ProgressBar {
 public:
  explicit ProgressBar(std::ostream& terminal) : terminal_(terminal) {}

  void draw(const Progress& progress, std::size_t width);

  /// Removes the line, so that other text can be written.
  void clear();

 private:
  std::ostream& terminal_;
  bool visible_ = false;
  std::chrono::steady_clock::time_point last_ = {};
};

}  // namespace fovea::cli
