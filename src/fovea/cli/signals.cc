// SPDX-License-Identifier: Apache-2.0
#include "fovea/cli/signals.h"

#include <signal.h>
#include <unistd.h>

#include "fovea/base/temporary_file.h"
#include "fovea/cli/exit_code.h"

namespace fovea::cli {
namespace {

CancelToken* cancel_token = nullptr;  // a signal handler has no other way to its data

void handle_interrupt(int) {
  if (cancel_token->cancelled()) {
    remove_temporary_files();
    ::_exit(static_cast<int>(ExitCode::kInterrupted));
  }
  cancel_token->cancel();
}

}  // namespace

void install_signal_handlers(CancelToken& token) {
  cancel_token = &token;
  struct sigaction action = {};
  action.sa_handler = handle_interrupt;
  ::sigemptyset(&action.sa_mask);
  ::sigaction(SIGINT, &action, nullptr);
  ::sigaction(SIGTERM, &action, nullptr);
  action.sa_handler = SIG_IGN;
  ::sigaction(SIGPIPE, &action, nullptr);
  ::sigaction(SIGXFSZ, &action, nullptr);
}

}  // namespace fovea::cli
