// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <utility>

#include "fovea/sample/clustering/mention_move.h"
#include "fovea/sample/clustering/split_merge.h"

namespace fovea {

/// A mixture of moves: with probability `split_merge` a SplitMerge, which looks at all pair scores it needs, otherwise
/// a move of one mention, for which `rule` decides how much to look at. Has the rule's TargetLaw.
template <class Proposal, class Rule>
class ClusteringKernel {
 public:
  using TargetLaw = typename Rule::TargetLaw;

  ClusteringKernel(Proposal proposal, Rule rule, double split_merge)
      : proposal_(std::move(proposal)), rule_(std::move(rule)), split_merge_share_(split_merge) {}

  template <class Clustering, class Random>
  Decision step(Clustering& clustering, Random& random, double temperature = 1) {
    if (random.bernoulli(split_merge_share_)) return split_merge_.step(clustering, random, temperature);
    return move_mention(clustering, proposal_, rule_, random, temperature);
  }

 private:
  Proposal proposal_;
  Rule rule_;
  double split_merge_share_;
  SplitMerge split_merge_;
};

}  // namespace fovea
