// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "fovea/base/error.h"

namespace fovea::gestures {

/// A point on the keyboard, in key widths from its upper left corner.
struct KeyboardPoint {
  float x = 0, y = 0;

  friend bool operator==(const KeyboardPoint&, const KeyboardPoint&) = default;
};

inline float distance(KeyboardPoint a, KeyboardPoint b) { return std::hypot(a.x - b.x, a.y - b.y); }

/// A key of the 26 letters: 0 is a, 25 is z.
using Key = std::uint8_t;
inline constexpr int kKeyCount = 26;

/// The centre of a key of QWERTY on a telephone: ten keys wide, the second row half a key to the right of the first and
/// the third a whole key to the right of the second, rows as high as keys are wide. (The medians of where real swipes
/// begin and end lie within a tenth of a key of these centres, except for letters at the edges.)
KeyboardPoint key_centre(Key key);

/// The key whose centre is nearest.
Key key_at(KeyboardPoint point);

/// The keys with centres within `radius` of that of `key`, in the order of the alphabet.
std::vector<Key> keys_near(Key key, float radius);

/// The letters a .. z that one swipes for a word: "dont" for "Don't", "cafe" for "café". Other characters are left out.
std::string typed_letters(std::string_view word);

/// True if `word` has letters and all of them are a .. z.
bool is_typed_by_letters(std::string_view word);

/// The keys of a word of letters a .. z. Throws InputError at `location` for any other character and for no letters.
std::vector<Key> keys_of(std::string_view word, const InputLocation& location);
/// The letters on the keys.
std::string letters_of(const std::vector<Key>& keys);

}  // namespace fovea::gestures
