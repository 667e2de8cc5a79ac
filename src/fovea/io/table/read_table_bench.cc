// SPDX-License-Identifier: Apache-2.0
// Reading a packed table of 187,066 rows and 11 columns, and an index of its ids (FOVEA_DATA).
#include <benchmark/benchmark.h>

#include "fovea/io/table/read_table.h"
#include "fovea/io/table/unique_ids.h"
#include "tests/support/data.h"

namespace fovea::io {
namespace {

constexpr const char* kMentions = "entity_resolution/acl187k.tsv.gz";

void read_mentions(benchmark::State& state) {
  const std::string path = testing::find_data(kMentions);
  if (path.empty()) return state.SkipWithError("set FOVEA_DATA");
  for (auto _ : state) {
    const Table table = read_table(path);
    state.counters["rows"] = static_cast<double>(table.row_count());
    state.counters["bytes"] = static_cast<double>(table.memory_in_bytes());
  }
}
BENCHMARK(read_mentions)->Unit(benchmark::kMillisecond);

void index_mentions(benchmark::State& state) {
  const std::string path = testing::find_data(kMentions);
  if (path.empty()) return state.SkipWithError("set FOVEA_DATA");
  const Table table = read_table(path);
  for (auto _ : state) benchmark::DoNotOptimize(unique_ids(table, 0));
}
BENCHMARK(index_mentions)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace fovea::io
