// SPDX-License-Identifier: Apache-2.0
// BIF networks: what is read and written again keeps its names and structure.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>

#include "fovea/base/error.h"
#include "fovea/graph/format/bif/bif.h"
#include "fuzz/require.h"

namespace {

fovea::ModelFile read(std::string_view bytes) { return fovea::read_bif(fovea::ByteSource::from_memory(bytes, "fuzz")); }

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  constexpr std::size_t kMaxEntries = 100000;  // `default` makes large tables of small files: too slow to write
  std::string written;
  fovea::ModelFile model;
  try {
    model = read({reinterpret_cast<const char*>(data), size});
    if (model.graph.entry_count() > kMaxEntries) return 0;
    fovea::OutputFile output = fovea::OutputFile::to_memory(written);
    fovea::write_bif(model, output);
    output.finish();
  } catch (const fovea::InputError&) {
    return 0;
  }
  const fovea::ModelFile again = read(written);
  fovea::fuzz::require(again.names.variables == model.names.variables && again.names.values == model.names.values);
  fovea::fuzz::require(again.graph.factor_count() == model.graph.factor_count());
  for (fovea::FactorId f = 0; f < model.graph.factor_count(); ++f)
    fovea::fuzz::require(std::ranges::equal(again.graph.scope(f), model.graph.scope(f)));
  return 0;
}
