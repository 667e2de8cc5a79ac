// SPDX-License-Identifier: Apache-2.0
#include "fovea/linkage/generate/made_up_words.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <span>
#include <string_view>
#include <unordered_set>
#include <utility>

namespace fovea::linkage {
namespace {

char draw_letter(std::string_view letters, Random& random) {
  return letters[random.uniform_index(static_cast<std::uint32_t>(letters.size()))];
}

std::string draw_letters(std::string_view letters, int count, Random& random) {
  std::string drawn;
  for (int i = 0; i < count; ++i) drawn += draw_letter(letters, random);
  return drawn;
}

}  // namespace

Syllables::Syllables(Random language)
    : onsets_(draw_letters("bcdfghjklmnprstvwyz", 24, language)),
      vowels_(draw_letters("aeiou", 4, language) + "aeiou"),
      codas_(draw_letters("dgklmnnrstx", 6, language)),
      open_(0.4 + 0.1 * language.uniform_index(5)) {}

void Syllables::append(int count, Random& random, std::string& word) const {
  for (int i = 0; i < count; ++i) {
    word += draw_letter(onsets_, random);
    word += draw_letter(vowels_, random);
    if (!random.bernoulli(open_)) word += draw_letter(codas_, random);
  }
}

void append_spellings(std::size_t count, const Syllables& language, Random random,
                      std::vector<std::string>& spellings) {
  std::unordered_set<std::string> taken(spellings.begin(), spellings.end());
  spellings.reserve(count);
  while (spellings.size() < count) {
    std::string word;
    int least = 1;
    do {
      word.clear();
      language.append(least + static_cast<int>(random.uniform_index(2)), random, word);
      word[0] = static_cast<char>(std::toupper(word[0]));
      least += random.bernoulli(0.5);
    } while (!taken.insert(word).second);
    spellings.push_back(std::move(word));
  }
}

namespace {

constexpr auto kCommon = static_cast<std::uint32_t>(-1);  // the topic of words that all topics share
constexpr double kCommonShare = 0.4, kFirstTopicShare = 0.7;
const ZipfLaw kCommonLaw(1.1, 200), kTopicLaw(0.9, 2000);

}  // namespace

void TitleWords::append_word(std::uint32_t topic, std::uint32_t rank, std::string& text) const {
  Random random = world_.child("word", (std::uint64_t{topic} << 32) + rank);
  const int syllables = 1 + static_cast<int>(random.uniform_index(2)) + (topic == kCommon ? 0 : 1);
  syllables_.append(syllables, random, text);
}

std::string TitleWords::draw_title(std::uint32_t first_topic, std::uint32_t second_topic, Random& random) const {
  std::string title;
  const int words = 2 + static_cast<int>(3.75 * (random.exponential() + random.exponential()));
  for (int i = 0; i < words; ++i) {
    if (i > 0) title += ' ';
    if (random.bernoulli(kCommonShare)) append_word(kCommon, kCommonLaw.draw(random), title);
    else append_word(random.bernoulli(kFirstTopicShare) ? first_topic : second_topic, kTopicLaw.draw(random), title);
  }
  title[0] = static_cast<char>(std::toupper(title[0]));
  return title;
}

std::string TitleWords::venue(std::uint32_t number) const {
  Random random = world_.child("venue", number);
  std::string name;
  syllables_.append(2, random, name);
  return name + std::to_string(number);
}

namespace {

constexpr double kSurnames = 28218, kSurnameExponent = 0.84, kSurnameGrowth = 0.83;
constexpr double kFirstNames = 18048, kFirstNameExponent = 0.75, kFirstNameGrowth = 0.73;

using Shares = std::array<double, MadeUpNames::kCultures>;
constexpr Shares kPeople = {.18, .15, .14, .13, .12, .11, .09, .08};           // and their shares of first names
constexpr Shares kSurnameShares = {.006, .05, .10, .13, .15, .17, .184, .21};  // few in some cultures, many in others

ZipfLaw grown_law(double exponent, double names, double scale, double growth) {
  return {exponent, static_cast<std::uint32_t>(std::ceil(names * std::pow(std::max(scale, 1.0), growth)))};
}

std::vector<std::string> draw_spellings(std::size_t count, const Syllables& language, const Random& random) {
  std::vector<std::string> spellings;
  append_spellings(count, language, random, spellings);
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

NameStyle NameStyle::draw(Random& random) {
  const bool initials = random.bernoulli(0.47);
  return {.initials = initials, .middle = random.bernoulli(0.5)};
}

std::string written_first_name(const std::string& first, char middle, NameStyle style, Random& random) {
  std::string written = style.initials ? first.substr(0, 1) : typed(first, random);
  if (style.middle && middle != '\0') written += {' ', middle};
  return written;
}

std::string typed(std::string name, Random& random) {
  if (name.size() < 3 || !random.bernoulli(kTypoRate)) return name;
  const std::size_t at = 1 + random.uniform_index(static_cast<std::uint32_t>(name.size() - 1));
  const char letter = static_cast<char>('a' + random.uniform_index(26));
  switch (random.uniform_index(4)) {
    case 0:
      name.insert(at, 1, letter);
      break;
    case 1:
      name.erase(at, 1);
      break;
    case 2:
      name[at] = letter;
      break;
    default:
      std::swap(name[at - 1], name[at]);
  }
  name[1] = static_cast<char>(std::tolower(name[1]));
  name[0] = static_cast<char>(std::toupper(name[0]));
  return name;
}

}  // namespace fovea::linkage
