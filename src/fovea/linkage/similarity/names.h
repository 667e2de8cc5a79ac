// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace fovea::linkage {

/// Agreement of two given names, from the strongest to the weakest.
enum class NameAgreement : unsigned char {
  kEqual,
  kInitial,      ///< one is the other's initial: J. and John
  kPrefix,       ///< one, of two letters or more, begins the other: Rob and Robert
  kOneEdit,      ///< one edit apart, swaps included: Jonh and John; both of three letters or more
  kSameInitial,  ///< nothing but the first letter: Jane and John
  kConflict,
  kMissing,  ///< one has no letter or digit: no evidence either way
};

/// Compares names, normalised first, word by word: "J. P." agrees with "Jean-Paul" by initials. The weakest word
/// decides; if one has more words, the agreement is kPrefix at best. Nicknames that do not begin the name (Bill and
/// William) are conflicts.
NameAgreement compare_given_names(std::string_view a, std::string_view b);
/// The same for names that are cut into normalised words already.
NameAgreement compare_given_names(const std::vector<std::string>& a, const std::vector<std::string>& b);

/// The parts of a person's name, trimmed.
struct PersonName {
  std::string_view surname, given;
};

/// "Last, First M." at the first comma; "First M. Last" before the last blank; one word is a surname.
PersonName split_name(std::string_view name);

/// Last word of a surname, normalised, not counting Jr, Sr, II, III and IV: "smith" of "Garcia-Smith Jr." People with
/// two surnames often leave out the first.
std::string family_name(std::string_view surname);

/// Returns one spelling for names written with or without the letters of another language: Müller, Mueller and Muller;
/// Sarkisyan and Sarkisian. The name is normalised, blanks are left out, ae, oe and ue become a, o and u, and y becomes
/// i. Different names may become equal.
std::string transliterated(std::string_view name);

/// Agreement of the given names of two people where initials are common, as in the author lists of papers; from the
/// weakest to the strongest. "Initial": at least one first name is only an initial, and both begin alike.
enum class AuthorNameAgreement : unsigned char {
  kMissing,        ///< one has no given name
  kConflict,       ///< of the first names, or of middle names that both have
  kSimilar,        ///< first names in full; one begins the other, or they are one edit apart
  kInitialOpen,    ///< initial; one has middle names
  kInitial,        ///< initial; no middle names
  kInitialMiddle,  ///< initial; middle names agree, in full or as initials
  kFirstOpen,      ///< equal first names in full; one has middle names
  kFirst,          ///< equal first names in full; no middle names
  kFirstMiddle,    ///< equal first names in full; middle names agree
};

/// Given names as normalised words: the first name, then the middle names. "Jean-Paul" has a middle name, like "J.-P.".
using GivenNames = std::vector<std::string>;

/// Middle names are compared word by word as long as both have some. "Minseok" and "Min-Seok" are equal.
AuthorNameAgreement compare_author_names(const GivenNames& a, const GivenNames& b);

}  // namespace fovea::linkage
