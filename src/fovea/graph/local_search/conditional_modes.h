// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "fovea/base/assignment.h"
#include "fovea/base/run_control.h"
#include "fovea/graph/model/factor_graph.h"

namespace fovea::graph {

/// Each variable's likeliest value by the factors that are of it alone; 0 without any.
Assignment own_modes(const FactorGraph& graph);

/// Iterated conditional modes (Besag 1986) on the graph as it is, without tables of its own: changes variables to their
/// best value given all others, in cyclic order, until none can improve by more than rounding or `stop` is requested.
/// An entry of -inf counts as -penalty. Looks again only at variables whose neighbours have changed. Returns the number
/// of visits.
std::uint64_t climb_to_conditional_modes(const FactorGraph& graph, double penalty, Assignment& values,
                                         const Stop& stop = {});

}  // namespace fovea::graph
