// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "fovea/base/options.h"
#include "fovea/base/run.h"
#include "fovea/synthesis/job/prove_loop.h"

namespace fovea::synthesis {

/// The output of a LoopFileJob.
struct LoopFileOptions {
  std::string output = "";

  static void describe(auto&& visit) {
    visit(&LoopFileOptions::output,
          output_file("output", "Where to write the invariant; - or none is standard output.", 'o'));
  }
};

/// A loop in a SyGuS file, and the search for a proof.
struct LoopFileJob {
  std::string file = "";  ///< "-" is standard input
  LoopJob loop = {};
  LoopFileOptions files = {};
  bool as_json = false;  ///< a report instead of the definition
};

/// Proves the loop in the file and writes the invariant to files.output as a define-fun; with as_json it writes the
/// report, even if the search failed. Throws InputError (file:line) for a file that is not such a problem,
/// InfeasibleError with a run that breaks the postcondition, LimitError or CancelledError if nothing was found.
LoopProof prove_loop_file(const LoopFileJob& job, const Run& run);

}  // namespace fovea::synthesis
