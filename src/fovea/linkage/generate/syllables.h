// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "fovea/base/random.h"

namespace fovea::linkage {

/// How the words of one made-up language sound: the consonants that begin and end its syllables and its vowels, letters
/// that occur twice being twice as likely. Words of one language look alike, as those that a comparison of strings has
/// to tell apart do.
class Syllables {
 public:
  /// Every language has other letters, drawn from `language`.
  explicit Syllables(Random language);

  /// Appends `count` syllables in lower case.
  void append(int count, Random& random, std::string& word) const;

 private:
  std::string onsets_, vowels_, codas_;
  double open_ = 0.5;  ///< probability that a syllable ends in its vowel
};

}  // namespace fovea::linkage
