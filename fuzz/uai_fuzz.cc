// SPDX-License-Identifier: Apache-2.0
// UAI models that are read and written are the same model, and from then on the same file.
#include <cstddef>
#include <cstdint>
#include <string>

#include "fovea/base/error.h"
#include "fovea/graph/format/uai.h"
#include "fuzz/require.h"

namespace {

fovea::graph::ModelFile read(std::string_view bytes) {
  return fovea::graph::read_uai(fovea::io::ByteSource::from_memory(bytes, "fuzz"));
}

std::string write(const fovea::graph::ModelFile& model) {
  std::string bytes;
  fovea::io::OutputFile output = fovea::io::OutputFile::to_memory(bytes);
  fovea::graph::write_uai(model, output);
  output.finish();
  return bytes;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::string written;
  try {
    const fovea::graph::ModelFile model = read({reinterpret_cast<const char*>(data), size});
    fovea::fuzz::require(model.graph.entry_count() <= size);
    written = write(model);
  } catch (const fovea::InputError&) {
    return 0;
  }
  const fovea::graph::ModelFile again = read(written);
  fovea::fuzz::require(read(write(again)).graph.factor_count() == again.graph.factor_count());
  return 0;
}
