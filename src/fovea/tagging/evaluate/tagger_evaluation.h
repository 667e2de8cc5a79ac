// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "fovea/gp/averaged_gps.h"
#include "fovea/sequence/learn/crf_weights.h"
#include "fovea/tagging/metrics/tagging_metrics.h"
#include "fovea/tagging/model/tagging_data.h"

namespace fovea::tagging {

/// Compares the labels that a tagger in training gives the data with the data's own. Label n-grams are decoded exactly,
/// or by a beam if that is too expensive; by the chain with restarts if its rate is given.
TaggingMetrics evaluate_tagger(const sequence::CrfWeights& weights, const TaggingData& data, double restart_rate = 0);
/// The same for Gaussian processes: the likeliest label of each item by itself.
TaggingMetrics evaluate_tagger(const gp::AveragedGps& processes, const TaggingData& data);

/// Quality of the marginals of the data's items. A label that the model does not have counts as an error, but not in
/// the density; items whose label is not known are left out.
gp::MarginalScore score_gp_marginals(const gp::Prediction& prediction, const TaggingData& data);

/// The score to compare taggers by: F1 of entities if labels mark them, otherwise accuracy.
double tagging_score(const TaggingMetrics& metrics);

/// [sequence] the fold in which it is left out: the number of its group, or its own, modulo `folds`.
std::vector<std::size_t> folds_of(const TaggingData& data, std::size_t folds);

/// The sequences of one fold (held_out), or all others. Attributes and labels keep their numbers; the attributes' names
/// are left out.
TaggingData fold_of(const TaggingData& data, std::span<const std::size_t> folds, std::size_t fold, bool held_out);

}  // namespace fovea::tagging
