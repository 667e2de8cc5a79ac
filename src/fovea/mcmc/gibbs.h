// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <vector>

#include "fovea/mcmc/conditional_model.h"
#include "fovea/mcmc/step_info.h"
#include "fovea/mcmc/target_law.h"

namespace fovea::mcmc {

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
  StepInfo step(Assignment& y, std::span<const VariableId> batch, Random& random,
                const VisitRecord& record = {}) const {
    StepInfo info;
    for (std::size_t i = 0; i < batch.size(); ++i) {
      const SiteInfo site = resample(y, batch[i], random);
      if (record.gains) record.gains[i] = site.log_gain;
      if (record.doubt) {
        record.doubt[batch[i]] = 1 - (1 - site.doubt) * std::exp(site.log_gain - site.best_gain);
        record.changed[info.changes] = batch[i];
      }
      info.changes += site.changed();
    }
    info.work.transitions = batch.size();
    info.gains = {record.gains, record.gains ? batch.size() : 0};
    return info;
  }

  /// The same draws, recorded in `sites` as a SiteInfo each: room for batch.size() of them, or empty to record none.
  template <class Random>
  StepInfo step(Assignment& y, std::span<const VariableId> batch, Random& random, std::span<SiteInfo> sites) const {
    StepInfo info;
    for (std::size_t i = 0; i < batch.size(); ++i) {
      const SiteInfo site = resample(y, batch[i], random);
      info.changes += site.changed();
      if (!sites.empty()) sites[i] = site;
    }
    info.work.transitions = batch.size();
    info.sites = sites.first(std::min(sites.size(), batch.size()));
    return info;
  }

 private:
  template <class Random>
  SiteInfo resample(Assignment& y, VariableId v, Random& random) const {
    std::vector<float> scores(model_->cardinality(v));
    model_->conditional_scores(v, y, scores);
    SiteInfo info{.before = y[v], .after = y[v]};
    const float best = *std::max_element(scores.begin(), scores.end());
    if (best == -std::numeric_limits<float>::infinity()) return info;
    std::vector<double> weights(scores.size());
    std::transform(scores.begin(), scores.end(), weights.begin(), [&](float s) { return std::exp(double{s} - best); });
    y[v] = info.after = static_cast<Value>(random.categorical(std::span<const double>(weights)));
    describe(scores, weights, best, info);
    return info;
  }

  static void describe(std::span<const float> scores, std::span<const double> weights, float best, SiteInfo& info) {
    double total = 0, mean = 0;
    for (std::size_t k = 0; k < weights.size(); ++k) {
      total += weights[k];
      if (weights[k] > 0) mean += weights[k] * (scores[k] - best);
    }
    mean /= total;
    info.doubt = static_cast<float>(1 - 1 / total);
    info.entropy = static_cast<float>(std::log(total) - mean);
    info.log_gain = scores[info.after] - scores[info.before];
    info.best_gain = best - scores[info.before];
    info.mean_gain = static_cast<float>(mean) + info.best_gain;
  }

  const Model* model_;
};

}  // namespace fovea::mcmc
