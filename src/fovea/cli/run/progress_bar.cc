// SPDX-License-Identifier: Apache-2.0
#include "fovea/cli/run/progress_bar.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace fovea::cli {
namespace {

constexpr std::size_t kBarCells = 20;

std::string bar_text(double share) {
  const auto full = static_cast<std::size_t>(share * kBarCells);
  return fmt::format("[{}{}] {:3.0f}%", std::string(full, '#'), std::string(kBarCells - full, '-'),
                     std::floor(100 * share));
}

}  // namespace

std::string short_count(double count) {
  for (const char* unit : {"", "k", "M", "G"}) {
    if (std::abs(count) < 999.5) return fmt::format("{:.{}g}{}", count, std::abs(count) < 1000 ? 3 : 4, unit);
    count /= 1000;
  }
  return fmt::format("{:.3g}T", count);
}

std::string clock_text(double seconds) {
  const auto whole = static_cast<long long>(std::clamp(std::round(seconds), 0.0, 1e9));
  const long long hours = whole / 3600, minutes = whole / 60 % 60;
  if (hours > 0) return fmt::format("{}:{:02}:{:02}", hours, minutes, whole % 60);
  return fmt::format("{}:{:02}", minutes, whole % 60);
}

std::string progress_line(const Progress& progress, std::size_t width) {
  std::string line(progress.phase);
  const bool known = progress.total > 0;
  const double share = known ? std::clamp(progress.done / progress.total, 0.0, 1.0) : 0;
  line += ' ';
  line += known ? bar_text(share) : short_count(progress.done);
  if (progress.done > 0 && progress.seconds > 0)
    line += fmt::format(" {}/s", short_count(progress.done / progress.seconds));
  if (share > 0 && share < 1) line += fmt::format("  {} left", clock_text(progress.seconds * (1 - share) / share));
  if (!progress.figure.empty()) line += fmt::format("  {} {:.6g}", progress.figure, progress.value);
  return line.substr(0, width);
}

void ProgressBar::draw(const Progress& progress, std::size_t width) {
  using namespace std::chrono_literals;
  const auto now = std::chrono::steady_clock::now();
  const bool last = progress.total > 0 && progress.done >= progress.total;
  if (visible_ && !last && now - last_ < 100ms) return;
  last_ = now;
  visible_ = true;
  terminal_ << "\r\x1b[K" << progress_line(progress, width) << std::flush;
}

void ProgressBar::clear() {
  if (visible_) terminal_ << "\r\x1b[K" << std::flush;
  visible_ = false;
}

}  // namespace fovea::cli
