// SPDX-License-Identifier: Apache-2.0
#include "fovea/linkage/similarity/geo.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <numbers>

namespace fovea::linkage {
namespace {

/// Reads a number with blanks around it, if it lies within +-limit.
std::optional<double> parse_degrees(std::string_view text, double limit) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  double degrees = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), degrees);
  const bool is_number = error == std::errc() && end == text.data() + text.size();
  return is_number && std::abs(degrees) <= limit ? std::optional(degrees) : std::nullopt;  // false for NaN
}

}  // namespace

std::optional<Coordinates> parse_coordinates(std::string_view text) {
  const std::size_t comma = text.find(',');
  if (comma == text.npos) return std::nullopt;
  const std::optional<double> latitude = parse_degrees(text.substr(0, comma), 90);
  const std::optional<double> longitude = parse_degrees(text.substr(comma + 1), 180);
  return latitude && longitude ? std::optional(Coordinates{*latitude, *longitude}) : std::nullopt;
}

double distance_in_km(const Coordinates& a, const Coordinates& b) {
  constexpr double kRadius = 6371.0088, kRadians = std::numbers::pi / 180;
  const auto haversine = [](double angle) { return std::pow(std::sin(angle / 2), 2); };
  const double h = haversine((a.latitude - b.latitude) * kRadians) +
                   std::cos(a.latitude * kRadians) * std::cos(b.latitude * kRadians) *
                       haversine((a.longitude - b.longitude) * kRadians);
  return 2 * kRadius * std::asin(std::sqrt(std::min(1.0, h)));  // rounding may leave h above 1 for antipodes
}

}  // namespace fovea::linkage
