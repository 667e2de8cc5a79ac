// SPDX-License-Identifier: Apache-2.0
#include "fovea/sample/clustering/attribute_pairs.h"

#include <algorithm>

#include "fovea/base/error.h"

namespace fovea {

void AttributePairs::add_attribute(std::vector<std::uint32_t> values, std::size_t value_count,
                                   std::vector<float> scores) {
  FOVEA_CHECK(values.size() == mentions_ && scores.size() == value_count * value_count);
  FOVEA_CHECK(std::ranges::all_of(values, [&](std::uint32_t value) { return value < value_count; }));
  if (!scores.empty()) {
    const auto [least, most] = std::ranges::minmax(scores);
    lowest_ += least;
    highest_ += most;
  }
  attributes_.push_back({std::move(values), value_count, std::move(scores)});
}

}  // namespace fovea
