// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "fovea/cli/run/command.h"
#include "fovea/linkage/job/matching_job.h"

namespace fovea::cli {

/// Kinds of comparison, functions of columns and contexts, for the help of commands.
std::string matching_help();

/// The options of a MatchingJob.
void bind_matching(Binder& binder, linkage::MatchingJob& job);

/// Lets the job tell its results on standard output.
void tell_on_console(const Context& context, linkage::MatchingJob& job);

}  // namespace fovea::cli
