// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <utility>
#include <vector>

#include "fovea/graph/report/draws.h"
#include "fovea/report/page.h"

namespace fovea::graph {

/// Adds to a page how many variables have mixed, and for each variable its diagnostics, its draws and their ranks, the
/// worst first.
void add_draws(const DrawTable& table, const std::vector<VariableDiagnosis>& rows, report::Page& page);

/// Makes a page of draws for people. `subtitle`: where they come from.
report::Page draws_page(const std::string& subtitle, const DrawTable& table,
                        const std::vector<VariableDiagnosis>& rows);

}  // namespace fovea::graph
