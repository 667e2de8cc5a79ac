// SPDX-License-Identifier: Apache-2.0
#include <benchmark/benchmark.h>

#include <string>

#include "fovea/base/random.h"
#include "fovea/synthesis/formula_search/dnf_search.h"

namespace fovea::synthesis {
namespace {

/// [x1 != 0] or [x2 = x3] from 200 rows (Steinhardt and Liang 2015, section 5), by the stages of this number; 3 is
/// the portfolio. Another seed each time.
void paper_example(benchmark::State& state) {
  Random random(1);
  ExampleSet examples(3);
  std::vector<std::int64_t> row(3);
  for (int i = 0; i < 200; ++i) {
    for (std::int64_t& x : row) x = static_cast<std::int64_t>(random.uniform_index(5)) - 2;
    if (row[0] != 0 || row[1] == row[2]) examples.add_good(row);
    else examples.add_bad(row);
  }
  DnfSearchOptions options;
  options.stages = static_cast<SearchStages>(state.range(0));
  std::uint64_t steps = 0;
  for (auto _ : state) {
    ++options.seed;
    DnfSearch search({.variables = 3}, options);
    if (!search.find(examples, {.transitions = 1e7})) state.SkipWithError("no formula");
    steps += search.steps();
  }
  state.counters["steps"] = benchmark::Counter(static_cast<double>(steps), benchmark::Counter::kAvgIterations);
}
BENCHMARK(paper_example)->ArgName("stages")->DenseRange(0, 3);

}  // namespace
}  // namespace fovea::synthesis
