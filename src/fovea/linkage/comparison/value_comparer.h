// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "fovea/linkage/weights/agreement_patterns.h"

namespace fovea::linkage {

/// The levels of all pairs of some values, most of which have the same one.
struct SparseLevels {
  /// Two of the values by their places, first < second.
  struct Pair {
    std::uint32_t first, second;
    Level level;
    friend bool operator==(const Pair&, const Pair&) = default;
  };
  Level common = 1;
  std::vector<Pair> others;  ///< each pair whose level is another, once, in any order
};

/// Compares the distinct values of a column, by their numbers, after whatever each value needs was done to it once.
class ValueComparer {
 public:
  virtual ~ValueComparer() = default;

  /// From 1, the worst; kMissingLevel if a value is none of its kind (a date that no calendar has), which compared with
  /// itself has that level, too. Symmetric.
  virtual Level compare(std::uint32_t a, std::uint32_t b) const = 0;

  /// compare() of all pairs of these values, which are distinct and of its kind, in less time than comparing each:
  /// records that share a word are found by the word. nullopt if it knows no such way.
  virtual std::optional<SparseLevels> compare_all(std::span<const std::uint32_t> values) const;
};

/// One way to compare values.
struct ComparisonKind {
  const char* name;                 ///< as in "born:date"
  const char* description;          ///< one line of help
  std::vector<std::string> levels;  ///< [level]: in words; the first is "missing"
  std::unique_ptr<ValueComparer> (*make)(std::span<const std::string_view> values);
};

/// All of them.
std::span<const ComparisonKind> comparison_kinds();

/// 2 for texts that are equal when normalised, else 1.
class EqualityComparer : public ValueComparer {
 public:
  explicit EqualityComparer(std::span<const std::string_view> values);
  Level compare(std::uint32_t a, std::uint32_t b) const override;
  std::optional<SparseLevels> compare_all(std::span<const std::uint32_t> values) const override;

 private:
  std::vector<std::uint32_t> texts_;  // [value]: number of its normalised text, kNoId if that is empty
};

}  // namespace fovea::linkage
