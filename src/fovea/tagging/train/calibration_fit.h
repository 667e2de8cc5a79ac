// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <vector>

#include "fovea/base/run.h"
#include "fovea/sequence/learn/crf_weights.h"
#include "fovea/tagging/model/tagging_data.h"

namespace fovea::tagging {

/// Sequences, and a tagger that was trained without them.
struct LeftOutPart {
  sequence::CrfWeights weights;
  double restart_rate = 0;  ///< of the chain by which the tagger is used; 0 without one
  TaggingData data;
};

/// Predictions of labels that were left out, at one temperature, item by item.
struct LeftOutScore {
  double temperature = 1;
  double log_loss = 0;          ///< mean of -log p(label), nats an item, at this temperature
  double log_loss_without = 0;  ///< the same at temperature 1
  std::size_t items = 0;        ///< with labels that are known to the model
};

/// The temperature T in [1/20, 20] by which all scores are divided so that the log loss of the labels left out, by the
/// marginals of each item, is least: log p(y | x) = score(y) / T - log Z(T). Labelings keep their order. Guo et al.
/// (2017), "On calibration of modern neural networks", for sequences. Golden-section search over log T, to 1 %.
/// Threads share the parts. T is 1, of no items, if the parts have none or the run is
/// stopped.
LeftOutScore fit_temperature(const std::vector<LeftOutPart>& parts, const Run& run);

}  // namespace fovea::tagging
