// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include "fovea/mcmc/gibbs.h"

namespace fovea::graph {

/// p(y)^(1/T) of another model p, up to a constant; T > 0.
template <mcmc::ConditionalModel Model>
class TemperedModel {
 public:
  /// `model` must outlive it.
  TemperedModel(const Model& model, double temperature)
      : model_(&model), coldness_(static_cast<float>(1 / temperature)) {}

  std::size_t variable_count() const { return model_->variable_count(); }
  std::size_t cardinality(VariableId v) const { return model_->cardinality(v); }
  void conditional_scores(VariableId v, const Assignment& y, std::span<float> scores) const {
    model_->conditional_scores(v, y, scores);
    for (float& score : scores) score *= coldness_;
  }
  decltype(auto) markov_blanket(VariableId v) const { return model_->markov_blanket(v); }
  double log_score(const Assignment& y) const { return coldness_ * model_->log_score(y); }

 private:
  const Model* model_;
  float coldness_;
};

/// Gibbs sampling of p(y)^(1/T), one site after the other, for schedules that anneal. Doubt and entropy are those of
/// the tempered conditional, by which sites are drawn; gains are nats of p itself, so that they can be compared across
/// temperatures.
template <mcmc::ConditionalModel Model>
class TemperedGibbs {
 public:
  using TargetLaw = mcmc::OwnStationaryLaw;

  /// `model` must outlive the kernel; temperature > 0.
  explicit TemperedGibbs(const Model& model, double temperature = 1) : model_(&model), temperature_(temperature) {}

  void set_temperature(double temperature) { temperature_ = temperature; }

  /// `sites`: room for batch.size() of them, or empty for none.
  template <class Random>
  mcmc::StepInfo step(Assignment& y, std::span<const VariableId> batch, Random& random,
                      std::span<mcmc::SiteInfo> sites) const {
    const TemperedModel tempered(*model_, temperature_);
    const mcmc::StepInfo info = mcmc::GibbsKernel(tempered).step(y, batch, random, sites);
    const auto nats = static_cast<float>(temperature_);
    for (mcmc::SiteInfo& site : sites.first(info.sites.size())) {
      site.log_gain *= nats;
      site.best_gain *= nats;
      site.mean_gain *= nats;
    }
    return info;
  }

 private:
  const Model* model_;
  double temperature_;
};

}  // namespace fovea::graph
