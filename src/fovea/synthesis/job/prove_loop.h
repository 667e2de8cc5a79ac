// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "fovea/base/budget.h"
#include "fovea/base/options.h"
#include "fovea/base/run.h"
#include "fovea/synthesis/invariant/invariant_search.h"

namespace fovea::synthesis {

/// The limit and output of an InvariantJob.
struct InvariantJobOptions {
  std::string time_limit = "", output = "";

  template <class V>
  static void describe(V&& visit) {
    using O = InvariantJobOptions;
    visit(&O::time_limit, time_limit_option());
    visit(&O::output, OptionInfo{.name = "output",
                                 .description = "Where to write the invariant; - or none is standard output.",
                                 .value_name = "FILE",
                                 .letter = 'o',
                                 .file = FileRole::kOutput});
  }
};

/// A loop in a SyGuS file, and the options of the search for an invariant.
struct InvariantJob {
  std::string file = "";  ///< "-" is standard input
  InvariantSearchOptions search = {};
  InvariantJobOptions options = {};
  bool as_json = false;  ///< a report instead of the definition
};

/// Looks for an inductive invariant that proves the loop, and writes it to options.output as a define-fun; with as_json
/// it writes a report, even if the search failed. Without a limit it ends after 60 seconds. Throws InputError
/// (file:line) for a file that is not such a problem, InfeasibleError with a run that breaks the postcondition,
/// LimitError or CancelledError if nothing was found.
void prove_loop(InvariantJob job, const Run& run);

}  // namespace fovea::synthesis
