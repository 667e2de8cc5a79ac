// SPDX-License-Identifier: Apache-2.0
#include "fovea/linkage/clustering/clustering_posterior.h"

#include "fovea/base/error.h"

namespace fovea::linkage {

ClusteringPosterior::ClusteringPosterior(std::span<const EntityId> reported,
                                         std::vector<std::pair<MentionId, MentionId>> pairs,
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
    together_[i] += sample.entity(pairs_[i].first) == sample.entity(pairs_[i].second);
  sizes_.assign(sample.mention_count(), 0);
  for (MentionId m = 0; m < sample.mention_count(); ++m) sizes_[sample.entity(m)] += weight(m);
  for (std::size_t i = 0; i < reported_.entity_count(); ++i) {
    const std::span<const MentionId> cluster = reported_.members(reported_.nth_entity(i));
    double size = 0;
    for (const MentionId m : cluster) {
      size += weight(m);
      overlap_[sample.entity(m)] += weight(m);
    }
    for (const MentionId m : cluster) {
      const double overlap = overlap_[sample.entity(m)];
      agreement_[m] += overlap / (size + sizes_[sample.entity(m)] - overlap);
    }
    for (const MentionId m : cluster) overlap_[sample.entity(m)] = 0;
  }
}

double ClusteringPosterior::pair_probability(std::size_t i) const {
  return static_cast<double>(together_[i]) / static_cast<double>(samples_);
}

double ClusteringPosterior::mention_confidence(MentionId m) const {
  return agreement_[m] / static_cast<double>(samples_);
}

double ClusteringPosterior::cluster_confidence(EntityId cluster) const {
  double sum = 0, records = 0;
  for (const MentionId m : reported_.members(cluster)) {
    sum += weight(m) * mention_confidence(m);
    records += weight(m);
  }
  return records > 0 ? sum / records : 0;
}

}  // namespace fovea::linkage
