// SPDX-License-Identifier: Apache-2.0
#include "fovea/linkage/matching/bounded_score.h"

#include <algorithm>
#include <cmath>
#include <functional>

namespace fovea::linkage {

BoundedScore::BoundedScore(const MatchModel& model, double floor)
    : model_(model), classes_(model.match_class_count()), levels_(model.comparisons().size()) {
  constexpr double kRounding = 1e-5;  // of single precision
  // The logarithm of a sum of exponentials is at most the largest term and the logarithm of their number.
  floor_ = floor - kRounding - std::log(static_cast<double>(classes_));
  for (std::size_t k = 0; k < classes_; ++k) start_[k] = model.prior_of_class(k);
  std::vector<ClassSums> most(levels_.size());
  std::vector<double> worth(levels_.size());  // by how much a pair that differs lowers the bound, for its cost
  for (std::size_t c = 0; c < levels_.size(); ++c) {
    const Comparison& comparison = model.comparisons()[c];
    Step step{.comparison = c, .weights = std::vector<ClassSums>(comparison.levels().size()), .most_after = {}};
    for (std::size_t k = 0; k < classes_; ++k) {
      for (std::size_t level = 0; level < step.weights.size(); ++level)
        step.weights[level][k] = model.class_weight(k, c, static_cast<Level>(level));
      most[c][k] = model.most_of(k, c);
      worth[c] += (most[c][k] - step.weights[1][k]) / comparison.kind().cost;
    }
    steps_.push_back(std::move(step));
  }
  std::ranges::stable_sort(steps_, std::greater<>(), [&](const Step& step) { return worth[step.comparison]; });
  ClassSums after{};
  for (auto step = steps_.rbegin(); step != steps_.rend(); ++step) {
    step->most_after = after;
    for (std::size_t k = 0; k < classes_; ++k) after[k] += most[step->comparison][k];
  }
}

std::optional<float> BoundedScore::score(RowPair pair) {
  ClassSums sums = start_;
  for (const Step& step : steps_) {
    const Level level = levels_[step.comparison] =
        model_.comparisons()[step.comparison].compare(pair.first, pair.second);
    const double adjustment = level + 1U == step.weights.size() ? model_.adjustment(step.comparison, pair) : 0;
    bool is_open = false;
    for (std::size_t k = 0; k < classes_; ++k) {
      sums[k] += step.weights[level][k] + adjustment;
      is_open = is_open || sums[k] + step.most_after[k] > floor_;
    }
    if (!is_open) return std::nullopt;
  }
  return static_cast<float>(model_.score(pair, levels_));
}

}  // namespace fovea::linkage
