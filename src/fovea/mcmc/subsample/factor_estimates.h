// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <string>

#include "fovea/base/options.h"
#include "fovea/base/words.h"
#include "fovea/mcmc/subsample/factor_change.h"
#include "fovea/mcmc/subsample/running_moments.h"
#include "fovea/mcmc/subsample/without_replacement.h"

namespace fovea::mcmc {

/// The sum of a change's differences as estimated from `factors` of them.
struct SumEstimate {
  double sum = 0;
  std::size_t factors = 0;
};

/// Uses all differences: the baseline.
class ExactSum {
 public:
  template <FactorChange Change, class Random>
  SumEstimate estimate(const Change& change, Random&) {
    return {total_difference(change), change.size()};
  }
};

/// Section 3.1 of Singh, Wick and McCallum (2012), "Monte Carlo MCMC": a fraction p of the factors, drawn without
/// replacement, and N times their mean. At least one factor.
class UniformFraction {
 public:
  /// `fraction` in (0, 1].
  explicit UniformFraction(double fraction) : fraction_(fraction) {}

  template <FactorChange Change, class Random>
  SumEstimate estimate(const Change& change, Random& random) {
    const std::size_t population = change.size();
    if (population == 0) return {};
    const auto wanted = static_cast<std::size_t>(std::round(fraction_ * static_cast<double>(population)));
    const std::size_t count = std::clamp(wanted, std::size_t{1}, population);
    if (count == population) return {total_difference(change), count};
    draws_.reset(population);
    double sum = 0;
    for (std::size_t i = 0; i < count; ++i) sum += change.difference(draws_.next(random));
    return {sum * static_cast<double>(population) / static_cast<double>(count), count};
  }

 private:
  double fraction_;
  WithoutReplacement draws_;
};

/// Measure that must fall below the threshold.
enum class ConfidenceMeasure { kWidth, kVariance };
constexpr auto words_of(ConfidenceMeasure) {
  using enum ConfidenceMeasure;
  return std::array{Word{kWidth, "width"}, Word{kVariance, "variance"}};
}

/// Section 3.2 of the same paper: factors are drawn without replacement until the mean is known well enough.
///
/// With s^2 the variance of n drawn factors and N of all, the variance of the mean is v = s^2/n (N - n)/(N - 1). As
/// printed, drawing ends when the width of the mean's confidence interval, 2 z sqrt(v), falls below the threshold i;
/// the paper's figures fit v < i better. Both are here.
class ConfidenceInterval {
 public:
  struct Options {
    ConfidenceMeasure measure = ConfidenceMeasure::kVariance;
    double threshold = 1;  ///< i: drawing ends when measure < i
    double z = 1.96;       ///< of the width: 1.96 for 95 %
    int minimum = 10;      ///< minimum number of factors drawn: s^2 of a few tells little

    static void describe(auto&& visit) {
      visit(&Options::measure, option("confidence-measure",
                                      "Measure that must fall below the threshold: the width of the mean's confidence "
                                      "interval, or the mean's variance."));
      visit(&Options::threshold,
            number_from(0, "confidence-threshold", "Threshold below which the width or the variance must fall."));
      visit(&Options::z, number_from(0, "confidence-z", "Half the width, in standard deviations: 1.96 for 95 %."));
      visit(&Options::minimum, number_from(2, "confidence-minimum", "Minimum number of factors drawn."));
    }
  };

  explicit ConfidenceInterval(const Options& options)
      : options_(options), is_width_(options.measure == ConfidenceMeasure::kWidth) {}

  template <FactorChange Change, class Random>
  SumEstimate estimate(const Change& change, Random& random) {
    const std::size_t population = change.size();
    draws_.reset(population);
    RunningMoments moments;
    while (moments.count() < population && !is_known(moments, population)) {
      const double difference = change.difference(draws_.next(random));
      if (!std::isfinite(difference)) return {difference, moments.count() + 1};
      moments.add(difference);
    }
    return {moments.mean() * static_cast<double>(population), moments.count()};
  }

 private:
  bool is_known(const RunningMoments& moments, std::size_t population) const {
    if (moments.count() < static_cast<std::size_t>(options_.minimum)) return false;
    const double variance = moments.variance_of_mean(population);
    return (is_width_ ? 2 * options_.z * std::sqrt(variance) : variance) < options_.threshold;
  }

  Options options_;
  bool is_width_;
  WithoutReplacement draws_;
};

}  // namespace fovea::mcmc
