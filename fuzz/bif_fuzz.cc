// SPDX-License-Identifier: Apache-2.0
// BIF networks keep their names and structure when they are read, written and read again.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>

#include "fovea/base/error.h"
#include "fovea/graph/format/bif/bif.h"
#include "fuzz/require.h"

namespace {

fovea::graph::ModelFile read(std::string_view bytes) {
  return fovea::graph::read_bif(fovea::io::ByteSource::from_memory(bytes, "fuzz"));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  constexpr std::size_t kMaxEntries = 100000;  // `default` makes large tables from small files: too slow to write
  std::string written;
  fovea::graph::ModelFile model;
  try {
    model = read({reinterpret_cast<const char*>(data), size});
    if (model.graph.entry_count() > kMaxEntries) return 0;
    fovea::io::OutputFile output = fovea::io::OutputFile::to_memory(written);
    fovea::graph::write_bif(model, output);
    output.finish();
  } catch (const fovea::InputError&) {
    return 0;
  }
  const fovea::graph::ModelFile again = read(written);
  fovea::fuzz::require(again.names.variables == model.names.variables && again.names.values == model.names.values);
  fovea::fuzz::require(again.graph.factor_count() == model.graph.factor_count());
  for (fovea::graph::FactorId f = 0; f < model.graph.factor_count(); ++f)
    fovea::fuzz::require(std::ranges::equal(again.graph.scope(f), model.graph.scope(f)));
  return 0;
}
