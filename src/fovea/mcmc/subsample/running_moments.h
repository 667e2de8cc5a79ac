// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <cstddef>

namespace fovea::mcmc {

/// Mean and variance of numbers that come one by one (Welford 1962): stable where sums of squares would cancel.
class RunningMoments {
 public:
  void add(double value) {
    const double before = value - mean_;
    mean_ += before / static_cast<double>(++count_);
    squares_ += before * (value - mean_);
  }

  std::size_t count() const { return count_; }
  double mean() const { return mean_; }
  /// s^2, the unbiased variance of one number; 0 for fewer than two.
  double variance() const { return count_ < 2 ? 0 : squares_ / static_cast<double>(count_ - 1); }

  /// Variance of the mean, for draws without replacement from `population` numbers: s^2/n (N - n)/(N - 1).
  double variance_of_mean(std::size_t population) const {
    if (count_ == population) return 0;
    const auto n = static_cast<double>(count_), all = static_cast<double>(population);
    return variance() / n * (all - n) / (all - 1);
  }

 private:
  std::size_t count_ = 0;
  double mean_ = 0, squares_ = 0;
};

}  // namespace fovea::mcmc
