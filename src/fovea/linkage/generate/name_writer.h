// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "fovea/base/random.h"

namespace fovea::linkage {

/// How a paper writes its authors' names: one style for all of them.
struct NameStyle {
  bool initials = false;  ///< "A" instead of "Ana"
  bool middle = false;    ///< with the middle initial of those who have one: "Ana B", "A B"

  /// First names are in full on 53 % of the papers, as in an edition of the ACL Anthology that is abbreviated to try
  /// entity resolution on; middle initials are on half.
  static NameStyle draw(Random& random);
};

/// The first name as a paper of this style has it; `middle` is the initial, '\0' if there is none.
std::string written_first_name(const std::string& first, char middle, NameStyle style, Random& random);

/// Probability that typed() errs.
inline constexpr double kTypoRate = 0.005;

/// The capitalised name as it is typed: now and then a letter is inserted, deleted or substituted, or two neighbours
/// are transposed. Names of fewer than three letters are typed right.
std::string typed(std::string name, Random& random);

}  // namespace fovea::linkage
