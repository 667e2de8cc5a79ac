// SPDX-License-Identifier: Apache-2.0
#include "fovea/linkage/generate/made_up_names.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <span>
#include <unordered_set>

#include "fovea/linkage/generate/syllables.h"

namespace fovea::linkage {
namespace {

constexpr double kSurnames = 28218, kSurnameExponent = 0.84, kSurnameGrowth = 0.83;
constexpr double kFirstNames = 18048, kFirstNameExponent = 0.75, kFirstNameGrowth = 0.73;

using Shares = std::array<double, MadeUpNames::kCultures>;
constexpr Shares kPeople = {.18, .15, .14, .13, .12, .11, .09, .08};           // and of first names
constexpr Shares kSurnameShares = {.006, .05, .10, .13, .15, .17, .184, .21};  // few in some cultures, many in others

ZipfLaw grown_law(double exponent, double names, double scale, double growth) {
  return {exponent, static_cast<std::uint32_t>(std::ceil(names * std::pow(std::max(scale, 1.0), growth)))};
}

/// Frequent words are short: new ones get longer as the short ones are taken.
std::vector<std::string> draw_spellings(std::size_t count, const Syllables& language, Random random) {
  std::vector<std::string> spellings;
  std::unordered_set<std::string> taken;
  while (spellings.size() < count) {
    std::string word;
    int least = 1;
    do {
      word.clear();
      language.append(least + static_cast<int>(random.uniform_index(2)), random, word);
      least += random.bernoulli(0.5);
    } while (!taken.insert(word).second);
    word[0] = static_cast<char>(std::toupper(word[0]));
    spellings.push_back(std::move(word));
  }
  return spellings;
}

}  // namespace

MadeUpNames::MadeUpNames(double scale, const Random& world) {
  for (std::uint32_t k = 0; k < kCultures; ++k) {
    const Random own = world.child("culture", k);
    const Syllables language(own.child("language"));
    const ZipfLaw surnames = grown_law(kSurnameExponent, kSurnames * kSurnameShares[k], scale, kSurnameGrowth);
    const ZipfLaw first_names = grown_law(kFirstNameExponent, kFirstNames * kPeople[k], scale, kFirstNameGrowth);
    cultures_.push_back({surnames, first_names, draw_spellings(surnames.ranks(), language, own.child("surnames")),
                         draw_spellings(first_names.ranks(), language, own.child("first names"))});
  }
}

std::uint32_t MadeUpNames::draw_culture(Random& random) const {
  return random.categorical(std::span<const double>(kPeople));
}

MadeUpNames::Name MadeUpNames::draw(std::uint32_t culture, Random& random) const {
  const std::uint32_t surname = cultures_[culture].surname_law.draw(random);
  return {culture, surname, cultures_[culture].first_name_law.draw(random)};
}

}  // namespace fovea::linkage
