// SPDX-License-Identifier: Apache-2.0
#include "fovea/linkage/blocking/candidate_pairs.h"

#include <utility>

namespace fovea::linkage {
namespace {

/// Returns a key with a + between its parts, for messages.
std::string readable(std::string key) {
  key.pop_back();
  std::ranges::replace_if(
      key, [](unsigned char c) { return c < 0x20; }, '+');
  return key;
}

std::uint64_t pairs_of(std::uint64_t rows) { return rows * (rows - 1) / 2; }

/// Removes the blocks of more than `max_block` rows and returns them, the largest first.
std::vector<OversizedBlock> remove_oversized(Blocks& blocks, std::size_t max_block, const io::Table& table,
                                             const BlockingRule& rule) {
  std::vector<OversizedBlock> oversized;
  Blocks kept;
  for (std::size_t b = 0; b < blocks.size(); ++b) {
    const std::span<const std::uint32_t> rows = blocks[b];
    if (rows.size() > max_block) {
      oversized.push_back({readable(rule.key(table, rows.front())), rows.size()});
      continue;
    }
    kept.rows.insert(kept.rows.end(), rows.begin(), rows.end());
    kept.begin.push_back(kept.rows.size());
  }
  std::ranges::stable_sort(oversized, std::ranges::greater(), &OversizedBlock::rows);
  if (!oversized.empty()) blocks = std::move(kept);
  return oversized;
}

}  // namespace

std::uint64_t PairScope::pair_count(std::uint64_t rows, std::uint64_t earlier) const {
  const std::uint64_t later = rows - earlier;
  switch (kind) {
    case Kind::kAll:
      return pairs_of(rows);
    case Kind::kAcross:
      return earlier * later;
    case Kind::kNew:
      return earlier * later + pairs_of(later);
  }
  return 0;
}

RowPair PairScope::draw(std::uint32_t rows, Random& random) const {
  for (;;) {
    RowPair pair{random.uniform_index(kind == Kind::kAcross ? boundary : rows), 0};
    pair.second = kind == Kind::kAll ? random.uniform_index(rows) : boundary + random.uniform_index(rows - boundary);
    if (pair.first == pair.second) continue;
    // Two new records can be drawn in two orders, an old and a new one in only one: reject half of the former.
    if (kind == Kind::kNew && pair.first >= boundary && random.bernoulli(.5)) continue;
    if (pair.first > pair.second) std::swap(pair.first, pair.second);
    return pair;
  }
}

CandidatePairs::CandidatePairs(const io::Table& table, std::span<const BlockingRule> rules, std::size_t max_block,
                               const PairScope& scope)
    : row_count_(table.row_count()), scope_(scope) {
  for (const BlockingRule& rule : rules) {
    Blocks blocks = group_rows(table, rule);
    oversized_.push_back(remove_oversized(blocks, max_block, table, rule));
    std::vector<std::uint32_t> block_of(table.row_count(), kNoBlock);
    for (std::size_t b = 0; b < blocks.size(); ++b)
      for (const std::uint32_t row : blocks[b]) block_of[row] = static_cast<std::uint32_t>(b);
    blocks_.push_back(std::move(blocks));
    block_of_.push_back(std::move(block_of));
  }
}

std::uint64_t CandidatePairs::pair_count(std::size_t rule) const {
  std::uint64_t pairs = 0;
  for (std::size_t b = 0; b < blocks_[rule].size(); ++b) pairs += pair_count(rule, b);
  return pairs;
}

std::uint64_t CandidatePairs::pair_count(std::size_t rule, std::size_t block) const {
  const std::span<const std::uint32_t> rows = blocks_[rule][block];
  const auto earlier = static_cast<std::uint64_t>(std::ranges::lower_bound(rows, scope_.boundary) - rows.begin());
  return scope_.pair_count(rows.size(), earlier);
}

double CandidatePairs::mean_later_rows(const Chunk& chunk) const {
  const Blocks& blocks = blocks_[chunk.rule];
  auto end = std::ranges::upper_bound(blocks.begin, chunk.begin);
  std::uint64_t later = 0;
  for (std::size_t i = chunk.begin; i < chunk.end; ++i) {
    while (*end <= i) ++end;
    later += *end - i - 1;
  }
  return static_cast<double>(later) / static_cast<double>(chunk.end - chunk.begin);
}

bool CandidatePairs::empty() const {
  for (std::size_t rule = 0; rule < rule_count(); ++rule)
    if (pair_count(rule) > 0) return false;
  return true;
}

std::vector<CandidatePairs::Chunk> CandidatePairs::chunks(std::size_t most_rows) const {
  constexpr std::uint64_t kPairs = 1 << 16;
  std::vector<Chunk> chunks;
  for (std::size_t rule = 0; rule < rule_count(); ++rule) {
    Chunk chunk{.rule = rule};
    std::uint64_t pairs = 0;
    const auto end_chunk = [&] {
      if (chunk.begin < chunk.end) chunks.push_back(chunk);
      chunk.begin = chunk.end;
      pairs = 0;
    };
    for (std::size_t b = 0; b < blocks_[rule].size(); ++b) {
      if (blocks_[rule][b].size() > most_rows) {
        end_chunk();
        chunk.begin = chunk.end = blocks_[rule].begin[b + 1];
        continue;
      }
      while (chunk.end < blocks_[rule].begin[b + 1]) {
        pairs += blocks_[rule].begin[b + 1] - ++chunk.end;
        if (pairs >= kPairs) end_chunk();
      }
    }
    end_chunk();
  }
  return chunks;
}

}  // namespace fovea::linkage
