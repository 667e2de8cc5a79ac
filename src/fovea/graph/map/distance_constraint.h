// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>

#include "fovea/graph/model/factor_graph.h"
#include "fovea/mcmc/scored_assignment.h"

namespace fovea::graph {

/// `graph`, of whose assignments only those are possible that differ from each of `answers` in at least `least` >= 1
/// variables. Behind the variables of `graph` it has one for each answer and variable, that counts differences up to
/// there: its tables are small, and the width of the model grows by the number of answers. Nothing where all tables
/// together would have more than `max_entries` entries.
std::optional<FactorGraph> with_distance(const FactorGraph& graph, std::span<const mcmc::ScoredAssignment> answers,
                                         std::size_t least, std::size_t max_entries);

/// An assignment of `graph` with the counts that belong to it.
Assignment with_counts(const Assignment& values, std::span<const mcmc::ScoredAssignment> answers, std::size_t least);

}  // namespace fovea::graph
