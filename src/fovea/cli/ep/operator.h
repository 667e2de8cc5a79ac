// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "fovea/cli/run/command.h"
#include "fovea/ep/recall/operator_file.h"

namespace fovea::cli {

/// Writes what an operator learned to standard output: as text for people, or as JSON where that is asked for.
void show_operator(const ep::LearnedOperator& learned, const Context& context);

}  // namespace fovea::cli
