// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>
#include <map>
#include <span>
#include <vector>

#include "fovea/base/random.h"
#include "fovea/linkage/clustering/pair_clustering.h"
#include "fovea/linkage/clustering/partition.h"
#include "tests/support/enumerating_random.h"

namespace fovea::testing {

/// A PairModel of a few records with made-up scores in [-bound, bound].
class PairTable {
 public:
  PairTable(std::size_t records, double bound, std::uint64_t seed = 1)
      : records_(records), bound_(bound), scores_(records * records) {
    Random random(seed);
    for (linkage::RecordId m = 0; m < records; ++m)
      for (linkage::RecordId n = 0; n < m; ++n)
        scores_[m * records + n] = scores_[n * records + m] = bound * std::tanh(random.normal());
  }

  std::size_t record_count() const { return records_; }
  double pair_score(linkage::RecordId m, linkage::RecordId n) const { return scores_[m * records_ + n]; }
  double score_bound(linkage::RecordId) const { return bound_; }

 private:
  std::size_t records_;
  double bound_;
  std::vector<double> scores_;
};

/// psi(y), pair by pair.
template <linkage::PairModel Model>
double all_pairs_within(const Model& model, std::span<const linkage::ClusterId> entities) {
  double score = 0;
  for (linkage::RecordId m = 0; m < entities.size(); ++m)
    for (linkage::RecordId n = 0; n < m; ++n)
      if (entities[m] == entities[n]) score += model.pair_score(m, n);
  return score;
}

/// Names each entity of a clustering by its first record, so that equal partitions become equal.
inline std::vector<linkage::ClusterId> canonical(std::span<const linkage::ClusterId> entities) {
  std::vector<linkage::ClusterId> first(entities.size());
  for (std::size_t m = 0; m < entities.size(); ++m)
    first[m] =
        static_cast<linkage::ClusterId>(std::find(entities.begin(), entities.end(), entities[m]) - entities.begin());
  return first;
}

using PartitionLaw = std::map<std::vector<linkage::ClusterId>, double>;

/// p(y) ~ exp(psi(y) / temperature) over all partitions of the model's records.
template <linkage::PairModel Model>
PartitionLaw exact_law(const Model& model, double temperature = 1) {
  PartitionLaw law;
  double total = 0;
  EnumeratingRandom().enumerate(
      [&](auto& random) {
        std::vector<linkage::ClusterId> entities(model.record_count());
        const auto n = static_cast<std::uint32_t>(entities.size());
        for (linkage::ClusterId& e : entities) e = random.uniform_index(n);
        law[canonical(entities)] = 0;
      },
      [](double) {});
  for (auto& [entities, p] : law) total += p = std::exp(all_pairs_within(model, entities) / temperature);
  for (auto& [entities, p] : law) p /= total;
  return law;
}

/// The clusterings, with probabilities, to which step(clustering, random), which may do anything random, leads from
/// `start`.
template <linkage::PairModel Model, class Step>
PartitionLaw transitions(const Model& model, const std::vector<linkage::ClusterId>& start,
                         const std::vector<double>& exponential_cuts, Step&& step) {
  PartitionLaw law;
  std::vector<linkage::ClusterId> end;
  EnumeratingRandom random;
  random.set_exponential_cuts(exponential_cuts);
  random.enumerate(
      [&](EnumeratingRandom& r) {
        linkage::PairClustering clustering(model, linkage::Partition(start));
        step(clustering, r);
        end = canonical(clustering.partition().clusters());
      },
      [&](double p) { law[end] += p; });
  return law;
}

/// max_y |(p A)(y) - p(y)| for the chain with these steps, p as in exact_law.
template <linkage::PairModel Model, class Step>
double invariance_gap(const Model& model, const std::vector<double>& exponential_cuts, Step&& step,
                      double temperature = 1) {
  const PartitionLaw law = exact_law(model, temperature);
  PartitionLaw moved;
  for (const auto& [start, p] : law)
    for (const auto& [end, q] : transitions(model, start, exponential_cuts, step)) moved[end] += p * q;
  double gap = 0;
  for (const auto& [y, p] : law) gap = std::max(gap, std::abs(moved[y] - p));
  return gap;
}

}  // namespace fovea::testing
