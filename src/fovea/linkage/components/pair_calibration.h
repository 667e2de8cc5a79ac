// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>

#include "fovea/base/run.h"
#include "fovea/linkage/components/component_clustering.h"
#include "fovea/linkage/matching/learn_matching.h"
#include "fovea/linkage/weights/isotonic_regression.h"

namespace fovea::linkage {

/// Task of calibration: the data, and how weights are learned and used, as far as it affects probabilities.
struct CalibrationTask {
  std::span<const Comparison> comparisons;
  const Blocks& blocks;                     ///< disjoint blocks, those of one rule
  std::span<const std::uint32_t> entities;  ///< [row], kUnlabelled where it is not known
  LearnMatchingOptions learning = {};
  ComponentClusteringOptions clustering = {};
};

/// Learns how likely two rows of a block are of one entity, given the share of samples in which they are together. A
/// sum over all pairs of two clusters is far too confident, and errors affect whole clusters: shares are 0 or 1, and
/// not all pairs with a share of 1 match.
///
/// Cross-fitting: blocks are dealt to five folds; each fold is clustered by weights learned on the other four, and the
/// share of samples is compared with the labels of random pairs (drawn as those of draw_labelled_pairs, unweighted) by
/// isotonic regression. Blocks that weights were learned on would look too good. A fold is left out if no weights can
/// be learned without its blocks; if all folds are left out, the map is the identity. Throws CancelledError.
MonotoneMap learn_pair_calibration(const CalibrationTask& task, const Run& run = {});

}  // namespace fovea::linkage
