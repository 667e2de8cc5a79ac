// SPDX-License-Identifier: Apache-2.0
// Solution files of every task: what is read and written again reads the same.
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>

#include "fovea/base/error.h"
#include "fovea/graph/format/solution_file.h"
#include "fuzz/require.h"

namespace {

const fovea::FactorGraph& graph() {
  static const fovea::FactorGraph kGraph = [] {
    fovea::FactorGraph::Builder builder;
    for (const std::size_t cardinality : {2, 3, 4}) builder.add_variable(cardinality);
    return builder.build();
  }();
  return kGraph;
}

/// Reads with `read`; what it accepts must survive `write`.
template <class Read, class Write>
void round_trip(std::string_view bytes, const Read& read, const Write& write) {
  using Answer = decltype(read(fovea::ByteSource::from_memory(bytes, "fuzz")));
  Answer answer = {};
  try {
    answer = read(fovea::ByteSource::from_memory(bytes, "fuzz"));
  } catch (const fovea::InputError&) {
    return;
  }
  const auto write_out = [&](const Answer& given) {
    std::string written;
    fovea::OutputFile output = fovea::OutputFile::to_memory(written);
    write(given, output);
    output.finish();
    return written;
  };
  const std::string written = write_out(answer);
  fovea::fuzz::require(write_out(read(fovea::ByteSource::from_memory(written, "fuzz"))) == written);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  using Source = fovea::ByteSource;
  round_trip(
      bytes, [](Source source) { return fovea::read_assignment(std::move(source), graph()); },
      [](const auto& answer, auto& output) { fovea::write_assignment(answer, output); });
  round_trip(
      bytes, [](Source source) { return fovea::read_marginals(std::move(source), graph()); },
      [](const auto& answer, auto& output) { fovea::write_marginals(answer, output); });
  round_trip(
      bytes, [](Source source) { return fovea::read_log_partition(std::move(source)); },
      [](const auto& answer, auto& output) { fovea::write_log_partition(answer, output); });
  round_trip(
      bytes, [](Source source) { return fovea::read_marginal_map(std::move(source), graph()); },
      [](const auto& answer, auto& output) { fovea::write_marginal_map(answer, output); });
  return 0;
}
