// SPDX-License-Identifier: Apache-2.0
#include "fovea/linkage/weights/agreement_patterns.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "fovea/base/error.h"

namespace fovea::linkage {

AgreementPatterns::AgreementPatterns(std::vector<std::size_t> level_counts) : level_counts_(std::move(level_counts)) {
  FOVEA_CHECK(!level_counts_.empty());
  for (const std::size_t levels : level_counts_) FOVEA_CHECK(2 <= levels && levels <= kMaxLevels);
}

void AgreementPatterns::add(std::span<const Level> levels, double count) {
  FOVEA_CHECK(levels.size() == level_counts_.size());
  FOVEA_CHECK(std::isfinite(count) && count >= 0);
  for (std::size_t c = 0; c < levels.size(); ++c) FOVEA_CHECK(levels[c] < level_counts_[c]);
  total_ += count;
  const std::string_view key(reinterpret_cast<const char*>(levels.data()), levels.size_bytes());
  if (const auto known = ids_.find(key); known != ids_.end()) {
    counts_[known->second] += count;
    return;
  }
  ids_.emplace(key, static_cast<std::uint32_t>(size()));
  levels_.insert(levels_.end(), levels.begin(), levels.end());
  counts_.push_back(count);
}

void AgreementPatterns::add(const AgreementPatterns& other) {
  FOVEA_CHECK(&other != this && other.level_counts_ == level_counts_);
  for (std::size_t i = 0; i < other.size(); ++i) add(other.levels(i), other.count(i));
}

AgreementPatterns AgreementPatterns::without(std::span<const std::size_t> comparisons) const {
  for (const std::size_t c : comparisons) FOVEA_CHECK(c < level_counts_.size());
  AgreementPatterns result(level_counts_);
  std::vector<Level> kept(level_counts_.size());
  for (std::size_t i = 0; i < size(); ++i) {
    std::ranges::copy(levels(i), kept.begin());
    for (const std::size_t c : comparisons) kept[c] = kMissingLevel;
    result.add(kept, count(i));
  }
  return result;
}

}  // namespace fovea::linkage
