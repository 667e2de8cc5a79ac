// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "fovea/base/random.h"

namespace fovea::linkage {

/// Zipf's law over ranks 0 .. n - 1 with exponent s > 0, s != 1, in its integrated form: a rank is the whole part of a
/// point with density proportional to (1 + x)^-s on [0, n), so that
///   P(rank < r) = ((1 + r)^(1-s) - 1) / ((1 + n)^(1-s) - 1).
/// Unlike the sum, it is drawn in O(1) and needs no table, however many ranks there are. With a head h other than 1 the
/// density is proportional to (1 + x/h)^-s, as Mandelbrot's law: about h ranks are almost equally frequent.
class ZipfLaw {
 public:
  ZipfLaw(double exponent, std::uint32_t ranks, double head = 1)
      : inverse_(1 / (1 - exponent)),
        range_(std::pow(1 + ranks / head, 1 - exponent) - 1),
        head_(head),
        ranks_(ranks) {}

  template <class Random>
  std::uint32_t draw(Random& random) const {
    const double uniform = std::exp(-random.exponential());
    const double point = head_ * (std::pow(1 + uniform * range_, inverse_) - 1);
    return static_cast<std::uint32_t>(std::clamp(point, 0.0, ranks_ - 1.0));
  }

  /// P(rank < r), for 0 <= r <= n.
  double below(double r) const { return (std::pow(1 + r / head_, 1 / inverse_) - 1) / range_; }

  std::uint32_t ranks() const { return ranks_; }

 private:
  double inverse_, range_, head_;
  std::uint32_t ranks_;
};

/// Sound of the words of one made-up language: the consonants that begin and end its syllables, and its vowels. Letters
/// that occur twice are twice as likely. Words of one language look alike, as do those that a comparison of strings has
/// to tell apart.
class Syllables {
 public:
  /// Draws the letters of the language from `language`.
  explicit Syllables(Random language);

  /// Appends `count` syllables in lower case.
  void append(int count, Random& random, std::string& word) const;

 private:
  std::string onsets_, vowels_, codas_;
  double open_ = 0.5;  ///< probability that a syllable ends in its vowel
};

/// Adds capitalised words of the language until there are `count` spellings, which are all different if those given
/// are. Frequent words are short: new ones get longer as the short ones are taken.
void append_spellings(std::size_t count, const Syllables& language, Random random, std::vector<std::string>& spellings);

/// Made-up titles of papers and names of venues. Every topic has words of its own by Zipf's law, and all topics share
/// frequent ones. A word is a function of (world, topic, rank), so nothing is stored.
class TitleWords {
 public:
  /// Only children of `world` are drawn from.
  explicit TitleWords(const Random& world) : world_(world), syllables_(world.child("language of titles")) {}

  /// Draws a title of 2 words or more, 9 on average: common words and words of the two topics, those of the first being
  /// more frequent.
  std::string draw_title(std::uint32_t first_topic, std::uint32_t second_topic, Random& random) const;

  /// Name of a venue: a word and the venue's number, so that no two are the same.
  std::string venue(std::uint32_t number) const;

 private:
  void append_word(std::uint32_t topic, std::uint32_t rank, std::string& text) const;

  Random world_;
  Syllables syllables_;
};

/// Made-up names of people, in groups: a group is a culture with surnames and first names of its own, which go
/// together, so that two people of one culture are namesakes more often than two of different ones.
///
/// Measured on the ACL Anthology (187,066 records of 51,077 authors): surnames follow Zipf's law with exponent .84
/// over 28,218, first names with .75 over 18,048. Every culture has these exponents and its share of the names; a fit
/// to all cultures together gives .90 and .73, as some have few surnames. More people have more names (Heaps' law); the
/// exponents of that growth, .83 and .73, are the shares of surnames and first names that only one of the Anthology's
/// authors has.
class MadeUpNames {
 public:
  static constexpr std::uint32_t kCultures = 8;

  struct Name {
    std::uint32_t culture, surname, first;  ///< surname and first name by rank from 0 in the culture
    /// Different for different names.
    std::uint64_t key() const { return ((std::uint64_t{surname} << 32) + first) * kCultures + culture; }
  };

  /// Makes names for a corpus `scale` times as large as the Anthology; a smaller one draws from as many names. Only
  /// children of `world` are drawn from.
  MadeUpNames(double scale, const Random& world);

  /// Draws a culture; some have more people than others.
  std::uint32_t draw_culture(Random& random) const;
  Name draw(std::uint32_t culture, Random& random) const;

  /// Spelling of a surname, capitalised. Two ranks of one culture have two spellings.
  const std::string& surname(const Name& name) const { return cultures_[name.culture].surnames[name.surname]; }
  const std::string& first(const Name& name) const { return cultures_[name.culture].first_names[name.first]; }

 private:
  struct Culture {
    ZipfLaw surname_law, first_name_law;
    std::vector<std::string> surnames, first_names;  // [rank]
  };
  std::vector<Culture> cultures_;
};

/// Style in which a paper writes the names of all its authors.
struct NameStyle {
  bool initials = false;  ///< "A" instead of "Ana"
  bool middle = false;    ///< with the middle initial of those who have one: "Ana B", "A B"

  /// Draws a style. First names are in full on 53 % of the papers, as in an edition of the ACL Anthology that was
  /// abbreviated for tests of entity resolution; middle initials are on half.
  static NameStyle draw(Random& random);
};

/// The first name as a paper of this style writes it. `middle` is the middle initial, or '\0'.
std::string written_first_name(const std::string& first, char middle, NameStyle style, Random& random);

/// Probability that typed() makes an error.
inline constexpr double kTypoRate = 0.005;

/// The capitalised name as it is typed: now and then a letter is inserted, deleted or substituted, or two neighbours
/// are transposed. Names of fewer than three letters are typed correctly.
std::string typed(std::string name, Random& random);

}  // namespace fovea::linkage
