// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "fovea/base/run_control.h"
#include "fovea/linkage/statistics/value_statistics.h"
#include "fovea/linkage/weights/agreement_patterns.h"

namespace fovea::linkage {

/// Levels of all pairs of some values, where most pairs have the same level.
struct SparseLevels {
  /// Two of the values by their places, first < second.
  struct Pair {
    std::uint32_t first, second;
    Level level;
    friend bool operator==(const Pair&, const Pair&) = default;
  };
  Level common = 1;
  std::vector<Pair> others;  ///< each pair with a different level, once, in any order
};

/// Compares the distinct values of a column, by their numbers. Each value is prepared only once.
class ValueComparer {
 public:
  virtual ~ValueComparer() = default;

  /// Level of two values: 1 is the worst. Symmetric. It is kMissingLevel if a value is not of this kind (such as a date
  /// that is not in the calendar); such a value has this level even when compared with itself.
  virtual Level compare(std::uint32_t a, std::uint32_t b) const = 0;

  /// Does compare() for all pairs of these values, which must be distinct and of this kind, in less time than one by
  /// one: for example, values that share a word are found through the word. Returns nullopt if the comparer has no
  /// faster way. Throws CancelledError or LimitError when `stop` is requested.
  virtual std::optional<SparseLevels> compare_all(std::span<const std::uint32_t> values, const Stop& stop) const;

  /// The pairs of these values, which must be distinct and of this kind, that have the level `least`, 2 or more, or a
  /// higher one. Returns nullopt if it would take too long: by default, of more than 5,000 values. Throws
  /// CancelledError or LimitError when `stop` is requested.
  virtual std::optional<std::vector<SparseLevels::Pair>> alike(std::span<const std::uint32_t> values, Level least,
                                                               const Stop& stop) const;
};

/// Compares for equality: level 2 for texts that are equal when normalised, otherwise 1.
class EqualityComparer : public ValueComparer {
 public:
  explicit EqualityComparer(std::span<const std::string_view> values);
  Level compare(std::uint32_t a, std::uint32_t b) const override;
  std::optional<SparseLevels> compare_all(std::span<const std::uint32_t> values, const Stop& stop) const override;
  std::optional<std::vector<SparseLevels::Pair>> alike(std::span<const std::uint32_t> values, Level least,
                                                       const Stop& stop) const override;

 private:
  std::vector<std::uint32_t> texts_;  // [value]: number of its normalised text, kNoId if that is empty
};

}  // namespace fovea::linkage
