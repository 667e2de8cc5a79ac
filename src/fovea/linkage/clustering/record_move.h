// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <span>

#include "fovea/base/log_math.h"
#include "fovea/linkage/clustering/partition.h"
#include "fovea/linkage/clustering/sparse_pairs.h"
#include "fovea/mcmc/subsample/factor_change.h"
#include "fovea/mcmc/subsample/tempered_change.h"

namespace fovea::linkage {

/// A proposal to move one record, with log_ratio = log q(y | y') - log q(y' | y).
struct RecordProposal {
  RecordId record = 0;
  ClusterId to = 0;
  double log_ratio = 0;
};

/// Proposal of the paper: a record goes to a random cluster; all K clusters in use and one empty cluster are equally
/// likely. Nothing is proposed if the record would stay where it is. For a random record q(y' | y) = 1/n 1/(K + 1), and
/// K may change.
class UniformProposal {
 public:
  template <class Random>
  std::optional<RecordProposal> propose(const Partition& partition, RecordId m, Random& random) const {
    const std::size_t count = partition.cluster_count();
    const std::size_t chosen = random.uniform_index(static_cast<std::uint32_t>(count + 1));
    const bool was_alone = partition.size(partition.cluster(m)) == 1, becomes_alone = chosen == count;
    if (was_alone && becomes_alone) return std::nullopt;
    const ClusterId to = partition.nth_cluster(chosen);
    if (to == partition.cluster(m)) return std::nullopt;
    const std::size_t after = count + becomes_alone - was_alone;
    return RecordProposal{m, to, log_count(count + 1) - log_count(after + 1)};
  }
};

/// Proposal of a companion's cluster: another record is drawn and its cluster joined; with probability `alone` the
/// record leaves for an empty cluster instead. Clusters are proposed in proportion to their sizes, so that few
/// proposals are wasted on clusters that nothing speaks for.
/// For a random record q(to e | y) = 1/n (1 - alone) |e| / (n - 1), q(to an empty one | y) = 1/n alone.
class CompanionProposal {
 public:
  /// `alone` in (0, 1).
  explicit CompanionProposal(double alone)
      : alone_(alone), log_alone_(std::log(alone)), log_not_alone_(std::log1p(-alone)) {}

  template <class Random>
  std::optional<RecordProposal> propose(const Partition& partition, RecordId m, Random& random) const {
    const auto n = static_cast<std::uint32_t>(partition.record_count());
    const ClusterId from = partition.cluster(m);
    const std::size_t companions = partition.size(from) - 1;
    if (n == 1) return std::nullopt;
    if (random.bernoulli(alone_)) {
      if (companions == 0) return std::nullopt;
      return RecordProposal{m, partition.nth_cluster(partition.cluster_count()), log_join(companions, n) - log_alone_};
    }
    RecordId other = random.uniform_index(n - 1);
    other += other >= m;
    const ClusterId to = partition.cluster(other);
    if (to == from) return std::nullopt;
    const double back = companions == 0 ? log_alone_ - log_join(1, n) : log_count(companions);
    return RecordProposal{m, to, back - log_count(partition.size(to))};
  }

 private:
  /// Logarithm of q(a cluster of `members` members | y), without the term log 1/n.
  double log_join(std::size_t members, std::uint32_t n) const {
    return log_not_alone_ + log_count(members) - log_count(n - 1);
  }

  double alone_, log_alone_, log_not_alone_;
};

/// Proposal along links (SparsePairs): mostly the cluster of a random neighbour of the record, sometimes (1 % of the
/// time) that of any other record, so that every move has a way back; with probability `alone` an empty cluster. Of
/// many clusters few have a link with the record, and no others are worth a proposal. For a record with d neighbours,
/// of which d_e are in cluster e, in which |e| other records are,
///   q(to e | y) = 1/n (1 - alone) ((1 - r) d_e / d + r |e| / (n - 1)),   r = .01, or 1 if d = 0.
class NeighbourProposal {
 public:
  /// `alone` in (0, 1). `pairs` must outlive the proposal.
  NeighbourProposal(const SparsePairs& pairs, double alone) : pairs_(&pairs), alone_(alone) {}

  template <class Random>
  std::optional<RecordProposal> propose(const Partition& partition, RecordId m, Random& random) const {
    const auto n = static_cast<std::uint32_t>(partition.record_count());
    const ClusterId from = partition.cluster(m);
    const bool was_alone = partition.size(from) == 1;
    if (n == 1) return std::nullopt;
    if (random.bernoulli(alone_)) {
      if (was_alone) return std::nullopt;
      return RecordProposal{m, partition.nth_cluster(partition.cluster_count()),
                            std::log(to_join(partition, m, from, partition.size(from) - 1) / alone_)};
    }
    const ClusterId to = partition.cluster(draw_companion(m, n, random));
    if (to == from) return std::nullopt;
    const double back = was_alone ? alone_ : to_join(partition, m, from, partition.size(from) - 1);
    return RecordProposal{m, to, std::log(back / to_join(partition, m, to, partition.size(to)))};
  }

 private:
  static constexpr double kAny = .01;  // r

  template <class Random>
  RecordId draw_companion(RecordId m, std::uint32_t n, Random& random) const {
    const std::span<const RecordId> neighbours = pairs_->neighbours(m);
    if (!neighbours.empty() && !random.bernoulli(kAny))
      return neighbours[random.uniform_index(static_cast<std::uint32_t>(neighbours.size()))];
    const RecordId other = random.uniform_index(n - 1);
    return other + (other >= m);
  }

  /// n q(to e | y), if e has `others` members besides m.
  double to_join(const Partition& partition, RecordId m, ClusterId e, std::size_t others) const {
    const std::span<const RecordId> neighbours = pairs_->neighbours(m);
    const double any = static_cast<double>(others) / static_cast<double>(partition.record_count() - 1);
    if (neighbours.empty()) return (1 - alone_) * any;
    const auto inside = std::ranges::count_if(neighbours, [&](RecordId o) { return partition.cluster(o) == e; });
    const double linked = static_cast<double>(inside) / static_cast<double>(neighbours.size());
    return (1 - alone_) * ((1 - kAny) * linked + kAny * any);
  }

  const SparsePairs* pairs_;
  double alone_;
};

/// Makes one Metropolis-Hastings step of a PairClustering or GroupedClustering for a record: proposes a move, lets the
/// rule decide by as many factors as it takes, and moves the record if accepted. If nothing is proposed, nothing is
/// accepted and no factors are computed. At a temperature T scores are divided by T; the ratio of the proposals is not.
template <class Clustering, class Proposal, class Rule, class Random>
mcmc::Decision move_record(Clustering& clustering, RecordId record, const Proposal& proposal, Rule& rule,
                           Random& random, double temperature = 1) {
  const std::optional<RecordProposal> move = proposal.propose(clustering.partition(), record, random);
  if (!move) return {};
  const mcmc::TemperedChange change(clustering.change(move->record, move->to), temperature);
  const mcmc::Decision decision = rule.decide(change, move->log_ratio, random);
  if (decision.accepted) clustering.move(move->record, move->to);
  return decision;
}

/// Does the same for a random record, which leaves the target invariant if the rule does.
template <class Clustering, class Proposal, class Rule, class Random>
mcmc::Decision move_record(Clustering& clustering, const Proposal& proposal, Rule& rule, Random& random,
                           double temperature = 1) {
  const RecordId m = random.uniform_index(static_cast<std::uint32_t>(clustering.partition().record_count()));
  return move_record(clustering, m, proposal, rule, random, temperature);
}

}  // namespace fovea::linkage
