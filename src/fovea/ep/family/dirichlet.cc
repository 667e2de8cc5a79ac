// SPDX-License-Identifier: Apache-2.0
#include "fovea/ep/family/dirichlet.h"

#include <algorithm>

#include "fovea/ep/family/gamma.h"

namespace fovea::ep {
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
  constexpr int kMostSteps = 100;
  constexpr double kLongestStep = 2;  // in the logs of counts
  const std::size_t size = statistics.size();
  // The start is right for small counts, and close for large ones: E[log x] is about log mean - 1 / (2 count).
  double excess = 1;
  for (const double statistic : statistics) excess -= std::exp(statistic);
  std::vector<double> counts;
  for (const double statistic : statistics)
    counts.push_back(.5 + .5 * static_cast<double>(size - 1) * std::exp(statistic) / std::max(1e-12, excess));
  std::vector<double> gradient(size), curvature(size);
  for (int step = 0; step < kMostSteps; ++step) {
    double total = 0;
    for (const double count : counts) total += count;
    // The Jacobian is diag(curvature) - slope 1 counts^T.
    const double both = digamma(total), slope = trigamma(total);
    double numerator = 0, denominator = 1, largest = 0;
    for (std::size_t i = 0; i < size; ++i) {
      gradient[i] = digamma(counts[i]) - both - statistics[i];
      curvature[i] = counts[i] * trigamma(counts[i]);
      numerator += counts[i] * gradient[i] / curvature[i];
      denominator -= slope * counts[i] / curvature[i];
    }
    for (std::size_t i = 0; i < size; ++i) {
      const double change = (gradient[i] + slope * numerator / denominator) / curvature[i];
      largest = std::max(largest, std::abs(change));
      counts[i] *= std::exp(std::clamp(-change, -kLongestStep, kLongestStep));
    }
    if (largest < 1e-13) break;
  }
  return from_counts(std::move(counts));
}

}  // namespace fovea::ep
