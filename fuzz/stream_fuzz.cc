// SPDX-License-Identifier: Apache-2.0
// Packed or plain bytes give the same text in pieces of any size, or are refused, in bounded memory.
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "fovea/base/error.h"
#include "fovea/io/stream.h"
#include "fuzz/require.h"

namespace {

/// The unpacked text, cut at 4 MiB (a few bytes can unpack to terabytes); no value if it is refused.
std::optional<std::string> unpack(std::string_view bytes, std::size_t piece) {
  constexpr std::size_t kMost = std::size_t{4} << 20;
  fovea::io::ByteSource source = fovea::io::ByteSource::from_memory(bytes, "fuzz");
  std::string text, buffer(piece, ' ');
  try {
    while (text.size() < kMost) {
      const std::size_t count = source.read(buffer);
      if (count == 0) break;
      text.append(buffer, 0, count);
    }
  } catch (const fovea::InputError&) {
    return std::nullopt;
  }
  text.resize(std::min(text.size(), kMost));
  return text;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const std::optional<std::string> whole = unpack(bytes, 1 << 16);
  // The place where a refused text breaks off may depend on the pieces only if it was cut.
  if (whole && whole->size() < (1 << 20)) fovea::fuzz::require(unpack(bytes, 61) == whole);
  return 0;
}
