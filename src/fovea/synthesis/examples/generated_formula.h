// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "fovea/base/options.h"
#include "fovea/base/random.h"
#include "fovea/synthesis/formula/dnf.h"
#include "fovea/synthesis/formula_search/example_set.h"

namespace fovea::synthesis {

struct FormulaOptions {
  int rows = 100, variables = 5, terms = 3, atoms = 3, coefficients = 1, constants = 1, values = 4;

  static void describe(auto&& visit) {
    using O = FormulaOptions;
    visit(&O::rows, number_in(1, 1e8, "rows", "Rows to write."));
    visit(&O::variables, number_in(1, 64, "variables", "Integers of a row."));
    visit(&O::terms, number_in(1, 64, "terms", "Disjuncts of the formula."));
    visit(&O::atoms, number_in(1, 64, "atoms", "Inequalities of each disjunct."));
    visit(&O::coefficients, number_in(1, 15, "coefficients", "Coefficients are in -N .. N."));
    visit(&O::constants, number_in(0, 1e6, "constants", "Bounds are in -N .. N."));
    visit(&O::values, number_in(1, 1e6, "values", "Integers are in -N .. N."));
  }
};

/// A formula drawn at random, and rows that it labels: half of them good, if draws find enough of both kinds.
struct GeneratedFormula {
  Dnf formula;
  ExampleSet examples;
  std::vector<std::string> names;  ///< x1, x2, ...
};

/// Draws a formula and its rows. A formula that holds for less than a tenth or more than nine tenths of some trial rows
/// is drawn again, at most 300 times.
GeneratedFormula generate_formula(const FormulaOptions& options, Random random);

}  // namespace fovea::synthesis
