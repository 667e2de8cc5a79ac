// SPDX-License-Identifier: Apache-2.0
#include "fovea/synthesis/examples/generated_formula.h"

#include <fmt/format.h>

namespace fovea::synthesis {
namespace {

constexpr int kTries = 300, kTrialRows = 200, kDrawsPerRow = 200;

std::int64_t draw_within(int most, Random& random) {
  return static_cast<std::int64_t>(random.uniform_index(2 * static_cast<std::uint32_t>(most) + 1)) - most;
}

ExampleSet::Row draw_row(const FormulaOptions& options, Random& random) {
  ExampleSet::Row row(static_cast<std::size_t>(options.variables));
  for (std::int64_t& x : row) x = draw_within(options.values, random);
  return row;
}

Dnf draw_formula(const FormulaOptions& options, Random& random) {
  Dnf formula;
  formula.disjuncts.resize(static_cast<std::size_t>(options.terms));
  for (Dnf::Conjunction& atoms : formula.disjuncts)
    for (int j = 0; j < options.atoms; ++j) {
      Atom atom = {.coefficients = ExampleSet::Row(static_cast<std::size_t>(options.variables))};
      for (std::int64_t& c : atom.coefficients) c = draw_within(options.coefficients, random);
      atom.bound = draw_within(options.constants, random);
      atoms.push_back(std::move(atom));
    }
  return formula;
}

bool is_balanced(const Dnf& formula, const FormulaOptions& options, Random& random) {
  int good = 0;
  for (int i = 0; i < kTrialRows; ++i) good += formula.holds(draw_row(options, random));
  return good * 10 >= kTrialRows && good * 10 <= 9 * kTrialRows;
}

}  // namespace

GeneratedFormula generate_formula(const FormulaOptions& options, Random random) {
  validate(options);
  GeneratedFormula generated = {.formula = draw_formula(options, random),
                                .examples = ExampleSet(static_cast<std::size_t>(options.variables)),
                                .names = {}};
  for (int i = 0; i < kTries && !is_balanced(generated.formula, options, random); ++i)
    generated.formula = draw_formula(options, random);
  for (int v = 1; v <= options.variables; ++v) generated.names.push_back(fmt::format("x{}", v));
  const auto rows = static_cast<std::size_t>(options.rows);
  for (std::size_t draws = 0; generated.examples.size() < rows && draws < kDrawsPerRow * rows; ++draws) {
    const ExampleSet::Row row = draw_row(options, random);
    const bool is_good_wanted = generated.examples.size() % 2 == 0, gives_up = draws > kDrawsPerRow * rows / 2;
    const bool is_good = generated.formula.holds(row);
    if (is_good != is_good_wanted && !gives_up) continue;
    if (is_good) generated.examples.add_good(row);
    else generated.examples.add_bad(row);
  }
  return generated;
}

}  // namespace fovea::synthesis
