// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ostream>
#include <string_view>

#include "fovea/base/atomic_file.h"
#include "fovea/base/run_control.h"
#include "fovea/cli/run/exit_code.h"
#include "fovea/cli/run/progress_bar.h"

namespace fovea::cli {

/// Output of the program: results go to `out`; notes, warnings, errors and the progress bar to `err`.
class Console {
 public:
  /// Capabilities of the two streams. Colours follow the terminal, unless the environment sets NO_COLOR
  /// (https://no-color.org) or TERM=dumb.
  struct Capabilities {
    bool color_out = false;
    bool color_err = false;
    bool progress = false;  ///< err is a terminal that can redraw a line
  };

  /// The capabilities of this process's standard streams.
  static Capabilities detect();

  Console(std::ostream& out, std::ostream& err, Capabilities capabilities)
      : out_(out), err_(err), capabilities_(capabilities), bar_(err) {}

  /// For results only. Throws OutputClosed, or InputError (full disk), when it can take no more.
  std::ostream& out() { return out_; }

  /// True where results may carry terminal colours.
  bool color() const { return capabilities_.color_out; }

  /// Silences notes, warnings and progress; errors are always written.
  void set_quiet(bool quiet) { quiet_ = quiet; }

  void note(std::string_view text) { write("", "", text); }
  void warn(std::string_view text) { write("warning: ", "\x1b[33m", text); }
  void error(std::string_view text);

  /// Reports `failure` on err, and on out as one line of JSON if `json`.
  void report(const Failure& failure, bool json);

  /// Writes text to err as it is, even if quiet: a question, or what was asked for.
  void tell(std::string_view text);

  /// A callback that warns.
  WarningFunction warnings() {
    return [this](const std::string& text) { warn(text); };
  }

  /// A callback that draws the progress bar; empty where nobody looks at it.
  ProgressFunction progress();
  void clear_progress() { bar_.clear(); }

 private:
  void write(std::string_view prefix, std::string_view color, std::string_view text);

  std::ostream& out_;
  std::ostream& err_;
  Capabilities capabilities_;
  ProgressBar bar_;
  bool quiet_ = false;
};

}  // namespace fovea::cli
