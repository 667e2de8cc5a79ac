// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "fovea/sequence/model/label_ngrams.h"

namespace fovea::sequence {

/// Exact, independent draws from a chain of label pairs,
///
///   p(y) ~ exp(sum_t unary_t(y_t) + sum_t pair(y_{t-1}, y_t)),
///
/// by forward sums and backward draws: label_count()^2 multiplications per token for the sums, then label_count() per
/// token for each draw. Double precision, in the linear domain where its range suffices, else in the log domain, which
/// is slower; -inf is legal. A reusable workspace: one per thread.
class PairChainDraws {
 public:
  /// `pairs`: factor size at most 2.
  explicit PairChainDraws(const LabelNgrams& pairs) { rebind(pairs); }

  /// Adopts new scores for the same number of labels.
  void rebind(const LabelNgrams& pairs);

  /// Sums over a sequence, to prepare draws. unary: [token][stride of the pairs], read until the next call. Returns log
  /// Z; -inf if no labeling is possible and nothing can be drawn.
  double sum(const float* unary, std::size_t length);

  /// Draws labels[0 .. length).
  template <class Random>
  void draw(Value* labels, Random& random) {
    for (std::size_t t = length_; t-- > 0;) {
      weigh(t, t + 1 < length_ ? labels + t + 1 : nullptr);
      labels[t] = static_cast<Value>(random.categorical(std::span<const double>(weights_)));
    }
  }

  /// log p(y) of labels[0 .. length).
  double log_probability(const Value* labels) const;

 private:
  bool sum_linear();
  double sum_in_logs();
  /// weights_[k] ~ p(y_t = k | y_{t+1}); no next label at the end.
  void weigh(std::size_t t, const Value* next);

  std::size_t label_count_ = 0, stride_ = 0, length_ = 0;
  const float* unary_ = nullptr;
  std::vector<float> pairs_;          // [label][next label] scores
  std::vector<double> pair_weights_;  // [next label][label] exp(score - largest)
  double largest_pair_ = 0;
  std::vector<double> sums_;  // [token][label], linear and rescaled, or logs
  std::vector<double> weights_;
  bool in_logs_ = false;
  double log_sum_ = 0;
};

}  // namespace fovea::sequence
