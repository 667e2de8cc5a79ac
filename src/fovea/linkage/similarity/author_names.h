// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace fovea::linkage {

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
