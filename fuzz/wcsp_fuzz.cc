// SPDX-License-Identifier: Apache-2.0
// Weighted constraint networks that are read can be written if all costs are exact, and then read the same again.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "fovea/graph/format/cost/wcsp.h"
#include "fuzz/model_round_trip.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  fovea::fuzz::check_round_trip({reinterpret_cast<const char*>(data), size}, fovea::graph::read_wcsp,
                                fovea::graph::write_wcsp);
  return 0;
}
