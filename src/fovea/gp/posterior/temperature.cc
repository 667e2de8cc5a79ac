// SPDX-License-Identifier: Apache-2.0
#include "fovea/gp/posterior/temperature.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace fovea::gp {
namespace {

constexpr double kLeastProbability = 1e-12;
constexpr double kMostSharpness = 10;  // 1 / temperature

/// log p, never below log kLeastProbability.
double log_of(double p) { return std::log(std::max(p, kLeastProbability)); }

/// Of log prod_t q_t(y_t) with q_t ~ p_t^sharpness, which is concave: its derivatives by the sharpness.
struct Slopes {
  double first = 0, second = 0;
};

Slopes slopes_at(double sharpness, Matrix<const double> marginals, Labels labels) {
  Slopes slopes;
  for (std::size_t t = 0; t < labels.size(); ++t) {
    const auto p = marginals.row(t);
    const double highest = log_of(*std::max_element(p.begin(), p.end()));
    double sum = 0, mean = 0, square = 0;
    for (const double x : p) {
      const double log_p = log_of(x), weight = std::exp(sharpness * (log_p - highest));
      sum += weight;
      mean += weight * log_p;
      square += weight * log_p * log_p;
    }
    mean /= sum;
    slopes.first += log_of(p[labels[t]]) - mean;
    slopes.second -= square / sum - mean * mean;
  }
  return slopes;
}

}  // namespace

void apply_temperature(double temperature, Matrix<double> marginals) {
  for (std::size_t t = 0; t < marginals.rows(); ++t) {
    const auto p = marginals.row(t);
    const double highest = log_of(*std::max_element(p.begin(), p.end()));
    double sum = 0;
    for (double& x : p) sum += x = x > 0 ? std::exp((log_of(x) - highest) / temperature) : 0;
    for (double& x : p) x /= sum;
  }
}

/// Newton's method within an interval that shrinks.
double best_temperature(Matrix<const double> marginals, Labels labels) {
  double low = 1 / kMostSharpness, high = kMostSharpness, sharpness = 1;
  for (int i = 0; i < 60 && high - low > 1e-9; ++i) {
    const Slopes slopes = slopes_at(sharpness, marginals, labels);
    if (std::abs(slopes.first) < 1e-10 * static_cast<double>(labels.size())) break;
    (slopes.first > 0 ? low : high) = sharpness;
    const double newton = slopes.second < 0 ? sharpness - slopes.first / slopes.second : 0;
    sharpness = newton > low && newton < high ? newton : .5 * (low + high);
  }
  return 1 / sharpness;
}

MarginalScore score_marginals(Matrix<const double> marginals, Labels labels) {
  MarginalScore score;
  const double weight = 1 / static_cast<double>(labels.size());
  for (std::size_t t = 0; t < labels.size(); ++t) {
    const auto p = marginals.row(t);
    score.log_density += weight * log_of(p[labels[t]]);
    score.error += p[labels[t]] < *std::max_element(p.begin(), p.end()) ? weight : 0;
  }
  return score;
}

}  // namespace fovea::gp
