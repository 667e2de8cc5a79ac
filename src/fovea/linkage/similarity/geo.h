// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string_view>

namespace fovea::linkage {

/// A place on Earth in decimal degrees.
struct Coordinates {
  double latitude = 0;   ///< -90 .. 90, north positive
  double longitude = 0;  ///< -180 .. 180, east positive

  friend bool operator==(const Coordinates&, const Coordinates&) = default;
};

/// Reads "48.2082,16.3738": latitude, comma, longitude, with blanks allowed around each. nullopt for anything else, and
/// for values out of range.
std::optional<Coordinates> parse_coordinates(std::string_view text);

/// Great-circle distance by the haversine formula, in km, on a sphere of Earth's mean radius (6371.0088 km): within .6
/// % of the ellipsoid's.
double distance_in_km(const Coordinates& a, const Coordinates& b);

}  // namespace fovea::linkage
