// SPDX-License-Identifier: Apache-2.0
#include "fovea/gp/posterior/temperature.h"

#include <algorithm>
#include <cmath>

namespace fovea::gp {
namespace {

constexpr double kLeastProbability = 1e-12;
constexpr double kMostSharpness = 10;  // 1 / temperature
constexpr double kPrecision = 1e-6;    // relative

/// log p, never below log kLeastProbability.
double log_of(double p) { return std::log(std::max(p, kLeastProbability)); }

double highest_of(std::span<const double> p) { return *std::max_element(p.begin(), p.end()); }

/// Mean of the highest probabilities, with each row raised to the power `sharpness` and scaled to sum 1.
double mean_confidence(double sharpness, Matrix<const double> marginals) {
  double sum = 0;
  for (std::size_t t = 0; t < marginals.rows(); ++t) {
    const double highest = log_of(highest_of(marginals.row(t)));
    double powers = 0;
    for (const double x : marginals.row(t)) powers += std::exp(sharpness * (log_of(x) - highest));
    sum += 1 / powers;
  }
  return sum / static_cast<double>(marginals.rows());
}

}  // namespace

void apply_temperature(double temperature, Matrix<double> marginals) {
  for (std::size_t t = 0; t < marginals.rows(); ++t) {
    const auto p = marginals.row(t);
    const double highest = log_of(highest_of(p));
    double sum = 0;
    for (double& x : p) sum += x = x > 0 ? std::exp((log_of(x) - highest) / temperature) : 0;
    for (double& x : p) x /= sum;
  }
}

/// By bisection, since confidence rises with sharpness.
double calibrating_temperature(Matrix<const double> marginals, Labels labels) {
  const double count = static_cast<double>(labels.size()),
               right = count * (1 - score_marginals(marginals, labels).error), accuracy = (right + .5) / (count + 1);
  double low = 1 / kMostSharpness, high = kMostSharpness;
  while (high > (1 + kPrecision) * low) {
    const double middle = std::sqrt(low * high);
    (mean_confidence(middle, marginals) < accuracy ? low : high) = middle;
  }
  return 1 / std::sqrt(low * high);
}

MarginalScore score_marginals(Matrix<const double> marginals, Labels labels) {
  MarginalScore score;
  const double weight = 1 / static_cast<double>(labels.size());
  for (std::size_t t = 0; t < labels.size(); ++t) {
    const auto p = marginals.row(t);
    score.log_density += weight * log_of(p[labels[t]]);
    score.error += p[labels[t]] < highest_of(p) ? weight : 0;
  }
  return score;
}

}  // namespace fovea::gp
