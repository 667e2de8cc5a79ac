// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>

namespace fovea::linkage {

/// Features of a record before a proposal to move it, in a few small classes.
struct RecordFeatures {
  enum class News : unsigned char { kNone, kGained, kLost };
  static constexpr std::size_t kAges = 14, kSizes = 6, kNews = 3;
  static constexpr std::size_t kCount = kAges * kSizes * kNews;

  std::size_t age = 0;      ///< proposals refused since it last moved: 0, 1, 2-3, 4-7, ...
  std::size_t size = 0;     ///< of its cluster: 1, 2-3, 4-7, ..., 32 or more
  News news = News::kNone;  ///< whether its cluster, if small, gained or lost records since its last proposal

  constexpr std::size_t index() const { return (age * kSizes + size) * kNews + static_cast<std::size_t>(news); }

  static constexpr std::size_t age_class(std::size_t refusals) { return octave(refusals, kAges); }
  static constexpr std::size_t size_class(std::size_t size) { return octave(size, kSizes + 1) - 1; }

 private:
  static constexpr std::size_t octave(std::size_t count, std::size_t classes) {
    return std::min<std::size_t>(static_cast<std::size_t>(std::bit_width(count)), classes - 1);
  }
};

/// Calls visit(features) for all combinations.
template <class Visit>
void for_each_record_features(const Visit& visit) {
  for (std::size_t age = 0; age < RecordFeatures::kAges; ++age)
    for (std::size_t size = 0; size < RecordFeatures::kSizes; ++size)
      for (std::size_t news = 0; news < RecordFeatures::kNews; ++news)
        visit(RecordFeatures{.age = age, .size = size, .news = static_cast<RecordFeatures::News>(news)});
}

}  // namespace fovea::linkage
