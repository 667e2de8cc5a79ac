// SPDX-License-Identifier: Apache-2.0
#include "fovea/linkage/comparison/value_comparer.h"

#include <algorithm>
#include <numeric>
#include <string>

#include "fovea/base/dictionary.h"
#include "fovea/linkage/comparison/comparison_meter.h"
#include "fovea/linkage/similarity/normalise.h"

namespace fovea::linkage {

std::optional<SparseLevels> ValueComparer::compare_all(std::span<const std::uint32_t>, const Stop&) const {
  return std::nullopt;
}

std::optional<std::vector<SparseLevels::Pair>> ValueComparer::alike(std::span<const std::uint32_t> values, Level least,
                                                                    const Stop& stop) const {
  constexpr std::size_t kMostValues = 5000;  // whose pairs take seconds
  if (values.size() > kMostValues) return std::nullopt;
  ComparisonMeter meter(stop, "comparing values");
  std::vector<SparseLevels::Pair> pairs;
  for (std::uint32_t j = 1; j < values.size(); ++j)
    for (std::uint32_t i = 0; i < j; ++i) {
      meter.count();
      const Level level = compare(values[i], values[j]);
      if (level >= least) pairs.push_back({i, j, level});
    }
  return pairs;
}

namespace {

constexpr Level kDifferent = 1, kEqual = 2;

}  // namespace

EqualityComparer::EqualityComparer(std::span<const std::string_view> values) {
  Dictionary texts;
  for (const std::string_view value : values) {
    const std::string text = normalised(value);
    texts_.push_back(text.empty() ? kNoId : texts.add(text));
  }
}

Level EqualityComparer::compare(std::uint32_t a, std::uint32_t b) const {
  if (texts_[a] == kNoId || texts_[b] == kNoId) return kMissingLevel;
  return texts_[a] == texts_[b] ? kEqual : kDifferent;
}

std::optional<SparseLevels> EqualityComparer::compare_all(std::span<const std::uint32_t> values,
                                                          const Stop& stop) const {
  ComparisonMeter meter(stop, "comparing values");
  SparseLevels levels{.common = kDifferent, .others = {}};
  std::vector<std::uint32_t> order(values.size());
  std::iota(order.begin(), order.end(), 0U);
  const auto text = [&](std::uint32_t place) { return texts_[values[place]]; };
  std::ranges::stable_sort(order, {}, text);
  for (std::size_t i = 0; i < order.size(); ++i)
    for (std::size_t j = i + 1; j < order.size() && text(order[i]) == text(order[j]); ++j) {
      meter.count();
      levels.others.push_back({order[i], order[j], kEqual});
    }
  return levels;
}

std::optional<std::vector<SparseLevels::Pair>> EqualityComparer::alike(std::span<const std::uint32_t> values, Level,
                                                                       const Stop& stop) const {
  return compare_all(values, stop)->others;
}

}  // namespace fovea::linkage
