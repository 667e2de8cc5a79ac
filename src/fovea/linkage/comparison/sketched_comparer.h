// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "fovea/linkage/comparison/comparison_meter.h"
#include "fovea/linkage/comparison/prepared_comparer.h"

namespace fovea::linkage {

/// Compares prepared values as PreparedComparer does. Where values that are alike are looked for, sketches rule out
/// most pairs of others: Sketcher::sketch(value), most(sketch, sketch) and needed(level), such that the values of a
/// pair of this level or a higher one have most() >= needed().
template <class Prepared, class Compare, class Sketcher>
class SketchedComparer : public PreparedComparer<Prepared, Compare> {
 public:
  SketchedComparer(std::vector<Prepared> values, Compare function, Sketcher sketcher)
      : PreparedComparer<Prepared, Compare>(std::move(values), std::move(function)), sketcher_(std::move(sketcher)) {}

  std::optional<std::vector<SparseLevels::Pair>> alike(std::span<const std::uint32_t> values, Level least,
                                                       const Stop& stop) const override {
    constexpr std::size_t kMostValues = 100'000;  // whose pairs take ten seconds
    if (values.size() > kMostValues) return std::nullopt;
    const ComparisonMeter meter(stop, "comparing values");
    std::vector<typename Sketcher::Sketch> sketches;
    for (const std::uint32_t value : values) sketches.push_back(sketcher_.sketch(this->prepared(value)));
    const auto needed = sketcher_.needed(least);
    std::vector<SparseLevels::Pair> pairs;
    for (std::uint32_t j = 1; j < values.size(); ++j) {
      meter.look();
      for (std::uint32_t i = 0; i < j; ++i) {
        if (sketcher_.most(sketches[i], sketches[j]) < needed) continue;
        const Level level = this->compare(values[i], values[j]);
        if (level >= least) pairs.push_back({i, j, level});
      }
    }
    return pairs;
  }

 private:
  Sketcher sketcher_;
};

/// Makes ComparisonKind::Make of a function that prepares a value, one that compares two, and a sketcher.
template <class Prepare, class Compare, class Sketcher>
auto prepare_sketch_and_compare(Prepare prepare, Sketcher sketcher, Compare compare) {
  return [prepare, sketcher, compare](std::span<const std::string_view> values,
                                      const ValueStatistics*) -> std::unique_ptr<ValueComparer> {
    using Prepared = decltype(prepare(std::string_view()));
    return std::make_unique<SketchedComparer<Prepared, Compare, Sketcher>>(prepare_all(values, prepare), compare,
                                                                           sketcher);
  };
}

}  // namespace fovea::linkage
