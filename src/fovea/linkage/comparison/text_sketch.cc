// SPDX-License-Identifier: Apache-2.0
#include "fovea/linkage/comparison/text_sketch.h"

#include "fovea/base/utf8.h"

namespace fovea::linkage {

TextSketch sketch_of(std::string_view text) {
  constexpr std::uint32_t kSorts = 32;
  constexpr int kBitsOfACharacter = 8, kBeginning = 4;
  TextSketch sketch;
  int length = 0;
  while (!text.empty()) {
    const Character character = first_character(text);
    text.remove_prefix(character.size);
    // Letters and digits of ASCII, which most texts are made of, fall into different sorts as far as they can.
    const std::uint64_t first = std::uint64_t{1} << 2 * (character.code_point % kSorts);
    sketch.letters |= (sketch.letters & first) != 0 ? first << 1 : first;
    if (length < kBeginning) sketch.beginning |= (character.code_point & 0xFF) << length * kBitsOfACharacter;
    ++length;
  }
  sketch.length = static_cast<float>(length);
  return sketch;
}

}  // namespace fovea::linkage
