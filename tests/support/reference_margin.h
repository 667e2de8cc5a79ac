// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <vector>

#include "tests/support/reference_crf.h"

namespace fovea::testing {

/// The objective of a structured SVM by its definition, in double and by enumerating all labelings:
/// f(x) = sum over sequences of max_y (cost * wrong labels of y + score(y)) - score(truth) + l2 |x|^2.
class ReferenceMargin {
 public:
  /// cost: the cost of a wrong label. It is 1, except for wrong variants that a check must tell from the right one.
  ReferenceMargin(const sequence::TrainingSet& set, const sequence::CrfFeatures& features, double l2, double cost = 1)
      : set_(&set), reference_(set, features, l2), l2_(l2), cost_(cost) {}

  std::vector<Value> truth(std::size_t s) const {
    const auto begin = set_->labels.begin() + set_->items.sequence_begin[s];
    return {begin, begin + static_cast<std::ptrdiff_t>(set_->sequence_length(s))};
  }

  double augmented(std::size_t s, const std::vector<Value>& labels, const std::vector<double>& x) const {
    const std::vector<Value> right = truth(s);
    double wrong = 0;
    for (std::size_t t = 0; t < labels.size(); ++t) wrong += labels[t] != right[t];
    return cost_ * wrong + reference_.score(s, labels, x);
  }

  std::vector<Value> most_violating(std::size_t s, const std::vector<double>& x) const {
    std::vector<Value> best;
    double highest = -std::numeric_limits<double>::infinity();
    reference_.for_each_labeling(s, false, [&](const std::vector<Value>& labels) {
      const double score = augmented(s, labels, x);
      if (score <= highest) return;
      highest = score;
      best = labels;
    });
    return best;
  }

  double hinge(std::size_t s, const std::vector<double>& x) const {
    return augmented(s, most_violating(s, x), x) - reference_.score(s, truth(s), x);
  }

  double evaluate(const std::vector<double>& x) const {
    double f = 0;
    for (std::size_t s = 0; s < set_->items.sequence_count(); ++s) f += hinge(s, x);
    for (const double v : x) f += l2_ * v * v;
    return f;
  }

  /// The lowest objective among the averages of subgradient steps of length 1 / (2 l2 k): slow to find, but close to
  /// the minimum.
  double minimum(std::size_t dimension, int steps) const {
    std::vector<double> x(dimension), mean(dimension);
    double lowest = evaluate(x);
    for (int k = 1; k <= steps; ++k) {
      std::vector<double> change(dimension);
      for (std::size_t s = 0; s < set_->items.sequence_count(); ++s) {
        const std::vector<double> wrong = counts(s, most_violating(s, x)), right = counts(s, truth(s));
        for (std::size_t i = 0; i < dimension; ++i) change[i] += right[i] - wrong[i];
      }
      for (std::size_t i = 0; i < dimension; ++i) {
        x[i] += (change[i] / (2 * l2_) - x[i]) / k;
        mean[i] += 2.0 / (k + 1) * (x[i] - mean[i]);
      }
      if (k % 10 == 0) lowest = std::min(lowest, evaluate(mean));
    }
    return lowest;
  }

  std::vector<double> counts(std::size_t s, const std::vector<Value>& labels) const {
    return reference_.counts(s, labels);
  }

 private:
  const sequence::TrainingSet* set_;
  ReferenceCrf reference_;
  double l2_, cost_;
};

}  // namespace fovea::testing
