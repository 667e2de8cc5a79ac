// SPDX-License-Identifier: Apache-2.0
#include "fovea/linkage/weights/pair_weighting.h"

#include <tsl/robin_map.h>

#include <cmath>

#include "fovea/base/error.h"

namespace fovea::linkage {
namespace {

/// The records of one block, and how many there are of each entity.
class BlockPairs {
 public:
  BlockPairs(std::span<const std::uint32_t> entities, std::size_t begin) : entities_(entities), begin_(begin) {
    for (const std::uint32_t e : entities) ++sizes_[e];
  }

  void all(std::vector<LabelledPair>& pairs) const {
    for (std::size_t j = 1; j < entities_.size(); ++j)
      for (std::size_t i = 0; i < j; ++i) pairs.push_back(pair(i, j));
  }

  void draw(std::size_t count, Random& random, std::vector<LabelledPair>& pairs) const {
    const auto size = static_cast<std::uint32_t>(entities_.size());
    for (std::size_t n = 0; n < count; ++n) {
      const std::uint32_t i = random.uniform_index(size), other = random.uniform_index(size - 1);
      pairs.push_back(pair(i, other < i ? other : other + 1));
    }
  }

 private:
  LabelledPair pair(std::size_t i, std::size_t j) const {
    const double shares = static_cast<double>(sizes_.at(entities_[i])) * static_cast<double>(sizes_.at(entities_[j]));
    return {.first = begin_ + i,
            .second = begin_ + j,
            .is_match = entities_[i] == entities_[j],
            .weight = static_cast<double>(entities_.size()) / std::sqrt(shares)};
  }

  std::span<const std::uint32_t> entities_;
  std::size_t begin_;
  tsl::robin_map<std::uint32_t, std::uint32_t> sizes_;
};

std::uint64_t records_with_partners(const LabelledBlocks& blocks) {
  FOVEA_CHECK(!blocks.begin.empty() && blocks.begin.front() == 0 && blocks.begin.back() == blocks.entities.size());
  std::uint64_t records = 0;
  for (std::size_t b = 0; b + 1 < blocks.begin.size(); ++b) {
    FOVEA_CHECK(blocks.begin[b] <= blocks.begin[b + 1]);
    const std::size_t size = blocks.begin[b + 1] - blocks.begin[b];
    if (size > 1) records += size;
  }
  return records;
}

}  // namespace

std::vector<LabelledPair> draw_labelled_pairs(const LabelledBlocks& blocks, std::uint32_t count, Random& random) {
  std::vector<LabelledPair> pairs;
  const std::uint64_t records = records_with_partners(blocks);
  FOVEA_CHECK(records < std::uint64_t{1} << 32);
  if (records == 0) return pairs;
  // Systematic sampling: a block's quota is an integer whose mean over the offset is count * k / records.
  std::uint64_t reached = random.uniform_index(static_cast<std::uint32_t>(records));
  for (std::size_t b = 0; b + 1 < blocks.begin.size(); ++b) {
    const std::uint64_t begin = blocks.begin[b], size = blocks.begin[b + 1] - begin;
    if (size < 2) continue;
    const std::uint64_t before = reached;
    reached += count * size;
    const std::uint64_t quota = reached / records - before / records;
    if (quota == 0) continue;
    const BlockPairs block(blocks.entities.subspan(begin, size), begin);
    if (quota >= size * (size - 1) / 2) block.all(pairs);
    else block.draw(quota, random, pairs);
  }
  return pairs;
}

}  // namespace fovea::linkage
