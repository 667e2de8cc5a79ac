// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "fovea/cli/run/command.h"
#include "fovea/linkage/job/matching_job.h"

namespace fovea::cli {

/// Help text on kinds of comparison, functions of columns and contexts.
std::string matching_help();

/// Binds the options of a MatchingJob.
void bind_matching(Binder& binder, linkage::MatchingJob& job);

/// Lets the job write its results to standard output.
void tell_on_console(const Context& context, linkage::MatchingJob& job);

}  // namespace fovea::cli
