// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <vector>

#include "fovea/graph/conditional_model.h"
#include "fovea/sample/step_info.h"
#include "fovea/sample/target_law.h"

namespace fovea {

/// Gibbs sampling of single sites for any ConditionalModel: y_v ~ p(. | y_{-v}), in the order of the batch. The plain
/// reference; tagging uses the vectorised ChainKernel.
///
/// If every value of a site has score -inf (the rest already breaks a hard constraint), the site keeps its value.
template <ConditionalModel Model>
class GibbsKernel {
 public:
  using TargetLaw = Invariant;

  /// `model` must outlive the kernel.
  explicit GibbsKernel(const Model& model) : model_(&model) {}

  template <class Random>
  StepInfo step(Assignment& y, std::span<const VariableId> batch, Random& random) const {
    StepInfo info;
    for (const VariableId v : batch) info.changes += resample(y, v, random);
    info.work.transitions = batch.size();
    return info;
  }

 private:
  template <class Random>
  bool resample(Assignment& y, VariableId v, Random& random) const {
    std::vector<float> scores(model_->cardinality(v));
    model_->conditional_scores(v, y, scores);
    const float best = *std::max_element(scores.begin(), scores.end());
    if (best == -std::numeric_limits<float>::infinity()) return false;
    std::vector<double> weights(scores.size());
    std::transform(scores.begin(), scores.end(), weights.begin(), [&](float s) { return std::exp(double{s} - best); });
    const Value before = y[v];
    y[v] = static_cast<Value>(random.categorical(std::span<const double>(weights)));
    return y[v] != before;
  }

  const Model* model_;
};

}  // namespace fovea
