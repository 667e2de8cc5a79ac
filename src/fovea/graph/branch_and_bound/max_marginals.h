// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "fovea/base/run_control.h"
#include "fovea/mcmc/conditional_model.h"

namespace fovea::graph {

/// Table of a function of some variables: log domain, the last variable varies fastest.
struct ScopedTable {
  std::vector<VariableId> scope = {};
  std::vector<double> entries = {};
};

/// Sets marginal[values of `onto`, the last fastest] to the maximum of the functions' sum over the rest of `scope`.
/// cardinalities: of all variables by id. Returns false, with an unfinished marginal, once `stop` is requested.
bool max_marginal(std::span<const ScopedTable* const> functions, std::span<const VariableId> scope,
                  std::span<const VariableId> onto, std::span<const std::uint32_t> cardinalities,
                  std::vector<double>& marginal, const Stop& stop);

/// Turns the max-marginals of several functions over the same variables into the gains that make all of them equal; the
/// gains add up to 0. What one function excludes (-inf) is excluded in all.
void gains_to_mean(std::vector<std::vector<double>>& marginals);

}  // namespace fovea::graph
