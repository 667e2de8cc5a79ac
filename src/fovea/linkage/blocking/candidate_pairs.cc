// SPDX-License-Identifier: Apache-2.0
#include "fovea/linkage/blocking/candidate_pairs.h"

#include <numeric>
#include <utility>

#include "fovea/base/parallel.h"

namespace fovea::linkage {
namespace {

/// Returns a key with a + between its parts, for messages.
std::string readable(std::string key) {
  key.pop_back();
  std::ranges::replace_if(
      key, [](unsigned char c) { return c < 0x20; }, '+');
  return key;
}

std::uint64_t pairs_of(std::uint64_t rows) { return rows > 0 ? rows * (rows - 1) / 2 : 0; }

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

template <class SizeBefore>
std::uint64_t PairScope::pair_count(std::uint64_t rows, const SizeBefore& size_before) const {
  std::uint64_t pairs = pairs_of(rows), before = 0;
  for (const std::uint32_t boundary : boundaries) {  // pairs of one table do not count, nor do those of old records
    const std::uint64_t end = size_before(boundary);
    pairs -= pairs_of(end - before);
    before = end;
  }
  return kind == Kind::kAcross ? pairs - pairs_of(rows - before) : pairs;
}

std::uint64_t PairScope::pair_count(std::span<const std::uint32_t> rows) const {
  return pair_count(rows.size(), [&](std::uint32_t boundary) {
    return static_cast<std::uint64_t>(std::ranges::lower_bound(rows, boundary) - rows.begin());
  });
}

std::uint64_t PairScope::pair_count(std::uint32_t rows) const {
  return pair_count(rows, [](std::uint32_t boundary) { return std::uint64_t{boundary}; });
}

RowPair PairScope::draw(std::uint32_t rows, Random& random) const {
  if (kind == Kind::kAcross) return draw_across(rows, random);
  for (;;) {
    RowPair pair{random.uniform_index(rows), 0};
    const std::uint32_t begin = kind == Kind::kAll ? 0 : boundaries.front();
    pair.second = begin + random.uniform_index(rows - begin);
    if (pair.first == pair.second) continue;
    // Two new records can be drawn in two orders, an old and a new one in only one: reject half of the former.
    if (kind == Kind::kNew && pair.first >= begin && random.bernoulli(.5)) continue;
    if (pair.first > pair.second) std::swap(pair.first, pair.second);
    return pair;
  }
}

/// Draws the table of one row, a table of n_t rows in proportion to n_t (n - n_t), then this row and one of the others.
RowPair PairScope::draw_across(std::uint32_t rows, Random& random) const {
  std::vector<std::uint32_t> begins = {0};
  begins.insert(begins.end(), boundaries.begin(), boundaries.end());
  begins.push_back(rows);
  const auto size = [&](std::size_t table) { return begins[table + 1] - begins[table]; };
  std::size_t table = 0;
  if (boundaries.size() > 1) {  // of two tables, either may be drawn first
    std::vector<double> weights;
    for (std::size_t t = 0; t + 1 < begins.size(); ++t)
      weights.push_back(static_cast<double>(size(t)) * static_cast<double>(rows - size(t)));
    table = random.categorical(std::span<const double>(weights));
  }
  const std::uint32_t first = begins[table] + random.uniform_index(size(table));
  std::uint32_t second = random.uniform_index(rows - size(table));
  if (second >= begins[table]) second += size(table);
  return {std::min(first, second), std::max(first, second)};
}

CandidatePairs::CandidatePairs(const io::Table& table, std::span<const BlockingRule> rules, std::size_t max_block,
                               const PairScope& scope, int threads)
    : row_count_(table.row_count()),
      scope_(scope),
      blocks_(rules.size()),
      oversized_(rules.size()),
      block_of_(rules.size()),
      blocks_of_(rules.size()) {
  parallel_for(rules.size(), 1, threads, [&](std::size_t r, std::size_t) {
    if (rules[r].has_any()) make_cover(table, rules[r], max_block, r);
    else make_partition(table, rules[r], max_block, r);
  });
}

CandidatePairs::CandidatePairs(std::size_t row_count, std::vector<Blocks> blocks, const PairScope& scope)
    : row_count_(row_count),
      scope_(scope),
      blocks_(std::move(blocks)),
      oversized_(blocks_.size()),
      block_of_(blocks_.size()),
      blocks_of_(blocks_.size()) {
  for (std::size_t r = 0; r < blocks_.size(); ++r) {
    std::vector<bool> is_in_block(row_count);
    bool is_partition = true;
    for (const std::uint32_t row : blocks_[r].rows) {
      is_partition = is_partition && !is_in_block[row];
      is_in_block[row] = true;
    }
    if (is_partition) index_partition(r);
    else index_cover(r);
  }
}

void CandidatePairs::index_partition(std::size_t r) {
  block_of_[r].assign(row_count_, kNoBlock);
  for (std::uint32_t b = 0; b < blocks_[r].size(); ++b)
    for (const std::uint32_t row : blocks_[r][b]) block_of_[r][row] = b;
}

void CandidatePairs::index_cover(std::size_t r) {
  BlocksOfRows& of_rows = blocks_of_[r];
  of_rows.begin.assign(row_count_ + 1, 0);
  for (const std::uint32_t row : blocks_[r].rows) ++of_rows.begin[row + std::size_t{1}];
  std::partial_sum(of_rows.begin.begin(), of_rows.begin.end(), of_rows.begin.begin());
  of_rows.blocks.resize(blocks_[r].rows.size());
  std::vector<std::size_t> next(of_rows.begin.begin(), of_rows.begin.end() - 1);
  for (std::uint32_t b = 0; b < blocks_[r].size(); ++b)
    for (const std::uint32_t row : blocks_[r][b]) of_rows.blocks[next[row]++] = b;
}

void CandidatePairs::make_partition(const io::Table& table, const BlockingRule& rule, std::size_t max_block,
                                    std::size_t r) {
  Blocks blocks = group_rows(table, rule);
  oversized_[r] = remove_oversized(blocks, max_block, table, rule);
  blocks_[r] = std::move(blocks);
  index_partition(r);
}

void CandidatePairs::make_cover(const io::Table& table, const BlockingRule& rule, std::size_t max_block,
                                std::size_t r) {
  const BlockingRule::Keys keys = rule.keys(table);
  std::vector<std::uint32_t> counts(keys.text_of_key.size()), block_of_key(counts.size(), kNoBlock);
  for (const std::uint32_t key : keys.numbers) ++counts[key];
  const std::size_t most = std::min(rule.most_of_key(), max_block);
  Blocks blocks;
  std::vector<OversizedBlock> oversized;
  for (std::size_t key = 0; key < counts.size(); ++key) {
    if (counts[key] > most) oversized.push_back({std::string(keys.texts.text(keys.text_of_key[key])), counts[key]});
    if (counts[key] < 2 || counts[key] > most) continue;
    block_of_key[key] = static_cast<std::uint32_t>(blocks.size());
    blocks.begin.push_back(blocks.begin.back() + counts[key]);
  }
  std::ranges::stable_sort(oversized, std::ranges::greater(), &OversizedBlock::rows);
  oversized_[r] = std::move(oversized);
  blocks.rows.resize(blocks.begin.back());
  std::vector<std::size_t> next(blocks.begin.begin(), blocks.begin.end() - 1);
  for (std::uint32_t row = 0; row < table.row_count(); ++row)
    for (std::size_t i = keys.begin[row]; i < keys.begin[row + 1]; ++i)
      if (const std::uint32_t block = block_of_key[keys.numbers[i]]; block != kNoBlock)
        blocks.rows[next[block]++] = row;
  blocks_[r] = std::move(blocks);
  index_cover(r);
}

std::uint32_t CandidatePairs::BlocksOfRows::first_shared(RowPair pair) const {
  std::size_t i = begin[pair.first], j = begin[pair.second];
  while (i < begin[pair.first + std::size_t{1}] && j < begin[pair.second + std::size_t{1}]) {
    if (blocks[i] == blocks[j]) return blocks[i];
    if (blocks[i] < blocks[j]) ++i;
    else ++j;
  }
  return kNoBlock;
}

std::uint64_t CandidatePairs::pair_count(std::size_t rule) const {
  std::uint64_t pairs = 0;
  for (std::size_t b = 0; b < blocks_[rule].size(); ++b) pairs += pair_count(rule, b);
  return pairs;
}

std::uint64_t CandidatePairs::pair_count(std::size_t rule, std::size_t block) const {
  return scope_.pair_count(blocks_[rule][block]);
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
