// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <boost/math/distributions/chi_squared.hpp>
#include <boost/math/distributions/students_t.hpp>
#include <cmath>
#include <cstdint>
#include <functional>
#include <numeric>
#include <span>
#include <string>
#include <vector>

namespace fovea::testing {

/// A right implementation fails one check with at most this probability over the choice of the check's seed. With a few
/// hundred checks in the whole project, a failure means a bug. Seeds are fixed and never searched for.
inline constexpr double kFalseFailureRate = 1e-6;

/// Pearson's X^2 exceeds this with probability `rate` under the hypothesis (asymptotically: see counts_follow).
inline double chi_square_threshold(std::size_t degrees_of_freedom, double rate) {
  const boost::math::chi_squared_distribution<double> law(static_cast<double>(degrees_of_freedom));
  return boost::math::quantile(boost::math::complement(law, rate));
}

/// Chi-square test that `counts` are draws from `probabilities` (which sum to 1). It fails if a cell expects fewer than
/// five counts, since the approximation would break and the test is badly designed, or if a cell of probability 0 has a
/// count.
inline ::testing::AssertionResult counts_follow(std::span<const std::uint64_t> counts,
                                                std::span<const double> probabilities,
                                                double rate = kFalseFailureRate) {
  if (counts.size() != probabilities.size()) return ::testing::AssertionFailure() << "sizes differ";
  const double n = static_cast<double>(std::accumulate(counts.begin(), counts.end(), std::uint64_t{0}));
  double statistic = 0;
  std::size_t cells = 0;
  std::string table;
  for (std::size_t k = 0; k < counts.size(); ++k) {
    const double expected = n * probabilities[k];
    table += fmt::format("\n  {}: {} drawn, {:.1f} expected", k, counts[k], expected);
    if (expected == 0 && counts[k] == 0) continue;
    if (expected < 5) return ::testing::AssertionFailure() << "too few expected in a cell" << table;
    statistic += (static_cast<double>(counts[k]) - expected) * (static_cast<double>(counts[k]) - expected) / expected;
    ++cells;
  }
  if (cells < 2) return ::testing::AssertionFailure() << "fewer than two possible cells" << table;
  const double threshold = chi_square_threshold(cells - 1, rate);
  if (statistic <= threshold) return ::testing::AssertionSuccess();
  return ::testing::AssertionFailure() << "X^2 = " << statistic << " > " << threshold << table;
}

/// Draws `n` times and tests the counts as counts_follow does.
template <class Draw>
::testing::AssertionResult draws_follow(std::span<const double> probabilities, std::size_t n, Draw&& draw) {
  std::vector<std::uint64_t> counts(probabilities.size());
  for (std::size_t i = 0; i < n; ++i) ++counts.at(draw());
  return counts_follow(counts, probabilities);
}

/// The Kolmogorov-Smirnov distance of n draws exceeds this with probability at most `rate`, for every n and every
/// continuous law (Dvoretzky-Kiefer-Wolfowitz inequality with Massart's constant: P(D > t) <= 2 exp(-2 n t^2)).
inline double kolmogorov_smirnov_threshold(std::size_t n, double rate) {
  return std::sqrt(std::log(2 / rate) / (2 * static_cast<double>(n)));
}

/// Kolmogorov-Smirnov test that `sample` holds independent draws from the law with distribution function `cdf`.
inline ::testing::AssertionResult sample_follows(std::vector<double> sample, const std::function<double(double)>& cdf,
                                                 double rate = kFalseFailureRate) {
  std::sort(sample.begin(), sample.end());
  const double n = static_cast<double>(sample.size());
  double distance = 0;
  for (std::size_t i = 0; i < sample.size(); ++i) {
    const double p = cdf(sample[i]);
    if (std::isnan(p)) return ::testing::AssertionFailure() << "not a number in the sample";
    distance = std::max({distance, static_cast<double>(i + 1) / n - p, p - static_cast<double>(i) / n});
  }
  const double threshold = kolmogorov_smirnov_threshold(sample.size(), rate);
  if (distance <= threshold) return ::testing::AssertionSuccess();
  return ::testing::AssertionFailure() << "distance " << distance << " > " << threshold;
}

/// The mean of a sample and its standard error.
struct SampleMean {
  explicit SampleMean(std::span<const double> sample) {
    const double n = static_cast<double>(sample.size());
    mean = std::accumulate(sample.begin(), sample.end(), 0.0) / n;
    double squares = 0;
    for (const double x : sample) squares += (x - mean) * (x - mean);
    error = std::sqrt(squares / (n - 1) / n);
  }
  double mean, error;
};

/// The number of standard errors that a mean with these degrees of freedom strays, in either direction, with
/// probability `rate`: Student's t.
inline double standard_errors(double degrees_of_freedom, double rate) {
  const boost::math::students_t_distribution<double> law(degrees_of_freedom);
  return boost::math::quantile(boost::math::complement(law, rate / 2));
}

/// Student's t test that `sample` holds independent draws from a roughly normal law with this mean. If the draws are
/// not independent, `stretch` is the factor by which their mean strays more than if they were.
inline ::testing::AssertionResult sample_has_mean(std::span<const double> sample, double expected,
                                                  double rate = kFalseFailureRate, double stretch = 1) {
  const SampleMean found(sample);
  const double threshold = standard_errors(static_cast<double>(sample.size()) - 1, rate) * stretch * found.error;
  // Written so that NaN fails.
  if (std::abs(found.mean - expected) <= threshold) return ::testing::AssertionSuccess();
  return ::testing::AssertionFailure() << "mean " << found.mean << " is further than " << threshold << " from "
                                       << expected;
}

/// The same test for the means of two samples, with the fewer degrees of freedom of the two (more would be allowed).
inline ::testing::AssertionResult samples_have_one_mean(std::span<const double> a, std::span<const double> b,
                                                        double rate = kFalseFailureRate, double stretch = 1) {
  const SampleMean of_a(a), of_b(b);
  const double threshold = standard_errors(static_cast<double>(std::min(a.size(), b.size())) - 1, rate) * stretch *
                           std::hypot(of_a.error, of_b.error);
  if (std::abs(of_a.mean - of_b.mean) <= threshold) return ::testing::AssertionSuccess();
  return ::testing::AssertionFailure() << "means " << of_a.mean << " and " << of_b.mean << " are further apart than "
                                       << threshold;
}

}  // namespace fovea::testing
