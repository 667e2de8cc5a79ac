// SPDX-License-Identifier: Apache-2.0
#include "fovea/ep/family/dirichlet.h"

#include <algorithm>

#include "fovea/ep/family/gamma.h"

namespace fovea::ep {
namespace {

/// x with digamma(x) = y (Minka 2000, appendix C).
double inverse_digamma(double y) {
  double x = y >= -2.22 ? std::exp(y) + .5 : -1 / (y - digamma(1.));
  for (int step = 0; step < 6; ++step) x -= (digamma(x) - y) / trigamma(x);
  return x;
}

}  // namespace

double Dirichlet::total_count() const {
  double total = static_cast<double>(natural.size());
  for (const double parameter : natural) total += parameter;
  return total;
}

std::vector<double> Dirichlet::mean() const {
  const double total = total_count();
  std::vector<double> mean;
  for (const double parameter : natural) mean.push_back((parameter + 1) / total);
  return mean;
}

bool Dirichlet::is_proper() const {
  return std::ranges::all_of(natural, [](double parameter) { return parameter + 1 > 0 && std::isfinite(parameter); });
}

double Dirichlet::log_normalizer() const {
  double sum = -std::lgamma(total_count());
  for (const double parameter : natural) sum += std::lgamma(parameter + 1);
  return sum;
}

Dirichlet::Parameters Dirichlet::expected_statistics() const {
  const double both = digamma(total_count());
  Parameters statistics;
  for (const double parameter : natural) statistics.push_back(digamma(parameter + 1) - both);
  return statistics;
}

Dirichlet Dirichlet::from_expected_statistics(const Parameters& statistics) {
  constexpr int kFixedPointSteps = 20, kMostSteps = 100;
  const std::size_t size = statistics.size();
  std::vector<double> counts(size, 1);
  const auto total = [&] {
    double sum = 0;
    for (const double count : counts) sum += count;
    return sum;
  };
  for (int step = 0; step < kFixedPointSteps; ++step) {  // improves from any start
    const double both = digamma(total());
    for (std::size_t i = 0; i < size; ++i) counts[i] = inverse_digamma(both + statistics[i]);
  }
  // The matrix of second derivatives is diag(curvature) + slope 1 1^T, so its inverse is known.
  std::vector<double> gradient(size), curvature(size);
  for (int step = 0; step < kMostSteps; ++step) {
    const double both = digamma(total()), slope = trigamma(total());
    double numerator = 0, denominator = 1 / slope, largest = 0;
    for (std::size_t i = 0; i < size; ++i) {
      gradient[i] = statistics[i] - digamma(counts[i]) + both;
      curvature[i] = -trigamma(counts[i]);
      numerator += gradient[i] / curvature[i];
      denominator += 1 / curvature[i];
    }
    for (std::size_t i = 0; i < size; ++i) {
      const double change = (gradient[i] - numerator / denominator) / curvature[i];
      largest = std::max(largest, std::abs(change) / counts[i]);
      counts[i] = std::max(counts[i] - change, counts[i] / 10);
    }
    if (largest < 1e-13) break;
  }
  return from_counts(std::move(counts));
}

}  // namespace fovea::ep
