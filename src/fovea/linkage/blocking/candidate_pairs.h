// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "fovea/base/random.h"
#include "fovea/linkage/blocking/blocking.h"

namespace fovea::linkage {

/// Two rows, first < second.
struct RowPair {
  std::uint32_t first, second;
};

/// Which pairs of rows are asked about. Rows are those of one table, or of two laid end to end.
struct PairScope {
  enum class Kind {
    kAll,     ///< of one table
    kAcross,  ///< one row from before `boundary`, one from behind it: two tables to be linked
    kNew,     ///< at least one row from behind it: new records beside old ones
  };
  Kind kind = Kind::kAll;
  std::uint32_t boundary = 0;

  bool holds(RowPair pair) const {
    if (kind == Kind::kAll) return true;
    return pair.second >= boundary && (kind == Kind::kNew || pair.first < boundary);
  }
  /// How many pairs of so many rows it holds, of which `earlier` lie before the boundary.
  std::uint64_t pair_count(std::uint64_t rows, std::uint64_t earlier) const;
  std::uint64_t pair_count(std::uint64_t rows) const { return pair_count(rows, boundary); }
  /// Calls visit(RowPair) for each of them.
  template <class Visit>
  void for_each(std::uint32_t rows, Visit&& visit) const {
    for (RowPair pair{0, 0}; pair.first < rows; ++pair.first)
      for (pair.second = pair.first + 1; pair.second < rows; ++pair.second)
        if (holds(pair)) visit(pair);
  }
  /// One of its pairs, each as likely. There must be one.
  RowPair draw(std::uint32_t rows, Random& random) const;
};

/// A block with more rows than are compared with each other.
struct OversizedBlock {
  std::string key;  ///< of its first row
  std::uint64_t rows = 0;
};

/// The pairs of rows that one of several blocking rules brings together.
class CandidatePairs {
 public:
  /// Blocks of more than `max_block` rows are left out, and told of by oversized().
  CandidatePairs(const io::Table& table, std::span<const BlockingRule> rules, std::size_t max_block,
                 const PairScope& scope = {});

  std::size_t row_count() const { return row_count_; }
  const PairScope& scope() const { return scope_; }
  std::size_t rule_count() const { return blocks_.size(); }
  const Blocks& blocks(std::size_t rule) const { return blocks_[rule]; }
  /// A rule's pairs, those that earlier rules bring together too.
  std::uint64_t pair_count(std::size_t rule) const;
  /// Whether no rule has any.
  bool empty() const;
  /// Of a rule, the largest first.
  const std::vector<OversizedBlock>& oversized(std::size_t rule) const { return oversized_[rule]; }

  /// A share of a rule's pairs: those whose earlier rows are blocks(rule).rows[begin .. end - 1].
  struct Chunk {
    std::size_t rule = 0, begin = 0, end = 0;
  };
  /// All pairs in chunks of about equal work, however many threads there are; rule by rule.
  std::vector<Chunk> chunks() const;

  /// Calls visit(RowPair, is_first) for each pair; is_first: no earlier rule brings it together.
  template <class Visit>
  void for_each(const Chunk& chunk, Visit&& visit) const {
    const Blocks& blocks = blocks_[chunk.rule];
    auto end = std::ranges::upper_bound(blocks.begin, chunk.begin);
    for (std::size_t i = chunk.begin; i < chunk.end; ++i) {
      while (*end <= i) ++end;
      for (std::size_t j = i + 1; j < *end; ++j) {
        const RowPair pair{blocks.rows[i], blocks.rows[j]};
        if (scope_.holds(pair)) visit(pair, !is_of_earlier_rule(pair, chunk.rule));
      }
    }
  }

 private:
  bool is_of_earlier_rule(RowPair pair, std::size_t rule) const {
    for (std::size_t earlier = 0; earlier < rule; ++earlier) {
      const std::uint32_t block = block_of_[earlier][pair.first];
      if (block != kNoBlock && block == block_of_[earlier][pair.second]) return true;
    }
    return false;
  }

  static constexpr std::uint32_t kNoBlock = 0xFFFFFFFF;

  std::size_t row_count_;
  PairScope scope_;
  std::vector<Blocks> blocks_;                          // [rule]
  std::vector<std::vector<OversizedBlock>> oversized_;  // [rule]
  std::vector<std::vector<std::uint32_t>> block_of_;    // [rule][row]
};

}  // namespace fovea::linkage
