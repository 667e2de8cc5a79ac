// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "fovea/base/random.h"
#include "fovea/linkage/weights/agreement_patterns.h"
#include "fovea/linkage/weights/match_weights.h"

namespace fovea::linkage {

/// A pair of records with a label, and its score by a model that was learned without labels.
struct LabelledExample {
  std::vector<Level> levels = {};  ///< [comparison]
  double score = 0;                ///< log odds of a match without labels
  bool is_match = false;
  double weight = 1;  ///< number of pairs for which it stands
  /// Entities of the two records, or any other numbers that pairs share which are not independent of each other.
  std::uint32_t first_group = 0, second_group = 0;
};

/// A pair of records without a label, drawn from those that a model is for.
struct UnlabelledExample {
  std::vector<Level> levels = {};  ///< [comparison]
  double score = 0;                ///< log odds of a match without labels
  double weight = 1;
};

/// The part that labels add to a model that was learned without them. Starts as "no help".
struct LabelCorrection {
  MatchWeights weights = {};  ///< to be added to the model's score: 0 unless labels help
  std::size_t pairs = 0;      ///< labelled ones
  std::size_t matches = 0;    ///< of these
  double l2 = 0;              ///< chosen strength of the penalty; 0 if labels do not help
  double loss_without = 0;    ///< log loss of pairs that were held out, in nats, without labels ...
  double loss_with = 0;       ///< ... and with those of other pairs
  bool helps = false;

  /// One line.
  std::string brief() const;
};

/// Labels as evidence: the score without labels is where logistic regression starts, and the penalty keeps weights near
/// it,
///
///   f(d) = sum_i weight_i log(1 + exp(-y_i (score_i + d_0 + sum_c d_c[level of c]))) + l2 |d|^2,   y_i = +1 or -1
///
/// Labels that were picked, such as those of doubtful pairs, say little about other pairs, whose probabilities p_j
/// should not move much: to f(d) is added sum_j weight_j KL(p_j(0) | p_j(d)) over unlabelled pairs j.
///
/// l2 is chosen by cross-validation: groups are dealt to five folds, and each fold's pairs are held out in turn, along
/// with all pairs that share a group with them. Unless the log loss of held-out pairs falls by more than the standard
/// error of its fall over the folds, the correction is 0: whoever labels should never make a model worse. Calls look()
/// before each fit, which may throw. Deterministic given `random`.
LabelCorrection correct_by_labels(const std::vector<std::size_t>& level_counts,
                                  const std::vector<LabelledExample>& examples,
                                  const std::vector<UnlabelledExample>& unlabelled, Random random,
                                  const std::function<void()>& look);

}  // namespace fovea::linkage
