// SPDX-License-Identifier: Apache-2.0
#include "fovea/linkage/clustering/clustering_posterior.h"

#include "fovea/base/error.h"

namespace fovea::linkage {

ClusteringPosterior::ClusteringPosterior(std::span<const ClusterId> reported,
                                         std::vector<std::pair<RecordId, RecordId>> pairs,
                                         std::span<const std::uint32_t> weights)
    : reported_(reported),
      pairs_(std::move(pairs)),
      weights_(weights.begin(), weights.end()),
      together_(pairs_.size()),
      agreement_(reported.size()),
      overlap_(reported.size()) {
  FOVEA_CHECK(weights.empty() || weights.size() == reported.size());
}

void ClusteringPosterior::add(const Partition& sample) {
  ++samples_;
  for (std::size_t i = 0; i < pairs_.size(); ++i)
    together_[i] += sample.cluster(pairs_[i].first) == sample.cluster(pairs_[i].second);
  sizes_.assign(sample.record_count(), 0);
  for (RecordId m = 0; m < sample.record_count(); ++m) sizes_[sample.cluster(m)] += weight(m);
  for (std::size_t i = 0; i < reported_.cluster_count(); ++i) {
    const std::span<const RecordId> cluster = reported_.members(reported_.nth_cluster(i));
    double size = 0;
    for (const RecordId m : cluster) {
      size += weight(m);
      overlap_[sample.cluster(m)] += weight(m);
    }
    for (const RecordId m : cluster) {
      const double overlap = overlap_[sample.cluster(m)];
      agreement_[m] += overlap / (size + sizes_[sample.cluster(m)] - overlap);
    }
    for (const RecordId m : cluster) overlap_[sample.cluster(m)] = 0;
  }
}

double ClusteringPosterior::pair_probability(std::size_t i) const {
  return static_cast<double>(together_[i]) / static_cast<double>(samples_);
}

double ClusteringPosterior::record_confidence(RecordId m) const {
  return agreement_[m] / static_cast<double>(samples_);
}

double ClusteringPosterior::cluster_confidence(ClusterId cluster) const {
  double sum = 0, records = 0;
  for (const RecordId m : reported_.members(cluster)) {
    sum += weight(m) * record_confidence(m);
    records += weight(m);
  }
  return records > 0 ? sum / records : 0;
}

}  // namespace fovea::linkage
