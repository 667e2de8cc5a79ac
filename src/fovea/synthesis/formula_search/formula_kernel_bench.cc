// SPDX-License-Identifier: Apache-2.0
#include <benchmark/benchmark.h>

#include "fovea/synthesis/formula_search/formula_kernel.h"

namespace fovea::synthesis {
namespace {

/// 3 x 3 comparisons of 5 variables with coefficients -1 .. 1 and 3 bounds. Labels are drawn, so that no formula fits
/// and every step is one of a search that goes on.
void metropolis_hastings(benchmark::State& state) {
  constexpr std::size_t kVariables = 5;
  Random random(1);
  ExampleSet examples(kVariables);
  std::vector<std::int64_t> row(kVariables);
  while (examples.size() < static_cast<std::size_t>(state.range(0))) {
    for (std::int64_t& x : row) x = static_cast<std::int64_t>(random.uniform_index(11)) - 5;
    if (random.bernoulli(.5)) examples.add_good(row);
    else examples.add_bad(row);
  }
  const AtomSpace space({.variables = kVariables});
  AtomSets sets(space);
  sets.take(examples);
  FormulaKernel kernel(sets, 3, 3);
  FormulaState formula(space, 3, 3);
  draw_formula(space, formula, random);
  const Acceptance acceptance(static_cast<double>(state.range(1)) / 10);
  BestFormula best;
  std::uint64_t steps = 0;
  for (auto _ : state) steps += kernel.run(formula, {}, acceptance, 100000, random, best).steps;
  state.counters["steps/s"] = benchmark::Counter(static_cast<double>(steps), benchmark::Counter::kIsRate);
  state.counters["errors"] = static_cast<double>(best.cost);
}
BENCHMARK(metropolis_hastings)->ArgNames({"examples", "tenths"})->ArgsProduct({{100, 250, 1000}, {2, 5, 10}});

}  // namespace
}  // namespace fovea::synthesis
