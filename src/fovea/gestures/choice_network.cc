// SPDX-License-Identifier: Apache-2.0
#include "fovea/gestures/choice_network.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "fovea/base/run.h"

namespace fovea::gestures {
namespace {

constexpr std::size_t kDeviations = kWordViewSize, kLinear = 2 * kWordViewSize, kUnits = 3 * kWordViewSize;
constexpr float kMostDeviations = 5;  // inputs are clamped to this
constexpr float kLearningRate = .05F, kFirstSquare = .1F;

}  // namespace

WordView ChoiceNetwork::standardised(const WordView& view) const {
  WordView inputs{};
  for (std::size_t k = 0; k < kWordViewSize; ++k)
    if (const float deviation = weights_[kDeviations + k]; deviation > 0)
      inputs[k] = std::clamp((view[k] - weights_[k]) / deviation, -kMostDeviations, kMostDeviations);
  return inputs;
}

float ChoiceNetwork::forward(const WordView& inputs, float score, std::span<float> hidden) const {
  for (std::size_t k = 0; k < kWordViewSize; ++k) score += weights_[kLinear + k] * inputs[k];
  for (std::size_t j = 0; j < kHidden; ++j) {
    const float* unit = &weights_[kUnits + j * kUnit];
    float sum = unit[1];
    for (std::size_t k = 0; k < kWordViewSize; ++k) sum += unit[2 + k] * inputs[k];
    hidden[j] = std::tanh(sum);
    score += unit[0] * hidden[j];
  }
  return score;
}

float ChoiceNetwork::score(const WordView& view) const {
  std::array<float, kHidden> hidden;
  return forward(standardised(view), view[0], hidden);
}

void ChoiceNetwork::set_scales(std::span<const WordChoice> choices) {
  std::array<double, kWordViewSize> sums{}, squares{};
  double count = 0;
  for (const WordChoice& choice : choices)
    for (const WordView& view : choice.views) {
      ++count;
      for (std::size_t k = 0; k < kWordViewSize; ++k) {
        sums[k] += double{view[k]};
        squares[k] += double{view[k]} * double{view[k]};
      }
    }
  for (std::size_t k = 0; k < kWordViewSize; ++k) {
    const double mean = sums[k] / count;
    weights_[k] = static_cast<float>(mean);
    weights_[kDeviations + k] = static_cast<float>(std::sqrt(std::max(0., squares[k] / count - mean * mean)) + 1e-4);
  }
}

double ChoiceNetwork::add_gradient(const WordChoice& choice, std::span<float> gradient) const {
  std::vector<WordView> inputs;
  std::vector<std::array<float, kHidden>> hidden(choice.views.size());
  std::vector<float> scores;
  for (std::size_t i = 0; i < choice.views.size(); ++i) {
    inputs.push_back(standardised(choice.views[i]));
    scores.push_back(forward(inputs[i], choice.views[i][0], hidden[i]));
  }
  const float largest = *std::max_element(scores.begin(), scores.end());
  float sum = 0;
  for (const float score : scores) sum += std::exp(score - largest);
  for (std::size_t i = 0; i < scores.size(); ++i) {
    const float residual = (i == choice.meant ? 1.F : 0.F) - std::exp(scores[i] - largest) / sum;
    if (std::abs(residual) < 1e-4F) continue;
    for (std::size_t k = 0; k < kWordViewSize; ++k) gradient[kLinear + k] += residual * inputs[i][k];
    for (std::size_t j = 0; j < kHidden; ++j) {
      const std::size_t unit = kUnits + j * kUnit;
      const float inner = residual * weights_[unit] * (1 - hidden[i][j] * hidden[i][j]);
      gradient[unit] += residual * hidden[i][j];
      gradient[unit + 1] += inner;
      for (std::size_t k = 0; k < kWordViewSize; ++k) gradient[unit + 2 + k] += inner * inputs[i][k];
    }
  }
  return double{scores[choice.meant] - largest - std::log(sum)};
}

double ChoiceNetwork::learn(std::span<const WordChoice> choices, int passes, const Run& run) {
  Random random = run.random;
  weights_.assign(kCount, 0);
  if (choices.empty()) return 0;
  set_scales(choices);
  for (std::size_t j = 0; j < kHidden; ++j)
    for (std::size_t k = 0; k < kUnit; ++k)
      if (k != 1) weights_[kUnits + j * kUnit + k] = static_cast<float>((k == 0 ? .015 : .15) * random.normal());
  std::vector<float> squares(kCount, kFirstSquare), gradient(kCount);
  std::vector<std::size_t> order(choices.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  double last = 0;
  for (int pass = 0; pass < passes; ++pass) {
    shuffle(std::span(order), random);
    double sum = 0;
    for (const std::size_t n : order) {
      if (run.stop.requested()) return last;
      std::fill(gradient.begin(), gradient.end(), 0.F);
      sum += add_gradient(choices[n], gradient);
      for (std::size_t k = kLinear; k < kCount; ++k) {
        squares[k] += gradient[k] * gradient[k];
        weights_[k] += kLearningRate * gradient[k] / std::sqrt(squares[k]);
      }
    }
    last = sum / static_cast<double>(choices.size());
  }
  return last;
}

}  // namespace fovea::gestures
