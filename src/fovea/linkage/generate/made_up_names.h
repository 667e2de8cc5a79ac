// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "fovea/base/random.h"
#include "fovea/linkage/generate/zipf_law.h"

namespace fovea::linkage {

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

  /// Names for a corpus `scale` times as large as the Anthology; a smaller one draws from as many. Only children of
  /// `world` are drawn from.
  MadeUpNames(double scale, const Random& world);

  /// Some cultures have more people than others.
  std::uint32_t draw_culture(Random& random) const;
  Name draw(std::uint32_t culture, Random& random) const;

  /// Capitalised. Two ranks of one culture have two spellings.
  const std::string& surname(const Name& name) const { return cultures_[name.culture].surnames[name.surname]; }
  const std::string& first(const Name& name) const { return cultures_[name.culture].first_names[name.first]; }

 private:
  struct Culture {
    ZipfLaw surname_law, first_name_law;
    std::vector<std::string> surnames, first_names;  // [rank]
  };
  std::vector<Culture> cultures_;
};

}  // namespace fovea::linkage
