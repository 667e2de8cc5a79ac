// SPDX-License-Identifier: Apache-2.0
#include "fovea/regress/random_features.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

#include "fovea/base/infinity.h"

namespace fovea {
namespace {

/// Inputs are scaled by the first so many examples, and anew from those that are kept where one varies that never did.
constexpr std::size_t kFirst = 50, kMostExamples = 2000;
constexpr double kMemory = 100;  // of the mean residual, in examples

}  // namespace

RandomFeatures::RandomFeatures(const RandomFeaturesOptions& options, RegressionResidual residual, const Random& random)
    : options_(options), residual_of_(std::move(residual)), random_(random) {
  validate(options);
}

void RandomFeatures::add(const RegressionExample& example) {
  if (kept_.size() < kMostExamples) kept_.push_back(example);
  if (regression_.empty() ? kept_.size() == kFirst : !knows(example.inputs)) {
    if (kept_.size() == kMostExamples) kept_.back() = example;
    scale();
  } else if (!regression_.empty()) observe(example);
}

void RandomFeatures::predict(std::span<const double>, std::span<const double> inputs, Votes& votes) const {
  votes.clear(regression_.empty() ? 0 : regression_[0].outputs());
  if (regression_.empty()) return;
  std::vector<double> phi = features(inputs);
  regression_[0].predict(phi, votes.add());
  votes.set_doubt(knows(inputs) && judged_ > 0 ? residual_ * (1 + regression_[0].leverage(phi)) : kInfinity);
}

bool RandomFeatures::knows(std::span<const double> inputs) const {
  for (std::size_t i = 0; i < inputs.size(); ++i)
    if (scalings_[i].factor == 0 && inputs[i] != scalings_[i].centre) return false;
  return true;
}

void RandomFeatures::scale() {
  const auto n = static_cast<double>(kept_.size());
  scalings_.clear();
  for (std::size_t i = 0; i < kept_[0].inputs.size(); ++i) {
    double mean = 0, squares = 0;
    for (const RegressionExample& example : kept_) mean += example.inputs[i] / n;
    bool varies = false;
    for (const RegressionExample& example : kept_) {
      squares += (example.inputs[i] - mean) * (example.inputs[i] - mean) / n;
      varies = varies || example.inputs[i] != kept_[0].inputs[i];
    }
    scalings_.push_back(varies ? Scaling{mean, 1 / std::sqrt(squares)} : Scaling{kept_[0].inputs[i], 0});
  }
  if (waves_.empty())
    for (int k = 0; k < options_.features; ++k) {
      Wave wave = {.frequencies = {}, .phase = 2 * std::numbers::pi * random_.uniform_index(1U << 30) / (1U << 30)};
      for (std::size_t i = 0; i < scalings_.size(); ++i)
        wave.frequencies.push_back(options_.frequency * random_.normal());
      waves_.push_back(std::move(wave));
    }
  regression_.clear();
  regression_.emplace_back(1 + scalings_.size() + waves_.size(), kept_[0].target.size(), options_.ridge);
  for (const RegressionExample& example : kept_) observe(example);
}

std::vector<double> RandomFeatures::features(std::span<const double> inputs) const {
  std::vector<double> phi = {1};
  for (std::size_t i = 0; i < inputs.size(); ++i)
    phi.push_back((inputs[i] - scalings_[i].centre) * scalings_[i].factor);
  const double height = std::sqrt(2. / static_cast<double>(waves_.size()));
  for (const Wave& wave : waves_) {
    double angle = wave.phase;
    for (std::size_t i = 0; i < inputs.size(); ++i) angle += wave.frequencies[i] * phi[1 + i];
    phi.push_back(height * std::cos(angle));
  }
  return phi;
}

void RandomFeatures::observe(const RegressionExample& example) {
  const std::vector<double> phi = features(example.inputs);
  std::vector<double> predicted(example.target.size()), spent = phi;
  regression_[0].predict(phi, predicted);
  const double leverage = regression_[0].leverage(spent);
  if (leverage < 1) {  // a far point says more of the waves there than of what they err by
    const double residual = residual_of_(example, predicted) / (1 + leverage);
    ++judged_;
    residual_ += (residual - residual_) / std::min(kMemory, static_cast<double>(judged_));
  }
  regression_[0].add(phi, example.target);
}

}  // namespace fovea
