// SPDX-License-Identifier: Apache-2.0
#include "fovea/cli/run/console.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdlib>
#include <utility>

#include "fovea/cli/run/option_facts.h"

namespace fovea::cli {
namespace {

/// Columns of the terminal behind standard error, less one, so that a full line does not wrap.
std::size_t line_width() {
  winsize size = {};
  const bool known = ::ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 1;
  return known ? size.ws_col - 1u : 79u;
}

bool is_set(const char* variable) {
  const char* value = std::getenv(variable);
  return value && *value != '\0';
}

}  // namespace

Console::Capabilities Console::detect() {
  const char* terminal = std::getenv("TERM");
  const bool smart = terminal && std::string_view(terminal) != "dumb";
  const bool color = smart && !is_set("NO_COLOR");
  return {.color_out = color && ::isatty(STDOUT_FILENO) == 1,
          .color_err = color && ::isatty(STDERR_FILENO) == 1,
          .progress = smart && ::isatty(STDERR_FILENO) == 1};
}

void Console::write(std::string_view prefix, std::string_view color, std::string_view text) {
  if (quiet_) return;
  bar_.clear();
  err_ << "fovea: ";
  if (capabilities_.color_err) err_ << color << prefix << "\x1b[0m";
  else err_ << prefix;
  err_ << with_flags(text) << '\n' << std::flush;
}

void Console::tell(std::string_view text) {
  bar_.clear();
  err_ << text << std::flush;
}

void Console::error(std::string_view text) {
  const bool quiet = std::exchange(quiet_, false);
  write("error: ", "\x1b[1;31m", text);
  quiet_ = quiet;
}

void Console::report(const Failure& failure, bool json) {
  error(failure.message);
  if (!json) return;
  try {
    out_ << failure.json() << '\n' << std::flush;
  } catch (const std::exception&) {
    // Output that cannot be written may be the very failure that was reported above.
  }
}

ProgressFunction Console::progress() {
  if (quiet_ || !capabilities_.progress) return {};
  return [this](const Progress& progress) { bar_.draw(progress, line_width()); };
}

}  // namespace fovea::cli
