// SPDX-License-Identifier: Apache-2.0
// Words that are read have letters, an origin, and at most as many attributes as there are pixels.
#include <cstddef>
#include <cstdint>
#include <string>

#include "fovea/base/error.h"
#include "fovea/tagging/format/pixels.h"
#include "fuzz/require.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using fovea::tagging::PixelReader;
  try {
    PixelReader reader(fovea::io::ByteSource::from_memory({reinterpret_cast<const char*>(data), size}, "fuzz"));
    for (fovea::tagging::AttributeSequence word; reader.next(word);) {
      fovea::fuzz::require(!word.empty() && word.size() <= PixelReader::kMaxWordLetters);
      for (std::size_t t = 0; t < word.size(); ++t) {
        fovea::fuzz::require(!word.label(t).empty() && word.attribute_count(t) <= PixelReader::kPixels);
        fovea::fuzz::require(word.origin(t).ends_with("\t" + std::to_string(t + 1)));
      }
    }
  } catch (const fovea::InputError&) {
  }
  return 0;
}
