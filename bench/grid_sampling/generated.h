// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "fovea/base/random.h"
#include "fovea/graph/grid/strip_rule_learner.h"

namespace fovea::bench {

/// The families of grids that the universal rule is learned from or scored on, all made here: "random fields" (Potts
/// with normal unary scores), "noisy pictures" (discs, each pixel a noisy colour), "holes" (discs whose colours are
/// known only in some cells), "hidden discs" (a disc to fill in from its border) and "depths" (noisy depths of discs,
/// truncated linear pair scores).
std::vector<std::string> grid_families();

/// Some models of a family, with an annealing from 9/10 of the coupling to 1/16 of it.
std::vector<graph::TuningGrid> generated_grids(const std::string& family, std::size_t count, const Random& random);

}  // namespace fovea::bench
