// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "fovea/linkage/comparison/value_comparer.h"

namespace fovea::linkage {

/// Compares prepared values: the level of two is compare(a, b), whatever the other values are.
template <class Prepared, class Compare>
class PreparedComparer : public ValueComparer {
 public:
  PreparedComparer(std::vector<Prepared> values, Compare function)
      : values_(std::move(values)), compare_(std::move(function)) {}
  Level compare(std::uint32_t a, std::uint32_t b) const override { return compare_(values_[a], values_[b]); }

 protected:
  const Prepared& prepared(std::uint32_t value) const { return values_[value]; }

 private:
  std::vector<Prepared> values_;
  Compare compare_;
};

template <class Prepare>
auto prepare_all(std::span<const std::string_view> values, const Prepare& prepare) {
  std::vector<decltype(prepare(std::string_view()))> prepared;
  prepared.reserve(values.size());
  for (const std::string_view value : values) prepared.push_back(prepare(value));
  return prepared;
}

/// Makes ComparisonKind::Make of a function that prepares a value and one that compares two.
template <class Prepare, class Compare>
auto prepare_and_compare(Prepare prepare, Compare compare) {
  return [prepare, compare](std::span<const std::string_view> values,
                            const ValueStatistics*) -> std::unique_ptr<ValueComparer> {
    using Prepared = decltype(prepare(std::string_view()));
    return std::make_unique<PreparedComparer<Prepared, Compare>>(prepare_all(values, prepare), compare);
  };
}

}  // namespace fovea::linkage
