// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tsl/robin_map.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace fovea::linkage {

/// Level of agreement of two records in one comparison: 0 where a value is missing, then from 1, the worst, to the
/// closest.
using Level = std::uint16_t;
inline constexpr Level kMissingLevel = 0;
inline constexpr std::size_t kMaxLevels = std::size_t{1} << 16;

/// A number for every level of every comparison, [comparison][level].
using LevelTable = std::vector<std::vector<double>>;

/// The agreement patterns (comparison vectors) of any number of pairs of records. Equal ones are counted together, so
/// the cost of learning grows with the number of distinct patterns, not of pairs.
class AgreementPatterns {
 public:
  /// level_counts[c]: the levels of comparison c, the missing one included; 2 .. kMaxLevels.
  explicit AgreementPatterns(std::vector<std::size_t> level_counts);

  /// levels: [comparison], each below its level count. count: finite and >= 0; a number of pairs, or any weight.
  void add(std::span<const Level> levels, double count = 1);
  /// Adds all of `other`, which has the same level counts.
  void add(const AgreementPatterns& other);

  /// The same pairs with the values of these comparisons missing.
  AgreementPatterns without(std::span<const std::size_t> comparisons) const;

  const std::vector<std::size_t>& level_counts() const { return level_counts_; }
  /// Sum of the counts.
  double total() const { return total_; }

  /// Distinct patterns, in the order in which they were first added.
  std::size_t size() const { return counts_.size(); }
  std::span<const Level> levels(std::size_t i) const {
    return {levels_.data() + i * level_counts_.size(), level_counts_.size()};
  }
  double count(std::size_t i) const { return counts_[i]; }

 private:
  struct Hash : std::hash<std::string_view> {
    using is_transparent = void;
  };

  std::vector<std::size_t> level_counts_;
  std::vector<Level> levels_;  // [pattern][comparison]
  std::vector<double> counts_;
  double total_ = 0;
  tsl::robin_map<std::string, std::uint32_t, Hash, std::equal_to<>> ids_;  // a pattern's levels as bytes -> its number
};

}  // namespace fovea::linkage
