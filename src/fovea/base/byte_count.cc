// SPDX-License-Identifier: Apache-2.0
#include "fovea/base/byte_count.h"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <iterator>

#include "fovea/base/error.h"

namespace fovea {
namespace {

struct Unit {
  std::string_view name;
  double bytes;
};
constexpr std::array kUnits = {Unit{"B", 1},
                               Unit{"kB", 1e3},
                               Unit{"MB", 1e6},
                               Unit{"GB", 1e9},
                               Unit{"KiB", 1024},
                               Unit{"MiB", 1024 * 1024.0},
                               Unit{"GiB", 1024 * 1024.0 * 1024}};
constexpr std::size_t kDecimalUnits = 4;

}  // namespace

std::uint64_t parse_byte_count(std::string_view option, std::string_view text) {
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number, std::chars_format::fixed);
  std::string_view rest(end, static_cast<std::size_t>(text.data() + text.size() - end));
  while (rest.starts_with(' ')) rest.remove_prefix(1);
  for (const Unit& unit : kUnits) {
    const double bytes = number * unit.bytes;
    if (error == std::errc() && rest == unit.name && bytes >= 1 && bytes <= 0x1p62)
      return static_cast<std::uint64_t>(bytes);
  }
  throw UsageError(fmt::format(
      "{} '{}' is no number of bytes; write a number and B, kB, MB, GB, KiB, MiB or GiB, such as 4GB", option, text));
}

std::string byte_count_text(double bytes) {
  std::size_t unit = 0;
  while (unit + 1 < kDecimalUnits && bytes >= kUnits[unit + 1].bytes) ++unit;
  return fmt::format("{:.3g} {}", bytes / kUnits[unit].bytes, kUnits[unit].name);
}

}  // namespace fovea
