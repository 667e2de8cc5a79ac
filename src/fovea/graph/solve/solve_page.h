// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>

#include "fovea/graph/report/solve_report.h"
#include "fovea/report/page.h"

namespace fovea::graph {

/// Makes a page for people: how good the answer is, how score and bound came to it, the phases and searchers, the
/// answer itself and, for the best assignment of a grid, pictures of it and of where the visits went. `model`: its
/// name; `picture_columns`: of the grid, or 0.
report::Page solve_page(const std::string& model, const SolveReport& report, std::size_t picture_columns);

/// Columns of the grid that a model is, its variables numbered along the rows; 0 if it is not a grid.
std::size_t grid_columns(const FactorGraph& graph);

}  // namespace fovea::graph
