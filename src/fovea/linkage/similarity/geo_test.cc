// SPDX-License-Identifier: Apache-2.0
#include "fovea/linkage/similarity/geo.h"

#include <gtest/gtest.h>

#include <numbers>

namespace fovea::linkage {
namespace {

constexpr double kHalfCircumference = std::numbers::pi * 6371.0088;

TEST(GeoTest, KnownDistances) {
  EXPECT_EQ(distance_in_km({48.2082, 16.3738}, {48.2082, 16.3738}), 0);
  // Nashville and Los Angeles airports: 2887.26 km on the sphere of 6372.8 km, in the literature on the formula.
  EXPECT_NEAR(distance_in_km({36.12, -86.67}, {33.94, -118.40}), 2887.26 * 6371.0088 / 6372.8, .01);
  EXPECT_NEAR(distance_in_km({0, 0}, {0, 1}), kHalfCircumference / 180, 1e-9);
  EXPECT_NEAR(distance_in_km({0, 179.5}, {0, -179.5}), kHalfCircumference / 180, 1e-9);
  EXPECT_NEAR(distance_in_km({90, 0}, {90, 123}), 0, 1e-9);
}

TEST(GeoTest, AntipodesAreHalfACircumferenceApart) {
  EXPECT_NEAR(distance_in_km({90, 0}, {-90, 0}), kHalfCircumference, 1e-6);
  for (double latitude = -89; latitude < 90; latitude += 1.3)
    for (double longitude = -180; longitude < 0; longitude += 1.7)
      ASSERT_NEAR(distance_in_km({latitude, longitude}, {-latitude, longitude + 180}), kHalfCircumference, 1e-3);
}

TEST(GeoTest, Coordinates) {
  EXPECT_EQ(parse_coordinates("48.2082,16.3738"), (Coordinates{48.2082, 16.3738}));
  EXPECT_EQ(parse_coordinates(" -90 , 180 "), (Coordinates{-90, 180}));
  EXPECT_EQ(parse_coordinates("0,-180"), (Coordinates{0, -180}));
  EXPECT_EQ(parse_coordinates("5e1,.5"), (Coordinates{50, .5}));
}

TEST(GeoTest, WhatIsNoPlaceIsRefused) {
  for (const char* text : {"", ",", "1", "1,", ",1", "1,2,3", "90.1,0", "-90.1,0", "0,180.1", "0,-180.1", "nan,0",
                           "0,inf", "1 2", "1x,2", "1,2x", "1;2", "1e999,0", "0x10,0", "north,east"})
    EXPECT_EQ(parse_coordinates(text), std::nullopt) << text;
}

}  // namespace
}  // namespace fovea::linkage
