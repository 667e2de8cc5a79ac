// SPDX-License-Identifier: Apache-2.0
#include "fovea/ep/fit/evidence.h"

#include <cmath>
#include <numbers>
#include <vector>

#include "fovea/base/log_math.h"
#include "fovea/mcmc/pareto_smoothing.h"

namespace fovea::ep {

std::optional<LogEvidence> estimate_evidence(const mcmc::LogDensity& density,
                                             const GaussianApproximation& approximation, Random random,
                                             const Stop& stop) {
  constexpr std::size_t kDraws = 4000;
  constexpr int kFreedom = 5;
  const std::size_t size = approximation.size();
  const auto dimension = static_cast<double>(size);
  double log_determinant = 0;
  for (std::size_t i = 0; i < size; ++i) log_determinant += std::log(approximation.factor[i * size + i]);
  const double constant = std::lgamma(.5 * (kFreedom + dimension)) - std::lgamma(.5 * kFreedom) -
                          .5 * dimension * std::log(kFreedom * std::numbers::pi) - log_determinant;
  std::vector<double> z(size), x(size), gradient(size), weights;
  for (std::size_t draw = 0; draw < kDraws; ++draw) {
    if (stop.requested()) return std::nullopt;
    double spread = 0, length = 0;
    for (int i = 0; i < kFreedom; ++i) {
      const double normal = random.normal();
      spread += normal * normal / kFreedom;
    }
    for (double& one : z) {
      one = random.normal() / std::sqrt(spread);
      length += one * one;
    }
    approximation.place(z, x);
    const double proposed = constant - .5 * (kFreedom + dimension) * std::log1p(length / kFreedom);
    const double value = density(x, gradient);
    weights.push_back(std::isnan(value) ? -kInfinity : value - proposed);
  }
  LogEvidence evidence;
  evidence.shape = mcmc::smooth_tail(weights);
  evidence.value = log_sum(weights) - std::log(static_cast<double>(kDraws));
  double squares = 0;
  for (const double weight : weights) squares += std::pow(std::exp(weight - evidence.value) - 1, 2);
  evidence.standard_error = std::sqrt(squares) / static_cast<double>(kDraws);
  return evidence;
}

}  // namespace fovea::ep
