// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <span>
#include <vector>

#include "fovea/base/log_math.h"
#include "fovea/base/random.h"
#include "fovea/linkage/clustering/cluster_scores.h"
#include "fovea/linkage/clustering/growing_part.h"
#include "fovea/linkage/clustering/partition.h"
#include "fovea/mcmc/subsample/factor_change.h"
#include "fovea/mcmc/target_law.h"

namespace fovea::linkage {

/// Splits a cluster in two or merges two clusters into one, where moves of single records would have to pass through
/// worse clusterings: sequentially allocated merge-split (Dahl 2003; Jain and Neal 2004).
///
/// Two records a, b are drawn. If they share a cluster, it is split: a and b seed two parts, and each of the other
/// members, in random order, joins part A with probability 1 / (1 + exp(s_B - s_A)), where s_A sums its pair scores
/// with part A so far. If they are in different clusters, these are merged. The reverse of a merge is the split that
/// makes the same two parts, in an order that is also drawn:
///
///   split:  accept with min(1, p(y') / p(y) / prod_i P(choice of i))
///   merge:  accept with min(1, p(y') / p(y) * prod_i P(choice of i that leads back))
///
/// which leaves p stationary. At temperature T all scores are divided by T, and it is p^(1/T).
///
/// As the product is at most 1, a merge with p(y') < p(y) is refused with probability 1 - p(y') / p(y) before anything
/// is allocated: dissimilar clusters cost only the look-ups of the smaller one. Where sums pay off for a part, n
/// members take n look-ups and additions to sums, otherwise about n^2 / 2 pair scores.
class SplitMerge {
 public:
  using TargetLaw = mcmc::Invariant;

  /// Splits and merges of u > `plenty` >= 1 records are tried only with probability plenty / u. A split and the merge
  /// that undoes it involve the same number of records, so p stays stationary. No step takes more than about 2 plenty
  /// look-ups on average; otherwise large clusters would take nearly all of the time.
  explicit SplitMerge(double plenty = std::numeric_limits<double>::infinity()) : plenty_(plenty) {}

  /// Makes one step of a PairClustering or GroupedClustering.
  template <class Clustering, class Random>
  mcmc::Decision step(Clustering& clustering, Random& random, double temperature = 1) {
    const auto count = static_cast<std::uint32_t>(clustering.partition().record_count());
    if (count < 2) return {};
    const RecordId a = random.uniform_index(count);
    RecordId b = random.uniform_index(count - 1);
    b += b >= a;
    temperature_ = temperature;
    const Partition& partition = clustering.partition();
    const ClusterId first = partition.cluster(a), second = partition.cluster(b);
    const auto united = static_cast<double>(partition.size(first) + (first == second ? 0 : partition.size(second)));
    if (united > plenty_ && !random.bernoulli(plenty_ / united)) return {};
    return first == second ? split(clustering, a, b, random) : merge(clustering, a, b, random);
  }

 private:
  struct Allocation {
    double log_probability = 0;  // of all choices
    double across = 0;           // sum of the pair scores between the parts
    mcmc::Decision work;
  };

  template <class Clustering, class Random>
  mcmc::Decision split(Clustering& clustering, RecordId a, RecordId b, Random& random) {
    const Partition& partition = clustering.partition();
    collect_others(partition, a, b, random);
    Allocation drawn =
        allocate(clustering.model(), a, b, [&](RecordId, double p_second) { return random.bernoulli(p_second); });
    drawn.work.accepted = mcmc::accepts(-drawn.across / temperature_ - drawn.log_probability, random);
    if (drawn.work.accepted) move_all(clustering, smaller_part(), partition.nth_cluster(partition.cluster_count()));
    return drawn.work;
  }

  template <class Clustering, class Random>
  mcmc::Decision merge(Clustering& clustering, RecordId a, RecordId b, Random& random) {
    const Partition& partition = clustering.partition();
    const ClusterId first = partition.cluster(a), second = partition.cluster(b);
    const mcmc::GroupedSum across = score_between(clustering, first, second);
    const double log_ratio = across.sum / temperature_;
    mcmc::Decision decision{.factors = across.factors, .lookups = across.lookups};
    if (!mcmc::accepts(log_ratio, random)) return decision;
    collect_others(partition, a, b, random);
    const Allocation back =
        allocate(clustering.model(), a, b, [&](RecordId m, double) { return partition.cluster(m) == second; });
    decision.factors += back.work.factors;
    decision.lookups += back.work.lookups;
    // Together with the test above: exp(log_ratio) times exp(log_probability) if both are below 1.
    decision.accepted = mcmc::accepts(std::max(log_ratio, 0.0) + back.log_probability, random);
    if (decision.accepted) move_all(clustering, smaller_part(), &smaller_part() == &parts_[0] ? second : first);
    return decision;
  }

  template <class Random>
  void collect_others(const Partition& partition, RecordId a, RecordId b, Random& random) {
    others_.clear();
    const auto collect = [&](ClusterId e) {
      for (const RecordId m : partition.members(e))
        if (m != a && m != b) others_.push_back(m);
    };
    collect(partition.cluster(a));
    if (partition.cluster(b) != partition.cluster(a)) collect(partition.cluster(b));
    shuffle(std::span(others_), random);
  }

  /// Fills parts_; joins_second(m, p_second) decides where m goes.
  template <class Model, class JoinsSecond>
  Allocation allocate(const Model& model, RecordId a, RecordId b, JoinsSecond&& joins_second) {
    parts_[0].begin(model, a, others_.size());
    parts_[1].begin(model, b, others_.size());
    Allocation allocation{.across = model.pair_score(a, b), .work = {.factors = 1}};
    for (const RecordId m : others_) {
      const std::array sums = {parts_[0].sum_of_scores(model, m), parts_[1].sum_of_scores(model, m)};
      const double for_first = (sums[0].sum - sums[1].sum) / temperature_;
      const bool second = joins_second(m, sigmoid(-for_first));
      const double against = second ? for_first : -for_first;
      allocation.log_probability -=
          against > 0 ? against + std::log1p(std::exp(-against)) : std::log1p(std::exp(against));
      allocation.across += sums[second ? 0 : 1].sum;
      for (const mcmc::GroupedSum& sum : sums) {
        allocation.work.factors += sum.factors;
        allocation.work.lookups += sum.lookups;
      }
      parts_[second ? 1 : 0].add(m);
    }
    return allocation;
  }

  const GrowingPart& smaller_part() const {
    return parts_[parts_[0].members().size() < parts_[1].members().size() ? 0 : 1];
  }

  template <class Clustering>
  static void move_all(Clustering& clustering, const GrowingPart& part, ClusterId to) {
    for (const RecordId m : part.members()) clustering.move(m, to);
  }

  double plenty_;
  double temperature_ = 1;
  std::vector<RecordId> others_;
  std::array<GrowingPart, 2> parts_;
};

}  // namespace fovea::linkage
