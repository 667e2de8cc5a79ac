// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "fovea/linkage/clustering/partition.h"

namespace fovea::linkage {

/// How sure a chain is of a reported clustering: what its samples, drawn at temperature 1, say of pairs, records and
/// clusters.
class ClusteringPosterior {
 public:
  /// reported[m] is the cluster of record m, less than their number. weights[m] records are alike and record m stands
  /// for them; none if each stands for one.
  ClusteringPosterior(std::span<const ClusterId> reported, std::vector<std::pair<RecordId, RecordId>> pairs,
                      std::span<const std::uint32_t> weights = {});

  /// Of the same records. O(records + pairs).
  void add(const Partition& sample);
  std::size_t samples() const { return samples_; }

  /// Of the i-th pair: the share of samples in which it is together. All of these need one sample.
  double pair_probability(std::size_t i) const;
  /// The mean, over samples, of |c and e| / |c or e|, in records, where c is the reported cluster of m and e its
  /// cluster in the sample: 1 if no sample moves anything to or from the cluster, whether it is one record or many.
  double record_confidence(RecordId m) const;
  /// The mean over the cluster's records; 0 for an empty one.
  double cluster_confidence(ClusterId cluster) const;

 private:
  double weight(RecordId m) const { return weights_.empty() ? 1 : weights_[m]; }

  Partition reported_;
  std::vector<std::pair<RecordId, RecordId>> pairs_;
  std::vector<std::uint32_t> weights_;
  std::size_t samples_ = 0;
  std::vector<std::uint32_t> together_;  // [pair]: samples
  std::vector<double> agreement_;        // [record]: summed over samples
  std::vector<double> sizes_, overlap_;  // [cluster], within add()
};

}  // namespace fovea::linkage
