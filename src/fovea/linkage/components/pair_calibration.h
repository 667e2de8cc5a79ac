// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>

#include "fovea/base/run.h"
#include "fovea/linkage/components/component_clustering.h"
#include "fovea/linkage/matching/learn_matching.h"
#include "fovea/linkage/weights/isotonic_regression.h"

namespace fovea::linkage {

/// How learned weights are used, as far as it matters for what their probabilities are worth.
struct CalibrationTask {
  std::span<const Comparison> comparisons;
  const Blocks& blocks;                     ///< disjoint: those of one rule
  std::span<const std::uint32_t> entities;  ///< [row], kUnlabelled where it is not known
  LearnMatchingOptions learning = {};
  ComponentClusteringOptions clustering = {};
};

/// What the share of samples in which two rows of a block are together says of whether they are of one entity. A sum
/// over all pairs of two clusters is far too sure of itself, and errors are whole clusters: shares are 0 or 1, and of
/// those of 1 not all are true.
///
/// Cross-fitting: blocks are dealt to five folds; each fold is clustered by weights learned on the other four, and
/// the share of samples is compared with the labels of random pairs (drawn as those of draw_labelled_pairs, unweighted)
/// by isotonic regression. Blocks that weights were learned on would look too good. Folds without whose blocks no
/// weights can be learned are left out; no map (identity) if that are all. Throws CancelledError.
MonotoneMap learn_pair_calibration(const CalibrationTask& task, const Run& run = {});

}  // namespace fovea::linkage
