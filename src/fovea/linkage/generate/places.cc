// SPDX-License-Identifier: Apache-2.0
#include "fovea/linkage/generate/places.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

namespace fovea::linkage {
namespace {

struct StreetKind {
  std::string_view name, abbreviated;
};

constexpr std::array kStreetKinds = {StreetKind{"Street", "St"}, StreetKind{"Road", "Rd"}, StreetKind{"Avenue", "Ave"},
                                     StreetKind{"Lane", "Ln"}, StreetKind{"Drive", "Dr"}};

constexpr std::string_view kCommonStreets[] = {
    "Main",   "Church", "High",   "Mill",   "School", "Park",     "Station", "Oak",    "Maple",   "Elm",
    "Cedar",  "Lake",   "Hill",   "River",  "Spring", "North",    "South",   "East",   "West",    "King",
    "Queen",  "Market", "Bridge", "Garden", "Forest", "Meadow",   "Castle",  "Chapel", "Orchard", "Victoria",
    "Albert", "Linden", "Birch",  "Rose",   "Canal",  "Windmill", "Green",   "Farm",   "Abbey",   "Valley",
};

constexpr std::array<std::string_view, 8> kCityEndings = {"ton", "ham", "ford", "field", "by", "burg", "ville", "port"};

// Guesses. The heads keep the largest city below a twentieth of the people.
constexpr double kCityExponent = 1.01, kCityHead = 3;
constexpr double kStreetExponent = 0.9, kStreetHead = 10;
constexpr double kPostcodesByShare = 8000;
constexpr std::uint32_t kFirstPostcode = 10000, kFirstAreaCode = 2000;
constexpr double kMeanHouseNumber = 35;

}  // namespace

Places::Places(const Random& world)
    : city_law_(kCityExponent, kCities, kCityHead), street_law_(kStreetExponent, kStreets, kStreetHead) {
  const Syllables language(world.child("language of places"));
  append_spellings(kCities, language, world.child("cities"), cities_);
  for (std::uint32_t city = 0; city < kCities; ++city) cities_[city] += kCityEndings[city % kCityEndings.size()];
  streets_.assign(std::begin(kCommonStreets), std::end(kCommonStreets));
  append_spellings(kStreets, language, world.child("streets"), streets_);
  first_postcode_.push_back(kFirstPostcode);
  for (std::uint32_t city = 0; city < kCities; ++city) {
    const double share = city_law_.below(city + 1) - city_law_.below(city);
    const auto postcodes = static_cast<std::uint32_t>(std::ceil(kPostcodesByShare * share));
    first_postcode_.push_back(first_postcode_.back() + postcodes);
  }
}

Address Places::draw_address(std::uint32_t city, Random& random) const {
  const std::uint32_t postcodes = first_postcode_[city + 1] - first_postcode_[city];
  const std::uint32_t postcode = first_postcode_[city] + random.uniform_index(postcodes);
  const std::uint32_t street = street_law_.draw(random);
  return {city, postcode, street, 1 + static_cast<std::uint32_t>(kMeanHouseNumber * random.exponential())};
}

std::string Places::street(std::uint32_t street, bool abbreviated) const {
  const StreetKind& kind = kStreetKinds[street % kStreetKinds.size()];
  return streets_[street] + ' ' + std::string(abbreviated ? kind.abbreviated : kind.name);
}

std::uint32_t Places::city_of_postcode(std::uint32_t postcode) const {
  const auto after = std::upper_bound(first_postcode_.begin(), first_postcode_.end(), postcode);
  return static_cast<std::uint32_t>(after - first_postcode_.begin() - 1);
}

std::uint32_t Places::area_code(std::uint32_t city) { return kFirstAreaCode + city; }

}  // namespace fovea::linkage
