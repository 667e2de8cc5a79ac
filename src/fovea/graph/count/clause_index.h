// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "fovea/base/run_control.h"
#include "fovea/graph/count/clauses.h"
#include "fovea/graph/count/component_cache.h"

namespace fovea::graph::internal {

/// Occurrences of the atoms and literals of a ClauseModel.
struct ClauseIndex {
  NumberLists partners;    ///< [literal] -> atoms of the other literals in clauses of two
  NumberLists literals;    ///< [clause] -> its literals
  NumberLists clauses_of;  ///< [literal] -> clauses of three literals or more
  NumberLists soft_of;     ///< [atom] -> places in model.soft_factors
};

/// Throws LimitError if stopped.
ClauseIndex index_clauses(const ClauseModel& model, const Stop& stop);

}  // namespace fovea::graph::internal
