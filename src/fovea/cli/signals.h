// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "fovea/base/run_control.h"

namespace fovea::cli {

/// The first SIGINT or SIGTERM sets `token`, the second ends the process at once with status 130,
/// without its temporary files. Writing to a closed
/// pipe and writing beyond the limit on file sizes become errors of the write instead of signals.
/// `token` must outlive the process's last signal.
void install_signal_handlers(CancelToken& token);

}  // namespace fovea::cli
