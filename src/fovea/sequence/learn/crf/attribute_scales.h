// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "fovea/sequence/learn/crf/crf_trainer.h"
#include "fovea/sequence/learn/crf_weights.h"
#include "fovea/sequence/learn/training_set.h"

namespace fovea::sequence {

/// Attributes whose values are too large to be trained in single floats: next to Unix times of 1.6e9, the gradient of
/// any other attribute is lost, and no useful weight is larger than 1e-9. Such an attribute is trained on its values
/// divided by their largest, s, with s times its weight, so that scores stay the same. Its L2 penalty is that of values
/// up to 1.
class AttributeScales {
 public:
  /// Largest value that is trained unscaled.
  static constexpr float kLargestValue = 1e4f;

  explicit AttributeScales(const TrainingSet& set);

  /// The attributes that are scaled.
  const std::vector<ScaledAttribute>& scaled() const { return scaled_; }

  TrainingSet apply(const TrainingSet& set) const;
  /// Convert weights for the set itself into weights for apply(set), and back.
  CrfWeights to_scaled(const CrfWeights& weights) const;
  CrfWeights to_original(const CrfWeights& weights) const;

 private:
  std::vector<float> scale_;  // [attribute]; 1: unscaled
  std::vector<ScaledAttribute> scaled_;
};

/// Calls train(set, hooks, warm_start) with scaled attributes where there are any; the weights that come back, and
/// those that hooks.dev_score sees, are for `set` itself.
template <class Train>
CrfTrainer::Result train_scaled(const TrainingSet& set, const TrainingHooks& hooks, const CrfWeights* warm_start,
                                const Train& train) {
  const AttributeScales scales(set);
  if (scales.scaled().empty()) return train(set, hooks, warm_start);
  TrainingHooks inner = hooks;
  if (hooks.dev_score)
    inner.dev_score = [&](const CrfWeights& weights) { return hooks.dev_score(scales.to_original(weights)); };
  const CrfWeights start = warm_start ? scales.to_scaled(*warm_start) : CrfWeights();
  CrfTrainer::Result result = train(scales.apply(set), inner, warm_start ? &start : nullptr);
  result.weights = scales.to_original(result.weights);
  result.summary.scaled = scales.scaled();
  return result;
}

}  // namespace fovea::sequence
