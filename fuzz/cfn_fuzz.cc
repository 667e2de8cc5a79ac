// SPDX-License-Identifier: Apache-2.0
// Cost function networks that are read and written read the same again, up to the digits that are written.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "fovea/graph/format/cost/cfn.h"
#include "fuzz/model_round_trip.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  fovea::fuzz::check_round_trip({reinterpret_cast<const char*>(data), size}, fovea::graph::read_cfn,
                                fovea::graph::write_cfn);
  return 0;
}
