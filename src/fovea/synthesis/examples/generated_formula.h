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

  template <class V>
  static void describe(V&& visit) {
    using O = FormulaOptions;
    visit(&O::rows, OptionInfo{.name = "rows", .description = "Rows to write.", .min = 1, .max = 1e8});
    visit(&O::variables, OptionInfo{.name = "variables", .description = "Integers of a row.", .min = 1, .max = 64});
    visit(&O::terms, OptionInfo{.name = "terms", .description = "Disjuncts of the formula.", .min = 1, .max = 64});
    visit(&O::atoms, OptionInfo{.name = "atoms", .description = "Inequalities of each disjunct.", .min = 1, .max = 64});
    visit(&O::coefficients,
          OptionInfo{.name = "coefficients", .description = "Coefficients are in -N .. N.", .min = 1, .max = 15});
    visit(&O::constants,
          OptionInfo{.name = "constants", .description = "Bounds are in -N .. N.", .min = 0, .max = 1e6});
    visit(&O::values, OptionInfo{.name = "values", .description = "Integers are in -N .. N.", .min = 1, .max = 1e6});
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
