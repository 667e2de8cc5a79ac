// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <utility>

#include "fovea/linkage/clustering/cluster_scores.h"
#include "fovea/linkage/clustering/record_move.h"
#include "fovea/linkage/clustering/record_schedule.h"
#include "fovea/linkage/clustering/split_merge.h"
#include "fovea/mcmc/target_law.h"

namespace fovea::linkage {

/// A mixture of moves: with probability `share` a SplitMerge, which computes all pair scores that it needs, otherwise a
/// move of one record, for which `rule` decides how many pair scores to compute. Has the rule's TargetLaw.
template <class Proposal, class Rule>
class ClusteringKernel {
 public:
  using TargetLaw = typename Rule::TargetLaw;

  ClusteringKernel(Proposal proposal, Rule rule, double share, SplitMerge split_merge = SplitMerge())
      : proposal_(std::move(proposal)),
        rule_(std::move(rule)),
        split_merge_share_(share),
        split_merge_(std::move(split_merge)) {}

  template <class Clustering, class Random>
  mcmc::Decision step(Clustering& clustering, Random& random, double temperature = 1) {
    if (random.bernoulli(split_merge_share_)) return split_merge_.step(clustering, random, temperature);
    return move_record(clustering, proposal_, rule_, random, temperature);
  }

 protected:
  Proposal proposal_;
  Rule rule_;
  double split_merge_share_;
  SplitMerge split_merge_;
};

/// The same kernel with records chosen by a RecordSchedule. The schedule looks at the state, so this kernel is for
/// finding good clusterings, not for samples. Splits and merges stay random.
template <class Proposal, class Rule>
class ScheduledClusteringKernel : private ClusteringKernel<Proposal, Rule> {
  using Kernel = ClusteringKernel<Proposal, Rule>;

 public:
  using TargetLaw = typename mcmc::LawOf<Kernel, RecordSchedule>::type;

  ScheduledClusteringKernel(Kernel kernel, RecordSchedule schedule)
      : Kernel(std::move(kernel)), schedule_(std::move(schedule)) {}

  template <class Clustering, class Random>
  mcmc::Decision step(Clustering& clustering, Random& random, double temperature = 1) {
    const auto tell = [&](RecordId m, ClusterId from, ClusterId to) {
      schedule_.moved(m, from, to, clustering.partition());
    };
    ObservedClustering observed(clustering, tell);
    if (random.bernoulli(this->split_merge_share_)) return this->split_merge_.step(observed, random, temperature);
    const RecordId m = schedule_.next();
    const mcmc::Decision decision = move_record(observed, m, this->proposal_, this->rule_, random, temperature);
    schedule_.visited(m, decision.accepted, clustering.partition());
    return decision;
  }

  const RecordSchedule& schedule() const { return schedule_; }

 private:
  RecordSchedule schedule_;
};

}  // namespace fovea::linkage
