// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cmath>
#include <utility>
#include <vector>

#include "fovea/base/shuffle.h"
#include "fovea/sample/clustering/partition.h"
#include "fovea/sample/subsample/factor_change.h"
#include "fovea/sample/target_law.h"

namespace fovea {

/// Splits an entity in two or merges two into one, where moves of single mentions would have to pass through worse
/// clusterings: sequentially allocated merge-split (Dahl 2003; Jain and Neal 2004).
///
/// Two mentions a, b are drawn. If they share an entity, it is split: a and b seed two parts, and each of the other
/// members, in random order, joins part A with probability 1 / (1 + exp(s_B - s_A)), where s_A sums its pair scores
/// with part A so far. If they do not share one, their entities are merged. The way back of a merge is the split that
/// makes the same two parts, in an order that is drawn, too:
///
///   split:  accept with min(1, p(y') / p(y) / prod_i P(choice of i))
///   merge:  accept with min(1, p(y') / p(y) * prod_i P(choice of i that leads back))
///
/// which leaves p stationary. Takes about n^2 / 2 pair scores for n members.
class SplitMerge {
 public:
  using TargetLaw = Invariant;

  /// Of a PairClustering or GroupedClustering.
  template <class Clustering, class Random>
  Decision step(Clustering& clustering, Random& random) {
    const Partition& partition = clustering.partition();
    const auto count = static_cast<std::uint32_t>(partition.mention_count());
    if (count < 2) return {};
    const MentionId a = random.uniform_index(count);
    MentionId b = random.uniform_index(count - 1);
    b += b >= a;
    const bool is_split = partition.entity(a) == partition.entity(b);
    collect_others(partition, a, b, random);
    parts_[0] = {a};
    parts_[1] = {b};
    const Allocation allocation = allocate(partition, clustering.model(), is_split, random);
    // Of a merge: the pairs across the two parts appear. A split is the way back.
    const double log_ratio = allocation.across + allocation.log_probability;
    const Decision decision{accepts(is_split ? -log_ratio : log_ratio, random), allocation.factors};
    if (decision.accepted)
      move_second_part(clustering, is_split ? partition.nth_entity(partition.entity_count()) : partition.entity(a));
    return decision;
  }

 private:
  struct Allocation {
    double log_probability = 0;  // of all choices
    double across = 0;           // sum of the pair scores between the parts
    std::size_t factors = 0;
  };

  template <class Random>
  void collect_others(const Partition& partition, MentionId a, MentionId b, Random& random) {
    others_.clear();
    const auto collect = [&](EntityId e) {
      for (const MentionId m : partition.members(e))
        if (m != a && m != b) others_.push_back(m);
    };
    collect(partition.entity(a));
    if (partition.entity(b) != partition.entity(a)) collect(partition.entity(b));
    shuffle(std::span(others_), random);
  }

  /// Fills parts_: drawn for a split, as they are for a merge.
  template <class Model, class Random>
  Allocation allocate(const Partition& partition, const Model& model, bool is_split, Random& random) {
    Allocation allocation{.across = model.pair_score(parts_[0][0], parts_[1][0]), .factors = 1};
    const EntityId second = partition.entity(parts_[1][0]);
    for (const MentionId m : others_) {
      std::array<double, 2> sums = {0, 0};
      for (const std::size_t k : {0, 1})
        for (const MentionId other : parts_[k]) sums[k] += model.pair_score(m, other);
      const double p_second = 1 / (1 + std::exp(sums[0] - sums[1]));
      const bool joins_second = is_split ? random.bernoulli(p_second) : partition.entity(m) == second;
      const double against = joins_second ? sums[0] - sums[1] : sums[1] - sums[0];
      allocation.log_probability -=
          against > 0 ? against + std::log1p(std::exp(-against)) : std::log1p(std::exp(against));
      allocation.across += sums[joins_second ? 0 : 1];
      allocation.factors += parts_[0].size() + parts_[1].size();
      parts_[joins_second ? 1 : 0].push_back(m);
    }
    return allocation;
  }

  template <class Clustering>
  void move_second_part(Clustering& clustering, EntityId to) const {
    for (const MentionId m : parts_[1]) clustering.move(m, to);
  }

  std::vector<MentionId> others_;
  std::array<std::vector<MentionId>, 2> parts_;
};

}  // namespace fovea
