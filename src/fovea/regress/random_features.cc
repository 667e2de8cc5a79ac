// SPDX-License-Identifier: Apache-2.0
#include "fovea/regress/random_features.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

#include "fovea/base/log_math.h"

namespace fovea::regress {
namespace {

/// Inputs are scaled once kFirst examples have been seen, and again, by the examples kept, when an input varies for the
/// first time.
constexpr std::size_t kFirst = 50, kMostExamples = 2000;

}  // namespace

RandomFeatures::RandomFeatures(const RandomFeaturesOptions& options, RegressionResidual residual, const Random& random)
    : options_(options), residual_of_(std::move(residual)), random_(random) {
  validate(options);
}

void RandomFeatures::add(const RegressionExample& example) {
  if (kept_.size() < kMostExamples) kept_.push_back(example);
  if (regression_.empty() ? kept_.size() == kFirst : !scaling_.knows(example.inputs)) {
    if (kept_.size() == kMostExamples) kept_.back() = example;
    scale();
  } else if (!regression_.empty()) observe(example);
}

void RandomFeatures::predict(std::span<const double>, std::span<const double> inputs, Votes& votes) const {
  votes.clear(regression_.empty() ? 0 : regression_[0].outputs());
  if (regression_.empty()) return;
  std::vector<double> phi = features(inputs);
  regression_[0].predict(phi, votes.add());
  votes.set_doubt(scaling_.knows(inputs) ? expected_.doubt(regression_[0].leverage(phi)) : kInfinity);
}

void RandomFeatures::scale() {
  std::vector<const RegressionExample*> examples;
  for (const RegressionExample& example : kept_) examples.push_back(&example);
  scaling_ = InputScaling(examples);
  if (waves_.empty())
    for (int k = 0; k < options_.features; ++k) {
      Wave wave = {.frequencies = {}, .phase = 2 * std::numbers::pi * random_.uniform_index(1U << 30) / (1U << 30)};
      for (std::size_t i = 0; i < kept_[0].inputs.size(); ++i)
        wave.frequencies.push_back(options_.frequency * random_.normal());
      waves_.push_back(std::move(wave));
    }
  regression_.clear();
  regression_.emplace_back(1 + scaling_.size() + waves_.size(), kept_[0].target.size(), options_.ridge);
  for (const RegressionExample& example : kept_) observe(example);
}

std::vector<double> RandomFeatures::features(std::span<const double> inputs) const {
  std::vector<double> phi = {1};
  for (std::size_t k = 0; k < scaling_.size(); ++k) phi.push_back(scaling_.scaled(k, inputs));
  const double height = std::sqrt(2. / static_cast<double>(waves_.size()));
  for (const Wave& wave : waves_) {
    double angle = wave.phase;
    for (std::size_t k = 0; k < scaling_.size(); ++k) angle += wave.frequencies[scaling_.input(k)] * phi[1 + k];
    phi.push_back(height * std::cos(angle));
  }
  return phi;
}

void RandomFeatures::observe(const RegressionExample& example) {
  const std::vector<double> phi = features(example.inputs);
  std::vector<double> predicted(example.target.size());
  regression_[0].predict(phi, predicted);
  judged_ +=
      expected_.observe(residual_of_(example, predicted), example.chance, regression_[0].leverage(phi), judged_ + 1);
  regression_[0].add(phi, example.target);
}

}  // namespace fovea::regress
