// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "fovea/linkage/clustering/partition.h"

namespace fovea::linkage {

/// Confidence in a reported clustering: probabilities of pairs, records and clusters, from a chain's samples at
/// temperature 1.
class ClusteringPosterior {
 public:
  /// reported[m] is the cluster of record m, less than the number of records. Record m stands for weights[m] identical
  /// records; with empty weights, each stands for one.
  ClusteringPosterior(std::span<const ClusterId> reported, std::vector<std::pair<RecordId, RecordId>> pairs,
                      std::span<const std::uint32_t> weights = {});

  /// Adds a sample, a clustering of the same records. O(records + pairs).
  void add(const Partition& sample);
  std::size_t samples() const { return samples_; }

  /// Share of samples in which the i-th pair is together. This and the functions below need at least one sample.
  double pair_probability(std::size_t i) const;
  /// Mean over samples of |c and e| / |c or e|, counted in records, where c is the reported cluster of m and e its
  /// cluster in the sample. It is 1 if no sample moves a record into or out of the cluster, whatever the cluster's
  /// size.
  double record_confidence(RecordId m) const;
  /// Mean of record_confidence() over the cluster's records; 0 for an empty cluster.
  double cluster_confidence(ClusterId cluster) const;

 private:
  double weight(RecordId m) const { return weights_.empty() ? 1 : weights_[m]; }

  Partition reported_;
  std::vector<std::pair<RecordId, RecordId>> pairs_;
  std::vector<std::uint32_t> weights_;
  std::size_t samples_ = 0;
  std::vector<std::uint32_t> together_;  // [pair]: samples that have it together
  std::vector<double> agreement_;        // [record]: summed over samples
  std::vector<double> sizes_, overlap_;  // [cluster], within add()
};

}  // namespace fovea::linkage
