// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace fovea::linkage {

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

/// The parts of a person's name, trimmed.
struct PersonName {
  std::string_view surname, given;
};

/// "Last, First M." at the first comma; "First M. Last" before the last blank; one word is a surname.
PersonName split_name(std::string_view name);

/// Of a surname, the last word, normalised, that is no Jr, Sr, II, III or IV: "Smith" of "Garcia-Smith Jr." People who
/// have two often leave out the first.
std::string family_name(std::string_view surname);

/// One spelling for what is written with and without the letters of another language: Müller, Mueller and Muller;
/// Sarkisyan and Sarkisian. Normalised, blanks left out, ae, oe and ue as a, o and u, y as i.
/// Different names may become equal.
std::string transliterated(std::string_view name);

/// How the given names of two people agree where initials are common, as in the author lists of papers; from the
/// weakest to the strongest. "Initial": one first name at least is no more than that; both begin alike.
enum class AuthorNameAgreement : unsigned char {
  kMissing,        ///< one has no given name
  kConflict,       ///< of the first names, or of middle names that both have
  kSimilar,        ///< first names in full, of which one begins the other, or one edit apart
  kInitialOpen,    ///< initial; one has middle names
  kInitial,        ///< initial; no middle names
  kInitialMiddle,  ///< initial; middle names agree, in full or as initials
  kFirstOpen,      ///< equal first names in full; one has middle names
  kFirst,          ///< equal first names in full; no middle names
  kFirstMiddle,    ///< equal first names in full; middle names agree
};

/// Given names as normalised words: the first name, then the middle names. "Jean-Paul" has a middle name, as "J.-P."
/// has.
using GivenNames = std::vector<std::string>;

/// Middle names are compared word by word as long as both have some. "Minseok" and "Min-Seok" are equal.
AuthorNameAgreement compare_author_names(const GivenNames& a, const GivenNames& b);

}  // namespace fovea::linkage
