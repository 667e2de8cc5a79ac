// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace fovea::linkage {

/// Normalises `text` so that records of different sources can be compared: Unicode case folding and compatibility
/// decomposition; accents are stripped, everything except letters and digits becomes a blank, and one blank remains
/// between words and none at either end. "  Núñez-O'BRIEN, Łukasz" gives "nunez o brien lukasz".
///
/// Accents are the combining marks that Unicode places above, below or around a letter (Hebrew points and Arabic vowels
/// too); marks that are letters of their own, like the vowel signs of Devanagari, stay. Latin letters that do not
/// decompose (ø, ł, đ, æ, þ, ...) are spelled in ASCII. A byte that is not UTF-8 becomes U+FFFD. Idempotent.
std::string normalised(std::string_view text);

/// The words of normalised(text) in their order, with repetitions.
std::vector<std::string> tokens(std::string_view text);

}  // namespace fovea::linkage
