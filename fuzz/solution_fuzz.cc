// SPDX-License-Identifier: Apache-2.0
// Solution files of every task that are read and written read the same again.
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>

#include "fovea/base/error.h"
#include "fovea/graph/format/solution_file.h"
#include "fuzz/require.h"
#include "tests/support/factorless_graph.h"

namespace {

const fovea::graph::FactorGraph& graph() {
  static const fovea::graph::FactorGraph kGraph = fovea::testing::factorless_graph(3);
  return kGraph;
}

/// Reads with `read`; whatever it accepts must survive `write`.
template <class Read, class Write>
void round_trip(std::string_view bytes, const Read& read, const Write& write) {
  using Answer = decltype(read(fovea::io::ByteSource::from_memory(bytes, "fuzz")));
  Answer answer = {};
  try {
    answer = read(fovea::io::ByteSource::from_memory(bytes, "fuzz"));
  } catch (const fovea::InputError&) {
    return;
  }
  const auto write_out = [&](const Answer& given) {
    std::string written;
    fovea::io::OutputFile output = fovea::io::OutputFile::to_memory(written);
    write(given, output);
    output.finish();
    return written;
  };
  const std::string written = write_out(answer);
  fovea::fuzz::require(write_out(read(fovea::io::ByteSource::from_memory(written, "fuzz"))) == written);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  using Source = fovea::io::ByteSource;
  round_trip(
      bytes, [](Source source) { return fovea::graph::read_assignment(std::move(source), graph()); },
      [](const auto& answer, auto& output) { fovea::graph::write_assignment(answer, output); });
  round_trip(
      bytes, [](Source source) { return fovea::graph::read_marginals(std::move(source), graph()); },
      [](const auto& answer, auto& output) { fovea::graph::write_marginals(answer, output); });
  round_trip(
      bytes, [](Source source) { return fovea::graph::read_log_partition(std::move(source)); },
      [](const auto& answer, auto& output) { fovea::graph::write_log_partition(answer, output); });
  round_trip(
      bytes, [](Source source) { return fovea::graph::read_marginal_map(std::move(source), graph()); },
      [](const auto& answer, auto& output) { fovea::graph::write_marginal_map(answer, output); });
  return 0;
}
