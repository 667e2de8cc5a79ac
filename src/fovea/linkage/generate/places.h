// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "fovea/base/random.h"
#include "fovea/linkage/generate/made_up_words.h"

namespace fovea::linkage {

/// A place to live. Numbers, not texts; Places spells them.
struct Address {
  std::uint32_t city, postcode, street, house_number;
};

/// Made-up cities with their postcodes and streets. The sizes of cities fall with their rank to the power of 1 (Zipf's
/// law, which holds for the cities of most countries: Gabaix 1999), except that the few largest ones are more alike.
/// Every postcode belongs to one city, and larger cities have more of them. Many cities share the frequent names of
/// streets.
class Places {
 public:
  static constexpr std::uint32_t kCities = 1500, kStreets = 20000;

  /// Only children of `world` are drawn from.
  explicit Places(const Random& world);

  std::uint32_t draw_city(Random& random) const { return city_law_.draw(random); }
  Address draw_address(std::uint32_t city, Random& random) const;

  const std::string& city(std::uint32_t city) const { return cities_[city]; }
  /// The kind of the street may be abbreviated: "Mill Rd".
  std::string street(std::uint32_t street, bool abbreviated) const;
  /// The city that has the postcode.
  std::uint32_t city_of_postcode(std::uint32_t postcode) const;
  /// Digits with which the numbers of fixed telephones of the city begin, after the 0.
  static std::uint32_t area_code(std::uint32_t city);

  const ZipfLaw& city_law() const { return city_law_; }

 private:
  ZipfLaw city_law_, street_law_;
  std::vector<std::string> cities_, streets_;
  std::vector<std::uint32_t> first_postcode_;  // [city], and the end of all
};

}  // namespace fovea::linkage
