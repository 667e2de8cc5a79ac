// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "fovea/base/words.h"

namespace fovea::linkage {

/// Number that describes the rows with one key.
enum class ContextNumber {
  kSize,      ///< rows
  kDistinct,  ///< distinct values among them
  kVariety,   ///< equally frequent values that would be as hard to guess
};
constexpr auto words_of(ContextNumber) {
  using enum ContextNumber;
  return std::array{Word{kSize, "size"}, Word{kDistinct, "distinct"}, Word{kVariety, "variety"}};
}

/// The number, from the counts of the rows of each value; of size, they are of any parts of the rows.
double context_number(ContextNumber number, std::span<const double> counts);

/// One of a few ranges of such numbers: 0 up to 1, then from lower to higher.
std::uint8_t context_range(double number);

/// [range]: in words.
std::span<const char* const> context_ranges();

/// Rows with a key and a value, known by their hashes (hash_text).
struct KeyedValue {
  std::uint64_t key = 0;
  std::uint64_t value = 0;  ///< 0 if it is missing, or does not matter
  std::uint64_t rows = 0;

  bool operator==(const KeyedValue&) const = default;
};

/// Counts of the rows with each key of a context, and with each of their values. Complete statistics can be merged;
/// reduced ones hold only what scores can tell apart.
struct ContextStatistics {
  ContextNumber number = ContextNumber::kSize;
  std::vector<KeyedValue> counts = {};  ///< complete: each pair of a key and a value once, ascending

  /// A key with the range of its number.
  struct Key {
    std::uint64_t key = 0, rows = 0;
    std::uint8_t range = 0;
  };
  std::vector<Key> keys = {};  ///< reduced: those with two rows or more, ascending

  ContextStatistics reduced() const;
  std::uint64_t fingerprint() const;

  /// The key, or nullptr if reduced statistics do not know it.
  const Key* find(std::uint64_t key) const;
};

/// Joins two reduced statistics of one context: each key is as in that with more rows of it.
ContextStatistics larger(const ContextStatistics& a, const ContextStatistics& b);

/// Counts these rows; equal pairs are counted together.
ContextStatistics count_contexts(ContextNumber number, std::vector<KeyedValue> rows);

/// The statistics of all rows of two tables; both must be complete and of the same context.
ContextStatistics merged(const ContextStatistics& a, const ContextStatistics& b);

}  // namespace fovea::linkage
