// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace fovea {

/// How two given names agree, from the strongest to the weakest.
enum class NameAgreement : unsigned char {
  kEqual,
  kInitial,      ///< one is the other's initial: J. and John
  kPrefix,       ///< one, of two letters or more, begins the other: Rob and Robert
  kOneEdit,      ///< one edit apart, swaps included: Jonh and John; both of three letters or more
  kSameInitial,  ///< nothing but the first letter: Jane and John
  kConflict,
  kMissing,  ///< one has no letter or digit: says nothing for or against
};

/// Compares names, normalised first, word by word: "J. P." agrees with "Jean-Paul" by initials. The weakest word
/// decides; if one has more words, the agreement is kPrefix at best. Nicknames that do not begin the name (Bill and
/// William) are conflicts.
NameAgreement compare_given_names(std::string_view a, std::string_view b);

}  // namespace fovea
