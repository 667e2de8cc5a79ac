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

/// A loop in a SyGuS file, and how an invariant for it is looked for.
struct InvariantJob {
  std::string file = "";  ///< "-" is standard input
  InvariantSearchOptions search = {};
  InvariantJobOptions options = {};
  bool as_json = false;  ///< a report instead of the definition
};

/// Looks for an inductive invariant that proves the loop, and writes it to options.output as a define-fun; with as_json
/// a report, also of a search that failed. It ends after 60 seconds without a limit. Throws InputError (file:line) for
/// what is not such a problem, InfeasibleError with a run that breaks the postcondition, LimitError or CancelledError
/// where nothing was found.
void prove_loop(InvariantJob job, const Run& run);

}  // namespace fovea::synthesis
