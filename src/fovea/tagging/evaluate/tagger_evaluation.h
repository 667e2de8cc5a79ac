// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include "fovea/gp/structured_gp.h"
#include "fovea/sequence/learn/crf_weights.h"
#include "fovea/tagging/metrics/tagging_metrics.h"
#include "fovea/tagging/model/tagging_data.h"

namespace fovea::tagging {

/// Decodes the data and compares with its labels: exactly, or by a beam where that is too dear; by the chain with
/// restarts where its rate is given.
TaggingMetrics evaluate_tagger(const sequence::CrfWeights& weights, const TaggingData& data, double restart_rate = 0);

/// How good marginals of the data's items are. Labels that the model does not have are wrong, and count for no density;
/// labels that are not known count for nothing.
gp::MarginalScore score_gp_marginals(const gp::Prediction& prediction, const TaggingData& data);
/// The likeliest label of each item by itself under a Gaussian process, compared with the data's labels.
TaggingMetrics evaluate_gp_tagger(const gp::StructuredGp& process, const TaggingData& data);

/// The figure to compare taggers by: F1 of entities where labels mark them, else accuracy.
double tagging_score(const TaggingMetrics& metrics);

/// The sequences whose number modulo `folds` is `fold` (held_out), or all others. Attributes and labels keep their
/// numbers; the attributes' names are left out.
TaggingData fold_of(const TaggingData& data, std::size_t folds, std::size_t fold, bool held_out);

}  // namespace fovea::tagging
