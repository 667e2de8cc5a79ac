// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "fovea/base/random.h"

namespace fovea::linkage {

/// Makes a mistake in typing a text of ASCII: a letter is left out, inserted (often the one before it again), replaced
/// by its neighbour on the keyboard or by letters that sound alike, or swapped with the next one. 7 % of the texts get
/// a second mistake.
///
/// Of 50,000 misspellings in scientific texts, 90 to 95 % have a single mistake, the most frequent is a letter left
/// out, and most insertions double a letter (Pollock and Zamora 1983, "Collection and characterization of spelling
/// errors in scientific and scholarly text"); the first letter is seldom wrong (Yannakoudakis and Fawthrop 1983), here
/// never except by a swap. The exact shares are guesses. Capitals stay at the beginnings of words. Texts of one letter
/// and mistakes that do not show are possible: the text may come back as it was.
std::string mistyped(std::string text, Random& random);

/// Makes a mistake in a number, however it is punctuated: a digit is replaced or swapped with the next one. A text
/// without digits comes back as it was.
std::string misread_digits(std::string text, Random& random);

}  // namespace fovea::linkage
