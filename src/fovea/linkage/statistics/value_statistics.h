// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "fovea/linkage/statistics/count_table.h"

namespace fovea::linkage {

/// Distinct texts of a column, in any order, to be counted.
struct TextList {
  std::vector<std::uint64_t> hashes, rows;  ///< [text] its hash, and the number of rows that hold it
  std::vector<std::uint64_t> tokens;        ///< hashes of the texts' tokens, laid end to end
  std::vector<std::uint64_t> begin = {0};   ///< [text + 1] where its tokens begin

  void add(std::uint64_t hash, std::uint64_t row_count, std::span<const std::uint64_t> its_tokens = {});
};

/// Counts that scores depend on beyond the two values at hand: how often each value of a comparison occurs, and in how
/// many values each token (a word, an element of a list).
///
/// Complete statistics can be merged: they know the tokens of every text, so that a text of two tables is counted once.
/// Reduced ones hold only what scores can tell apart.
struct ValueStatistics {
  bool has_tokens = false;
  double frequent_share = 1;  ///< tokens in a larger share of the texts do not count

  std::uint64_t texts = 0;      ///< distinct texts
  std::uint64_t values = 0;     ///< of these, the ones with a value of the comparison's kind
  std::uint64_t rows = 0;       ///< rows with such a value
  CountTable text_rows = {};    ///< rows that hold each text
  CountTable token_texts = {};  ///< distinct texts that hold each token
  /// Complete, with tokens: the tokens of each text, as ascending places in `token_texts`, and [text + 1] where they
  /// begin.
  std::vector<std::uint32_t> tokens = {};
  std::vector<std::uint64_t> begin = {};

  /// Number of texts above which a token is too frequent to count.
  double most_texts() const;

  /// Computes texts, values and rows, which follow from complete statistics.
  void count_totals();

  ValueStatistics reduced() const;
  std::uint64_t fingerprint() const;
};

/// Counts these texts; equal ones are counted together. Without has_tokens, only texts with a value of the comparison's
/// kind may be given.
ValueStatistics count_texts(const TextList& texts, bool has_tokens, double frequent_share);

/// The statistics of all rows of two tables; both must be complete and of the same comparison.
ValueStatistics merged(const ValueStatistics& a, const ValueStatistics& b);

/// Hash of an array, continued from `seed`.
std::uint64_t hash_numbers(std::span<const std::uint64_t> numbers, std::uint64_t seed);

}  // namespace fovea::linkage
