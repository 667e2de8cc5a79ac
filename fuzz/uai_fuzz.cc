// SPDX-License-Identifier: Apache-2.0
// UAI models: what is read and written again is the same model, and from then on the same file.
#include <cstddef>
#include <cstdint>
#include <string>

#include "fovea/base/error.h"
#include "fovea/graph/format/uai.h"
#include "fuzz/require.h"

namespace {

fovea::ModelFile read(std::string_view bytes) { return fovea::read_uai(fovea::ByteSource::from_memory(bytes, "fuzz")); }

std::string write(const fovea::ModelFile& model) {
  std::string bytes;
  fovea::OutputFile output = fovea::OutputFile::to_memory(bytes);
  fovea::write_uai(model, output);
  output.finish();
  return bytes;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::string written;
  try {
    const fovea::ModelFile model = read({reinterpret_cast<const char*>(data), size});
    fovea::fuzz::require(model.graph.entry_count() <= size);
    written = write(model);
  } catch (const fovea::InputError&) {
    return 0;
  }
  const fovea::ModelFile again = read(written);
  fovea::fuzz::require(read(write(again)).graph.factor_count() == again.graph.factor_count());
  return 0;
}
