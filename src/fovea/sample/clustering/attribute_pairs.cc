// SPDX-License-Identifier: Apache-2.0
#include "fovea/sample/clustering/attribute_pairs.h"

#include <algorithm>
#include <cmath>

#include "fovea/base/error.h"

namespace fovea {

void AttributePairs::add_attribute(std::vector<std::uint32_t> values, std::size_t value_count,
                                   std::vector<float> scores) {
  FOVEA_CHECK(values.size() == mentions_ && scores.size() == value_count * value_count);
  FOVEA_CHECK(std::ranges::all_of(values, [&](std::uint32_t value) { return value < value_count; }));
  attributes_.push_back({std::move(values), value_count, std::move(scores)});
}

double AttributePairs::score_bound() const {
  double low = bias_, high = bias_;
  for (const Attribute& a : attributes_) {
    const auto [least, most] = std::ranges::minmax(a.scores);
    low += least;
    high += most;
  }
  return std::max(std::abs(low), std::abs(high));
}

}  // namespace fovea
