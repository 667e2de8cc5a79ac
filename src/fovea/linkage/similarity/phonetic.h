// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace fovea::linkage {

// Both codes describe English sounds. Letters outside ASCII are folded (see normalised()); whatever is not a letter
// from A to Z after that is left out, so "O'Brien" is one word. Text without any such letter has the code "".

/// American Soundex as defined by the National Archives of the United States: the first letter, then the digits of the
/// consonants that follow (bfpv 1, cgjkqsxz 2, dt 3, l 4, mn 5, r 6), padded with 0 or cut to three. Neighbours with
/// the same digit, the first letter among them, count once, also when H or W stands between; a vowel or Y separates.
std::string soundex(std::string_view text);

/// Metaphone (Philips 1990, "Hanging on the Metaphone", Computer Language 7, 39-43): the consonant sounds of a word, 0
/// for "th" and X for "sh", with a vowel kept only at the beginning. The code is not cut to the paper's four sounds.
/// Several variants of the rules exist; these are used here:
///
///   letter     sound
///   doubled    as one, by what follows, except C
///   initial    AE E, GN KN PN N, WR R, X S, WH W
///   B          silent in final MB
///   C          silent in SCE SCI SCY; X in CIA and CH, but K in SCH; S before E I Y; else K
///   D          J in DGE DGI DGY, else T
///   G          silent in GH neither final nor before a vowel, in final GN and GNED, in DGE DGI DGY; J before E I Y if
///              not GG; else K
///   H          silent after C G P S T, and after a vowel unless one follows
///   K          silent after C
///   P          F in PH
///   Q V Z      K F S
///   S          X in SH SIA SIO
///   T          X in TIA TIO, 0 in TH, silent in TCH
///   W Y        silent unless a vowel follows
///   X          KS
///   F J L M N R  as they are
std::string metaphone(std::string_view text);

}  // namespace fovea::linkage
