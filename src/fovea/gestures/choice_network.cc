// SPDX-License-Identifier: Apache-2.0
#include "fovea/gestures/choice_network.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <vector>

#include "fovea/base/parallel.h"
#include "fovea/base/run.h"

namespace fovea::gestures {
namespace {

/// Collects the numbers of a view, in order.
class WordViewer {
 public:
  WordViewer(const PathLattice& lattice, const PathWeights& weights, std::span<const Key> letters, float log_frequency)
      : path_(lattice.path()), weights_(weights), letters_(letters), at_(lattice.align(letters)) {
    features_ = lattice.features(letters, at_, log_frequency);
    for (const Key letter : letters) corners_.push_back(key_centre(letter));
  }

  WordView view(float log_frequency, float score, float best_score) {
    const auto count = static_cast<float>(letters_.size());
    const float straight = features_[PathFeature::kStraightLength];
    add(score - best_score);
    add(log_frequency);
    add(count);
    add(std::log((path_.length + .5F) / (straight + .5F)));
    add(path_.length - straight);
    add(std::log(path_.length + .3F));
    add_distances();
    add_paces();
    add_own_path();
    add(std::log((path_.events + 5) / (count + 1)));
    add(std::log(path_.events + 5));
    add_unexplained();
    add(features_[PathFeature::kHead]);
    add(features_[PathFeature::kTail]);
    add(stroke_score(PathFeature::kStrokeDistance, kDistanceKnots.size()));
    add(stroke_score(PathFeature::kStrokeDirection, kDirectionKnots.size()));
    add_turns();
    add(score / (count + 1));
    add(path_.events / (count + 1));
    add(static_cast<float>(at_.back() - at_.front()));
    FOVEA_CHECK(size_ == kWordViewSize);
    return view_;
  }

 private:
  void add(float value) { view_[size_++] = value; }
  float away(std::size_t j, std::size_t t) const { return distance(path_.points[t], corners_[j]); }

  void add_distances() {
    constexpr float kMost = 4, kFar = .7F, kVeryFar = 1.1F;
    add(std::min(kMost, away(0, 0)));
    add(std::min(kMost, away(corners_.size() - 1, SwipePath::kPoints - 1)));
    float largest = 0, sum = 0, far = 0, very_far = 0;
    for (std::size_t j = 0; j < corners_.size(); ++j) {
      const float d = away(j, at_[j]);
      largest = std::max(largest, d);
      sum += d;
      far += d > kFar ? 1 : 0;
      very_far += d > kVeryFar ? 1 : 0;
    }
    add(std::min(kMost, largest));
    add(sum / static_cast<float>(corners_.size()));
    add(far);
    add(very_far);
  }

  void add_paces() {
    float sum = 0, least = path_.pace[at_[0]];
    for (const std::size_t t : at_) {
      sum += path_.pace[t];
      least = std::min(least, path_.pace[t]);
    }
    add(sum / static_cast<float>(at_.size()));
    add(least);
  }

  /// Compares the path, point by point, with the straight lines from letter to letter.
  void add_own_path() {
    constexpr float kMostMean = 3, kMost = 4;
    const std::array<KeyboardPoint, SwipePath::kPoints> own = resample<SwipePath::kPoints>(corners_);
    float sum = 0, largest = 0, shape = 0, shift_x = 0, shift_y = 0;
    for (std::size_t t = 0; t < SwipePath::kPoints; ++t) {
      const float d = distance(path_.points[t], own[t]);
      sum += d;
      largest = std::max(largest, d);
      shift_x += (path_.points[t].x - own[t].x) / SwipePath::kPoints;
      shift_y += (path_.points[t].y - own[t].y) / SwipePath::kPoints;
    }
    for (std::size_t t = 0; t < SwipePath::kPoints; ++t)
      shape += std::hypot(path_.points[t].x - own[t].x - shift_x, path_.points[t].y - own[t].y - shift_y);
    add(std::min(kMostMean, sum / SwipePath::kPoints));
    add(std::min(kMost, largest));
    add(std::min(kMostMean, shape / SwipePath::kPoints));
  }

  void add_unexplained() {
    constexpr std::size_t kFarPoints = 4, kNearPoints = 2, kEnd = 2;
    float turns = 0, slowest = 0;
    for (std::size_t t = 0; t < SwipePath::kPoints; ++t) {
      std::size_t nearest = SwipePath::kPoints;  // points to the nearest letter
      for (const std::size_t at : at_) nearest = std::min(nearest, at > t ? at - t : t - at);
      if (t >= kEnd && t + kEnd < SwipePath::kPoints)
        turns += path_.turn[t] * static_cast<float>(std::min(nearest, kFarPoints));
      if (nearest > kNearPoints) slowest = std::max(slowest, path_.pace[t]);
    }
    add(turns);
    add(slowest);
  }

  float stroke_score(std::size_t first, std::size_t count) const {
    float score = 0;
    for (std::size_t k = first; k < first + count; ++k) score += weights_[k] * features_[k];
    return score / (path_.length + .5F);
  }

  void add_turns() {
    float doubled = 0, differ = 0;
    for (std::size_t j = 1; j < corners_.size(); ++j) {
      doubled += letters_[j] == letters_[j - 1] ? 1 : 0;
      if (j + 1 == corners_.size()) break;
      const KeyboardPoint a = corners_[j - 1], b = corners_[j], c = corners_[j + 1];
      const float lengths = distance(a, b) * distance(b, c);
      if (lengths == 0) continue;
      const float cosine = ((b.x - a.x) * (c.x - b.x) + (b.y - a.y) * (c.y - b.y)) / lengths;
      differ += std::abs(.5F * (1 - cosine) - path_.turn[at_[j]]);
    }
    add(doubled);
    add(differ);
  }

  const SwipePath& path_;
  const PathWeights& weights_;
  std::span<const Key> letters_;
  std::vector<std::size_t> at_;  // the point of each letter
  std::array<float, PathFeature::kCount> features_;
  std::vector<KeyboardPoint> corners_;
  WordView view_{};
  std::size_t size_ = 0;
};

constexpr std::size_t kDeviations = kWordViewSize, kLinear = 2 * kWordViewSize, kUnits = 3 * kWordViewSize;
constexpr float kMostDeviations = 5;                           // inputs are clamped to this
constexpr std::size_t kMostChoices = 32, kChoicesPerTask = 4;  // of a batch
constexpr float kLearningRate = .05F, kFirstSquare = .1F;

}  // namespace

WordView view_word(const PathLattice& lattice, const PathWeights& weights, std::span<const Key> letters,
                   float log_frequency, float score, float best_score) {
  return WordViewer(lattice, weights, letters, log_frequency).view(log_frequency, score, best_score);
}

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

void ChoiceNetwork::climb(std::span<const float> gradient, std::span<float> squares) {
  for (std::size_t k = kLinear; k < kCount; ++k) {
    squares[k] += gradient[k] * gradient[k];
    weights_[k] += kLearningRate * gradient[k] / std::sqrt(squares[k]);
  }
}

double ChoiceNetwork::learn(std::span<const WordChoice> choices, int passes, const Run& run) {
  Random random = run.random;
  weights_.assign(kCount, 0);
  if (choices.empty()) return 0;
  set_scales(choices);
  for (std::size_t j = 0; j < kHidden; ++j)
    for (std::size_t k = 0; k < kUnit; ++k)
      if (k != 1) weights_[kUnits + j * kUnit + k] = static_cast<float>((k == 0 ? .015 : .15) * random.normal());
  std::vector<float> squares(kCount, kFirstSquare);
  std::vector<std::vector<float>> gradients(kMostChoices, std::vector<float>(kCount));
  std::array<double, kMostChoices> log_likelihoods{};
  std::size_t done = 0;
  std::vector<std::size_t> order(choices.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  double last = 0;
  for (int pass = 0; pass < passes; ++pass) {
    shuffle(std::span(order), random);
    double sum = 0;
    // Batches grow with what has been learned, as those of the path's weights do.
    for (std::size_t first = 0, size = 0; first < order.size(); first += size) {
      size = std::min({kMostChoices, 1 + done / kMostChoices, order.size() - first});
      if (run.stop.requested()) return last;
      parallel_for(size, kChoicesPerTask, run.threads, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
          std::ranges::fill(gradients[i], 0.F);
          log_likelihoods[i] = add_gradient(choices[order[first + i]], gradients[i]);
        }
      });
      for (std::size_t i = 0; i < size; ++i) {
        sum += log_likelihoods[i];
        climb(gradients[i], squares);
      }
      done += size;
    }
    last = sum / static_cast<double>(choices.size());
  }
  return last;
}

}  // namespace fovea::gestures
