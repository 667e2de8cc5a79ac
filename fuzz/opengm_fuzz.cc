// SPDX-License-Identifier: Apache-2.0
// OpenGM models in HDF5: any bytes give either a model or an InputError.
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string_view>

#include "fovea/base/error.h"
#include "fovea/graph/format/opengm/opengm_hdf5.h"
#include "fuzz/require.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  try {
    const fovea::graph::FactorGraph graph =
        fovea::graph::read_opengm_hdf5(fovea::io::ByteSource::from_memory(bytes, "fuzz"));
    const fovea::Assignment zeros(graph.variable_count());
    for (fovea::graph::FactorId f = 0; f < graph.factor_count(); ++f)
      fovea::fuzz::require(graph.factor_score(f, zeros) < std::numeric_limits<double>::infinity());
  } catch (const fovea::InputError&) {
  }
  return 0;
}
