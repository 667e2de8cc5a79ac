// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "fovea/base/random.h"
#include "fovea/linkage/generate/made_up_words.h"

namespace fovea::linkage {

enum class Sex : unsigned char { kFemale, kMale };

/// Names of the people of a country: given names by sex and surnames, by rank from 0. The frequent ones are real, with
/// their nicknames, the others made up.
///
/// Measured on the names of the United States census of 1990 (files dist.male.first and dist.all.last): of the men,
/// 3.3 % have the most frequent name, 1.4 % the tenth, .19 % the hundredth; of all, 1.0 %, .31 % and .09 % have such a
/// surname. Here the laws give 4.1 %, 1.7 % and .15 %, and .84 %, .30 % and .06 %.
class PeopleNames {
 public:
  static constexpr std::uint32_t kGivenNames = 4000, kSurnames = 100000;

  /// Only children of `world` are drawn from.
  explicit PeopleNames(const Random& world);

  std::uint32_t draw_given(Random& random) const { return given_law_.draw(random); }
  std::uint32_t draw_surname(Random& random) const { return surname_law_.draw(random); }

  const std::string& given(Sex sex, std::uint32_t rank) const { return given_[static_cast<std::size_t>(sex)][rank]; }
  const std::string& surname(std::uint32_t rank) const { return surnames_[rank]; }

  /// Draws one of the nicknames of a given name; "" if it has none.
  std::string_view draw_nickname(Sex sex, std::uint32_t rank, Random& random) const;

  /// The laws of both, for tests.
  const ZipfLaw& given_law() const { return given_law_; }
  const ZipfLaw& surname_law() const { return surname_law_; }

 private:
  ZipfLaw given_law_, surname_law_;
  std::vector<std::string> given_[2];  // [sex][rank]
  std::vector<std::string> surnames_;  // [rank]
};

}  // namespace fovea::linkage
