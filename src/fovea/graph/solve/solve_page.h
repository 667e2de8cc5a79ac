// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "fovea/graph/solve/solve_job.h"

namespace fovea::graph {

/// Writes a page for people: how good the answer is, how score and bound came to it, the phases and searchers, the
/// answer itself and, for the best assignment of a grid, pictures of it and of where the visits went. Throws InputError
/// if the file cannot be written.
void write_solve_page(const std::string& path, const SolveJob& job, const SolveInputs& inputs,
                      const SolveReport& report);

}  // namespace fovea::graph
