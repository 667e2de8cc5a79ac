// SPDX-License-Identifier: Apache-2.0
#include "fovea/mcmc/pareto_smoothing.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <vector>

#include "fovea/base/log_math.h"

namespace fovea::mcmc {
namespace {

struct GeneralisedPareto {
  double shape = 0, scale = 1;

  /// The quantile of a probability.
  double quantile(double p) const {
    if (std::abs(shape) < 1e-12) return -scale * std::log1p(-p);
    return scale * std::expm1(-shape * std::log1p(-p)) / shape;
  }
};

/// Fits to numbers above 0, in rising order. The shape is drawn a little towards .5, by ten numbers.
GeneralisedPareto fit_pareto(std::span<const double> x) {
  const auto n = static_cast<double>(x.size());
  const int grid = 30 + static_cast<int>(std::sqrt(n));
  const double quartile = x[static_cast<std::size_t>(n / 4 + .5) - 1];
  const auto shape_of = [&](double theta) {
    double sum = 0;
    for (const double value : x) sum += std::log1p(-theta * value);
    return sum / n;
  };
  std::vector<double> thetas, scores;
  for (int j = 1; j <= grid; ++j) {
    const double theta = 1 / x.back() + (1 - std::sqrt(grid / (j - .5))) / (3 * quartile);
    const double shape = shape_of(theta);
    thetas.push_back(theta);
    scores.push_back(n * (std::log(-theta / shape) - shape - 1));
  }
  const double total = log_sum(scores);
  double theta = 0;
  for (std::size_t j = 0; j < thetas.size(); ++j) theta += thetas[j] * std::exp(scores[j] - total);
  constexpr double kPriorShape = .5, kPriorCount = 10;
  const double shape = shape_of(theta);
  return {.shape = (n * shape + kPriorCount * kPriorShape) / (n + kPriorCount), .scale = -shape / theta};
}

}  // namespace

double smooth_tail(std::span<double> log_weights) {
  const auto count = static_cast<double>(log_weights.size());
  const auto tail = static_cast<std::size_t>(std::ceil(std::min(count / 5, 3 * std::sqrt(count))));
  std::vector<std::size_t> order(log_weights.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::sort(order, {}, [&](std::size_t i) { return log_weights[i]; });
  const double highest = log_weights[order.back()], cutoff = log_weights[order[order.size() - tail - 1]];
  constexpr std::size_t kFewest = 5;
  if (tail < kFewest || !(highest > cutoff) || cutoff == -kInfinity) return kInfinity;
  std::vector<double> excesses;
  for (std::size_t i = order.size() - tail; i < order.size(); ++i)
    excesses.push_back(std::exp(log_weights[order[i]] - highest) - std::exp(cutoff - highest));
  if (!(excesses.front() > 0)) return kInfinity;
  const GeneralisedPareto fitted = fit_pareto(excesses);
  if (!std::isfinite(fitted.shape) || !std::isfinite(fitted.scale)) return kInfinity;
  for (std::size_t i = 0; i < tail; ++i) {
    const double p = (static_cast<double>(i) + .5) / static_cast<double>(tail);
    const double smoothed = std::log(fitted.quantile(p) + std::exp(cutoff - highest)) + highest;
    log_weights[order[order.size() - tail + i]] = std::min(smoothed, highest);
  }
  return fitted.shape;
}

}  // namespace fovea::mcmc
