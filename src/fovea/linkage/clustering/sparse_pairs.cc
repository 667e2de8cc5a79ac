// SPDX-License-Identifier: Apache-2.0
#include "fovea/linkage/clustering/sparse_pairs.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "fovea/base/error.h"

namespace fovea::linkage {
namespace {

constexpr std::size_t kLeastRoom = 1 << 16;     // computed scores that are kept at least, and ...
constexpr std::size_t kRoomPerLink = 2;         // ... for each link
constexpr std::size_t kLargeRoom = 16'000'000;  // 2^25 buckets of 24 bytes, at most half full

}  // namespace

SparsePairs::SparsePairs(std::size_t records, std::span<const RecordLink> links, ScoreFunction score, Room room)
    : score_(std::move(score)),
      begin_(records + 1, 0),
      room_(room == Room::kLarge ? kLargeRoom : kLeastRoom + kRoomPerLink * links.size()) {
  for (const RecordLink& link : links) {
    FOVEA_CHECK(link.first < records && link.second < records && link.first != link.second);
    FOVEA_CHECK(!std::isinf(link.score));
    ++begin_[link.first + 1];
    ++begin_[link.second + 1];
  }
  std::partial_sum(begin_.begin(), begin_.end(), begin_.begin());
  std::vector<std::pair<RecordId, float>> ends(begin_.back());
  std::vector<std::size_t> next(begin_.begin(), begin_.end() - 1);
  for (const RecordLink& link : links) {
    ends[next[link.first]++] = {link.second, link.score};
    ends[next[link.second]++] = {link.first, link.score};
  }
  for (std::size_t m = 0; m < records; ++m) {
    const auto list = std::span(ends).subspan(begin_[m], begin_[m + 1] - begin_[m]);
    std::ranges::sort(list, {}, &std::pair<RecordId, float>::first);
    FOVEA_CHECK(std::ranges::adjacent_find(list, {}, &std::pair<RecordId, float>::first) == list.end());
  }
  for (const auto& [neighbour, link_score] : ends) {
    neighbours_.push_back(neighbour);
    scores_.push_back(link_score);
  }
}

void SparsePairs::set_weights(std::vector<std::uint32_t> weights) {
  FOVEA_CHECK(weights.size() == record_count());
  FOVEA_CHECK(std::ranges::all_of(weights, [](std::uint32_t weight) { return weight > 0; }));
  weights_ = std::move(weights);
}

double SparsePairs::plain_score(RecordId m, RecordId n) const {
  if (neighbours(n).size() < neighbours(m).size()) std::swap(m, n);
  const std::span<const RecordId> list = neighbours(m);
  const auto found = std::ranges::lower_bound(list, n);
  if (found != list.end() && *found == n) {
    const float score = scores_[begin_[m] + static_cast<std::size_t>(found - list.begin())];
    if (!std::isnan(score)) return double{score};
  }
  const std::uint64_t key = pair_key(std::min(m, n), std::max(m, n));
  if (const auto known = computed_scores_.find(key); known != computed_scores_.end()) return double{known->second};
  if (computed_scores_.size() >= room_) computed_scores_.clear();
  const auto score = static_cast<float>(score_(std::min(m, n), std::max(m, n)));
  computed_scores_.emplace(key, score);
  return double{score};
}

}  // namespace fovea::linkage
