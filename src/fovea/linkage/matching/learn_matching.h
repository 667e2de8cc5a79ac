// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "fovea/base/options.h"
#include "fovea/base/random.h"
#include "fovea/linkage/blocking/blocking.h"
#include "fovea/linkage/comparison/comparison.h"
#include "fovea/linkage/evaluate/cluster_metrics.h"
#include "fovea/linkage/weights/pair_regression.h"

namespace fovea::linkage {

struct LearnMatchingOptions {
  int pairs = 400'000;
  double l2 = 1;
  int threshold_block = 2'000;

  static void describe(auto&& visit) {
    using O = LearnMatchingOptions;
    visit(&O::pairs,
          number_in(1, 1e9, "training-pairs", "Maximum number of labelled pairs that weights are learned from."));
    visit(&O::l2,
          number_from(0, "match-l2", "Weight of the penalty l2 * |w|^2, added to the sum of the pairs' log losses."));
    visit(&O::threshold_block,
          number_in(2, 20'000, "threshold-block",
                    "Labelled blocks with more rows than this take no part in choosing the threshold."));
  }
};

/// Weights that were learned, and from what.
struct LearnedMatching {
  MatchWeights weights;
  std::size_t pairs = 0;
  PairRegressionFit fit;  ///< with its own prior
  double threshold = 0;   ///< mean score above which clusters merge, under the fit; subtracted from its prior
  BCubed training;        ///< of the labelled blocks at that threshold

  /// One line.
  std::string brief() const;
};

/// Learns match weights from records with known entities, block by block: logistic regression on labelled pairs
/// (draw_labelled_pairs, fit_pair_regression), with every pair's weight scaled to a mean of 1. Then those blocks are
/// clustered by average link, and the prior is set so that the threshold with the highest B-cubed F1 becomes 0: the
/// threshold that is best for single pairs merges too little, since most pairs of one entity share nothing but the
/// name.
///
/// entities: [row], kUnlabelled where it is not known. Throws InputError unless the blocks hold two labelled rows of
/// one entity, and two of different entities. Uses up to `threads` threads (0: all cores), with the same result.
LearnedMatching learn_matching(std::span<const Comparison> comparisons, const Blocks& blocks,
                               std::span<const std::uint32_t> entities, const LearnMatchingOptions& options,
                               Random& random, int threads = 1);

}  // namespace fovea::linkage
