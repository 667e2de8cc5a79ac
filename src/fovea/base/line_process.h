// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <string>
#include <string_view>

#include "fovea/base/run_control.h"

namespace fovea {

/// A command that answers lines: it reads a line from standard input and writes one line to standard output, again and
/// again, without waiting for more. Its standard error is that of this process. Not for two threads at once.
class LineProcess {
 public:
  /// Starts the command by /bin/sh, in a process group of its own, so that Ctrl-C does not end it. Throws InputError if
  /// that is not possible.
  explicit LineProcess(std::string command);
  LineProcess(const LineProcess&) = delete;
  LineProcess& operator=(const LineProcess&) = delete;
  /// Closes its standard input, which should end it; a command that goes on for a second is killed.
  ~LineProcess();

  /// Writes a line, which must not have a line end in it, and returns the answer without its line end. Throws
  /// InputError if the command ends instead; CancelledError or LimitError if `stop` is requested meanwhile, and for
  /// each later question, whose answer could not be told from the one that is outstanding.
  std::string ask(std::string_view line, const Stop& stop);

 private:
  /// Writes the text, and reads what is answered meanwhile, so that neither side waits for the other.
  void send(std::string_view text, const Stop& stop);
  /// Reads what there is.
  void receive();
  void wait_for(short events, const Stop& stop) const;
  [[noreturn]] void refuse_end();

  std::string command_;
  pid_t process_ = -1;
  int socket_ = -1;
  std::uint64_t asked_ = 0;
  bool owes_answer_ = false;
  std::string unread_;
};

}  // namespace fovea
