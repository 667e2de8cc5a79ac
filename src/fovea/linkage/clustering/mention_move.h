// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <optional>

#include "fovea/base/log_count.h"
#include "fovea/linkage/clustering/partition.h"
#include "fovea/mcmc/subsample/factor_change.h"
#include "fovea/mcmc/subsample/tempered_change.h"

namespace fovea::linkage {

/// A proposal to move one mention, with log_ratio = log q(y | y') - log q(y' | y).
struct MentionProposal {
  MentionId mention = 0;
  EntityId to = 0;
  double log_ratio = 0;
};

/// The paper's proposal: a mention goes to a random entity, all K entities in use and an empty one being equally
/// likely. None if the mention would stay where it is. For a random mention q(y' | y) = 1/n 1/(K + 1), and K may
/// change.
class UniformProposal {
 public:
  template <class Random>
  std::optional<MentionProposal> propose(const Partition& partition, MentionId m, Random& random) const {
    const std::size_t count = partition.entity_count();
    const std::size_t chosen = random.uniform_index(static_cast<std::uint32_t>(count + 1));
    const bool was_alone = partition.size(partition.entity(m)) == 1, becomes_alone = chosen == count;
    if (was_alone && becomes_alone) return std::nullopt;
    const EntityId to = partition.nth_entity(chosen);
    if (to == partition.entity(m)) return std::nullopt;
    const std::size_t after = count + becomes_alone - was_alone;
    return MentionProposal{m, to, log_count(count + 1) - log_count(after + 1)};
  }
};

/// A companion's entity: another mention is drawn and its entity joined; with probability `alone` the mention leaves
/// for an empty entity instead. Large entities are proposed in proportion to their sizes, so that few proposals are
/// wasted on entities that nothing speaks for.
/// For a random mention q(to e | y) = 1/n (1 - alone) |e| / (n - 1), q(to an empty one | y) = 1/n alone.
class CompanionProposal {
 public:
  /// `alone` in (0, 1).
  explicit CompanionProposal(double alone)
      : alone_(alone), log_alone_(std::log(alone)), log_not_alone_(std::log1p(-alone)) {}

  template <class Random>
  std::optional<MentionProposal> propose(const Partition& partition, MentionId m, Random& random) const {
    const auto n = static_cast<std::uint32_t>(partition.mention_count());
    const EntityId from = partition.entity(m);
    const std::size_t companions = partition.size(from) - 1;
    if (n == 1) return std::nullopt;
    if (random.bernoulli(alone_)) {
      if (companions == 0) return std::nullopt;
      return MentionProposal{m, partition.nth_entity(partition.entity_count()), log_join(companions, n) - log_alone_};
    }
    MentionId other = random.uniform_index(n - 1);
    other += other >= m;
    const EntityId to = partition.entity(other);
    if (to == from) return std::nullopt;
    const double back = companions == 0 ? log_alone_ - log_join(1, n) : log_count(companions);
    return MentionProposal{m, to, back - log_count(partition.size(to))};
  }

 private:
  /// Of q(an entity of so many members | y), less log 1/n.
  double log_join(std::size_t members, std::uint32_t n) const {
    return log_not_alone_ + log_count(members) - log_count(n - 1);
  }

  double alone_, log_alone_, log_not_alone_;
};

/// One Metropolis-Hastings step of a PairClustering or GroupedClustering for a mention: proposes, lets the rule decide
/// by as many factors as it takes, moves if accepted. A proposal that was none is not accepted and takes no factors. At
/// a temperature T scores are divided by T; the ratio of the proposals is not.
template <class Clustering, class Proposal, class Rule, class Random>
mcmc::Decision move_mention(Clustering& clustering, MentionId mention, const Proposal& proposal, Rule& rule,
                            Random& random, double temperature = 1) {
  const std::optional<MentionProposal> move = proposal.propose(clustering.partition(), mention, random);
  if (!move) return {};
  const mcmc::TemperedChange change(clustering.change(move->mention, move->to), temperature);
  const mcmc::Decision decision = rule.decide(change, move->log_ratio, random);
  if (decision.accepted) clustering.move(move->mention, move->to);
  return decision;
}

/// The same for a random mention, which leaves the target invariant if the rule does.
template <class Clustering, class Proposal, class Rule, class Random>
mcmc::Decision move_mention(Clustering& clustering, const Proposal& proposal, Rule& rule, Random& random,
                            double temperature = 1) {
  const MentionId m = random.uniform_index(static_cast<std::uint32_t>(clustering.partition().mention_count()));
  return move_mention(clustering, m, proposal, rule, random, temperature);
}

}  // namespace fovea::linkage
