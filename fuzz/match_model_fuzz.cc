// SPDX-License-Identifier: Apache-2.0
// Any bytes are either a match model that survives being written, or an InputError.
#include <cstdint>
#include <string_view>

#include "fovea/base/error.h"
#include "fovea/linkage/matching/match_model_file.h"
#include "fuzz/require.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    const auto model = fovea::linkage::parse_match_model({reinterpret_cast<const char*>(data), size}, "<fuzz>");
    const std::string json = fovea::linkage::match_model_json(model);
    fovea::fuzz::require(fovea::linkage::match_model_json(fovea::linkage::parse_match_model(json, "<fuzz>")) == json);
  } catch (const fovea::InputError&) {
  }
  return 0;
}
