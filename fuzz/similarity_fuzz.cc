// SPDX-License-Identifier: Apache-2.0
// Two lines of any bytes compare without a crash, alike in both directions; normalised text stays as it is.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <string_view>

#include "fovea/base/string_distance.h"
#include "fovea/linkage/similarity/date_format.h"
#include "fovea/linkage/similarity/dates.h"
#include "fovea/linkage/similarity/geo.h"
#include "fovea/linkage/similarity/names.h"
#include "fovea/linkage/similarity/normalise.h"
#include "fovea/linkage/similarity/numbers.h"
#include "fovea/linkage/similarity/phonetic.h"
#include "fuzz/require.h"

namespace {

using fovea::fuzz::require;

void compare(std::string_view a, std::string_view b) {
  require(fovea::jaro(a, b) == fovea::jaro(b, a));
  const std::size_t edits = fovea::levenshtein(a, b), with_swaps = fovea::damerau(a, b);
  require(edits == fovea::levenshtein(b, a) && with_swaps == fovea::damerau(b, a));
  require(with_swaps <= edits && edits <= 2 * with_swaps && edits <= std::max(a.size(), b.size()));
  require((edits == 0) == (a == b) && (fovea::jaro_winkler(a, b) == 1) == (a == b));
  require(fovea::linkage::compare_given_names(a, b) == fovea::linkage::compare_given_names(b, a));
  const auto date_a = fovea::linkage::parse_date(a), date_b = fovea::linkage::parse_date(b);
  require(fovea::linkage::compare_dates(date_a, date_b) == fovea::linkage::compare_dates(date_b, date_a));
}

void read(std::string_view text) {
  const std::string once = fovea::linkage::normalised(text);
  require(fovea::linkage::normalised(once) == once);
  require(fovea::linkage::soundex(once) == fovea::linkage::soundex(text) &&
          fovea::linkage::metaphone(once) == fovea::linkage::metaphone(text));
  static const fovea::linkage::DateFormat month_first("mdy"), pattern("%d. %b %y %H:%M");
  for (const auto* format : {&month_first, &pattern})
    if (const auto date = format->read(text))
      require(fovea::linkage::date_of(static_cast<int>(date->year), 0, 0).has_value());
  if (const auto number = fovea::linkage::parse_number(text)) require(std::isfinite(*number));
  if (const auto place = fovea::linkage::parse_coordinates(text))
    require(fovea::linkage::distance_in_km(*place, {}) < 20016);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  constexpr std::size_t kMaxSize = 4096;  // time grows with the product of the lengths
  const std::string_view text(reinterpret_cast<const char*>(data), std::min(size, kMaxSize));
  const std::size_t line = text.find('\n');
  const std::string_view a = text.substr(0, line), b = line == text.npos ? "" : text.substr(line + 1);
  compare(a, b);
  read(a);
  return 0;
}
