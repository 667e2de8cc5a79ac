// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tsl/robin_map.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "fovea/base/pair_hash.h"
#include "fovea/linkage/clustering/partition.h"

namespace fovea::linkage {

/// A link between two records, first != second, and the score of their pair.
struct RecordLink {
  RecordId first = 0, second = 0;
  float score = 0;
};

/// A PairModel over many records of which few are linked: candidate pairs that may match.
///
///   pair_score(m, n) = w_m w_n score(m, n)
///
/// Scores of links are kept; those of other pairs are computed when somebody asks for them, and kept as long as there
/// is room. So memory grows with the number of links, not with records^2. The weights w are 1 unless a record stands
/// for several identical ones. Not to be used by two threads at once.
class SparsePairs {
 public:
  using ScoreFunction = std::function<double(RecordId, RecordId)>;

  /// Number of scores that are kept besides those of links: some for each link, or as many as fit into 1 GB.
  enum class Room { kSmall, kLarge };

  /// Each unordered pair is linked at most once; a link whose score is NaN is scored like other pairs. `score` gives
  /// the score of any pair, links included.
  SparsePairs(std::size_t records, std::span<const RecordLink> links, ScoreFunction score, Room room = Room::kSmall);

  /// Makes record m stand for weights[m] > 0 identical records: a pair then counts for all pairs of these.
  void set_weights(std::vector<std::uint32_t> weights);

  std::size_t record_count() const { return begin_.size() - 1; }
  double weight(RecordId m) const { return weights_.empty() ? 1 : weights_[m]; }
  /// [record]; empty if all weights are 1.
  std::span<const std::uint32_t> weights() const { return weights_; }
  /// Records linked with m, in rising order.
  std::span<const RecordId> neighbours(RecordId m) const {
    return std::span(neighbours_).subspan(begin_[m], begin_[m + 1] - begin_[m]);
  }
  double pair_score(RecordId m, RecordId n) const { return weight(m) * weight(n) * plain_score(m, n); }

 private:
  double plain_score(RecordId m, RecordId n) const;

  ScoreFunction score_;
  std::vector<std::size_t> begin_;    // [record + 1]
  std::vector<RecordId> neighbours_;  // of each record
  std::vector<float> scores_;         // of those links
  std::vector<std::uint32_t> weights_;
  std::size_t room_;                                                        // most scores that are kept
  mutable tsl::robin_map<std::uint64_t, float, PairHash> computed_scores_;  // of other pairs, the smaller record first
};

}  // namespace fovea::linkage
