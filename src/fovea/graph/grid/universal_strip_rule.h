// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "fovea/graph/grid/strip_rule.h"

namespace fovea::graph {

/// Where 'fovea solve' anneals a grid unless it is told otherwise. Learned from generated grids of several families
/// alone, so that no data's licence binds it; its sources say which.
StripRule universal_strip_rule();

/// Whether a name means a rule that comes with the program: "universal", or "hot-bits", which is not learned.
bool is_shipped_strip_rule(const std::string& name);

/// The rule that a user names: one that comes with the program, else the file of a learned one. Throws what
/// StripRule::load does.
StripRule strip_rule_of(const std::string& name);

}  // namespace fovea::graph
