// SPDX-License-Identifier: Apache-2.0
// Bayesian networks in XML are read whole, with a table and a name for each variable, or refused.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "fovea/base/error.h"
#include "fovea/graph/format/bif/xmlbif.h"
#include "fovea/io/stream.h"
#include "fuzz/require.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    const std::string_view bytes(reinterpret_cast<const char*>(data), size);
    const fovea::graph::ModelFile model = fovea::graph::read_xmlbif(fovea::io::ByteSource::from_memory(bytes, "fuzz"));
    fovea::fuzz::require(model.graph.factor_count() == model.graph.variable_count());
    fovea::fuzz::require(model.names.variables.size() == model.graph.variable_count());
  } catch (const fovea::InputError&) {
  }
  return 0;
}
