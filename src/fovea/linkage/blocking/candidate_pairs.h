// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
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

/// Set of pairs of rows to consider, among the rows of one table or of several laid end to end.
struct PairScope {
  enum class Kind {
    kAll,     ///< all pairs of one table
    kAcross,  ///< rows of two different tables: tables to be linked
    kNew,     ///< at least one row of the second table: new records next to old ones
  };
  Kind kind = Kind::kAll;
  std::vector<std::uint32_t> boundaries = {};  ///< first row of each table but the first

  /// Number of the row's table.
  std::size_t table_of(std::uint32_t row) const {
    std::size_t table = 0;
    for (const std::uint32_t boundary : boundaries) table += row >= boundary;
    return table;
  }
  bool holds(RowPair pair) const {
    if (kind == Kind::kAll) return true;
    return kind == Kind::kNew ? pair.second >= boundaries.front() : table_of(pair.first) != table_of(pair.second);
  }
  /// Number of pairs in this scope among these rows, which ascend.
  std::uint64_t pair_count(std::span<const std::uint32_t> rows) const;
  /// Number of pairs in this scope among rows 0 .. `rows` - 1.
  std::uint64_t pair_count(std::uint32_t rows) const;
  /// Calls visit(RowPair) for each pair of `rows` rows that is in this scope.
  template <class Visit>
  void for_each(std::uint32_t rows, Visit&& visit) const {
    for (RowPair pair{0, 0}; pair.first < rows; ++pair.first)
      for (pair.second = pair.first + 1; pair.second < rows; ++pair.second)
        if (holds(pair)) visit(pair);
  }
  /// Draws one of the pairs, all with the same probability. There must be at least one.
  RowPair draw(std::uint32_t rows, Random& random) const;

 private:
  /// size_before(row): number of the rows that come before a row of the tables.
  template <class SizeBefore>
  std::uint64_t pair_count(std::uint64_t rows, const SizeBefore& size_before) const;
  RowPair draw_across(std::uint32_t rows, Random& random) const;
};

/// A block with too many rows to be compared with each other.
struct OversizedBlock {
  std::string key;  ///< of its first row
  std::uint64_t rows = 0;
};

/// Pairs of rows that at least one of several blocking rules brings together.
class CandidatePairs {
 public:
  /// Blocks of more than `max_block` rows are left out; oversized() reports them. Rules are applied on up to `threads`
  /// threads (0: all cores).
  CandidatePairs(const io::Table& table, std::span<const BlockingRule> rules, std::size_t max_block,
                 const PairScope& scope = {}, int threads = 1);
  /// The pairs of blocks that are known, [rule], among rows 0 .. `row_count` - 1. The rows of a block ascend.
  CandidatePairs(std::size_t row_count, std::vector<Blocks> blocks, const PairScope& scope = {});

  std::size_t row_count() const { return row_count_; }
  const PairScope& scope() const { return scope_; }
  std::size_t rule_count() const { return blocks_.size(); }
  const Blocks& blocks(std::size_t rule) const { return blocks_[rule]; }
  /// True if no row is in two blocks of the rule.
  bool is_partition(std::size_t rule) const { return blocks_of_[rule].begin.empty(); }
  /// Number of pairs of a rule, including those that earlier rules also bring together. Where records are in several
  /// blocks, a pair of two blocks counts twice.
  std::uint64_t pair_count(std::size_t rule) const;
  /// Number of pairs of one of its blocks.
  std::uint64_t pair_count(std::size_t rule, std::size_t block) const;
  /// True if no rule has a pair.
  bool empty() const;
  /// True if a pair is in the scope and some rule brings it together.
  bool holds(RowPair pair) const { return scope_.holds(pair) && is_of_earlier_rule(pair, rule_count()); }
  /// True if a rule brings the pair together.
  bool is_of_rule(RowPair pair, std::size_t rule) const { return first_block(pair, rule) != kNoBlock; }
  /// The first block of a rule that holds both rows, or kNoBlock.
  std::uint32_t first_block(RowPair pair, std::size_t rule) const {
    if (!is_partition(rule)) return blocks_of_[rule].first_shared(pair);
    const std::uint32_t block = block_of_[rule][pair.first];
    return block == block_of_[rule][pair.second] ? block : kNoBlock;
  }
  static constexpr std::uint32_t kNoBlock = 0xFFFFFFFF;
  /// The first rule that brings a candidate pair together.
  std::size_t first_rule(RowPair pair) const {
    std::size_t rule = 0;
    while (rule + 1 < rule_count() && !is_of_rule(pair, rule)) ++rule;
    return rule;
  }
  /// Blocks of a rule that were left out, the largest first.
  const std::vector<OversizedBlock>& oversized(std::size_t rule) const { return oversized_[rule]; }

  /// Part of a rule's pairs: those whose earlier rows are blocks(rule).rows[begin .. end - 1].
  struct Chunk {
    std::size_t rule = 0, begin = 0, end = 0;
  };
  /// Splits all pairs, rule by rule, into chunks of about equal work. The chunks do not depend on the number of
  /// threads. Blocks of more than `most_rows` rows are left out.
  std::vector<Chunk> chunks(std::size_t most_rows = std::numeric_limits<std::size_t>::max()) const;
  /// Mean number of later rows in the block of a chunk's row: small where blocks are small.
  double mean_later_rows(const Chunk& chunk) const;

  /// Calls visit(RowPair, is_first) for each pair, once in a rule; is_first is true if no earlier rule brings the pair
  /// together.
  template <class Visit>
  void for_each(const Chunk& chunk, Visit&& visit) const {
    walk(
        chunk, visit, [](std::size_t j) { return j + 1; }, [](std::size_t begin) { return begin; });
  }
  /// Does so for each pair with probability `share` in (0, 1), independently. Draws from `random`.
  template <class Visit>
  void for_each_drawn(const Chunk& chunk, double share, Random random, Visit&& visit) const {
    const double log_rest = std::log1p(-share);
    const auto skip = [&] {  // pairs that are passed over: geometrically distributed
      return static_cast<std::size_t>(std::min(-random.exponential() / log_rest, 1e15));
    };
    walk(
        chunk, visit, [&](std::size_t j) { return j + 1 + skip(); }, [&](std::size_t begin) { return begin + skip(); });
  }

 private:
  /// Visits the pairs of chunk rows i with rows j = first(i + 1), next(j), ... of the same block.
  template <class Visit, class Next, class First>
  void walk(const Chunk& chunk, Visit&& visit, Next&& next, First&& first) const {
    const Blocks& blocks = blocks_[chunk.rule];
    auto end = std::ranges::upper_bound(blocks.begin, chunk.begin);
    for (std::size_t i = chunk.begin; i < chunk.end; ++i) {
      while (*end <= i) ++end;
      for (std::size_t j = first(i + 1); j < *end; j = next(j)) {
        const RowPair pair{blocks.rows[i], blocks.rows[j]};
        if (!scope_.holds(pair)) continue;
        if (!is_partition(chunk.rule) && first_block(pair, chunk.rule) != end - blocks.begin.begin() - 1) continue;
        visit(pair, !is_of_earlier_rule(pair, chunk.rule));
      }
    }
  }

  bool is_of_earlier_rule(RowPair pair, std::size_t rule) const {
    for (std::size_t earlier = 0; earlier < rule; ++earlier)
      if (is_of_rule(pair, earlier)) return true;
    return false;
  }

  /// The blocks of each row, ascending, for rules by which a row may be in several.
  struct BlocksOfRows {
    std::vector<std::size_t> begin = {};  ///< [row + 1]; empty for other rules
    std::vector<std::uint32_t> blocks = {};

    std::uint32_t first_shared(RowPair pair) const;
  };
  /// Fill what is kept of the r-th rule.
  void make_partition(const io::Table& table, const BlockingRule& rule, std::size_t max_block, std::size_t r);
  void make_cover(const io::Table& table, const BlockingRule& rule, std::size_t max_block, std::size_t r);
  /// Fill block_of_ and blocks_of_ of the r-th rule from its blocks.
  void index_partition(std::size_t r);
  void index_cover(std::size_t r);

  std::size_t row_count_;
  PairScope scope_;
  std::vector<Blocks> blocks_;                          // [rule]
  std::vector<std::vector<OversizedBlock>> oversized_;  // [rule]
  std::vector<std::vector<std::uint32_t>> block_of_;    // [rule][row]; empty for rules with blocks_of_
  std::vector<BlocksOfRows> blocks_of_;                 // [rule]
};

}  // namespace fovea::linkage
