// SPDX-License-Identifier: Apache-2.0
#include "fovea/linkage/generate/places.h"

#include <gtest/gtest.h>

#include <map>
#include <set>
#include <vector>

#include "tests/support/statistics.h"

namespace fovea::linkage {
namespace {

TEST(PlacesTest, PostcodesBelongToTheirCity) {
  const Places places{Random(1)};
  Random random(2);
  std::map<std::uint32_t, std::set<std::uint32_t>> postcodes_of;
  for (int i = 0; i < 20000; ++i) {
    const std::uint32_t city = places.draw_city(random);
    const Address address = places.draw_address(city, random);
    EXPECT_EQ(address.city, city);
    EXPECT_EQ(places.city_of_postcode(address.postcode), city);
    EXPECT_GE(address.postcode, 10000u);
    EXPECT_LT(address.postcode, 100000u);
    EXPECT_GE(address.house_number, 1u);
    postcodes_of[city].insert(address.postcode);
  }
  EXPECT_GT(postcodes_of[0].size(), 10 * postcodes_of[100].size());
}

TEST(PlacesTest, SizesOfCitiesFallAsTheirRank) {
  const Places places{Random(1)};
  Random random(2);
  std::vector<double> shares;  // of ten cities and all others
  for (int city = 0; city < 10; ++city)
    shares.push_back(places.city_law().below(city + 1) - places.city_law().below(city));
  shares.push_back(1 - places.city_law().below(10));
  EXPECT_TRUE(testing::draws_follow(shares, 20000, [&] { return std::min(places.draw_city(random), 10U); }));
  EXPECT_LT(shares[0], 0.05);
}

TEST(PlacesTest, KindsOfStreetsMayBeAbbreviated) {
  const Places places{Random(1)};
  EXPECT_EQ(places.street(0, false), "Main Street");
  EXPECT_EQ(places.street(0, true), "Main St");
}

TEST(PlacesTest, CitiesHaveNamesAndAreaCodesOfTheirOwn) {
  const Places places{Random(1)};
  std::set<std::string> names;
  std::set<std::uint32_t> codes;
  for (std::uint32_t city = 0; city < Places::kCities; ++city) {
    names.insert(places.city(city));
    codes.insert(Places::area_code(city));
  }
  EXPECT_EQ(names.size(), Places::kCities);
  EXPECT_EQ(codes.size(), Places::kCities);
  EXPECT_LT(*codes.rbegin(), 7000u) << "those of mobile telephones begin there";
}

}  // namespace
}  // namespace fovea::linkage
