// SPDX-License-Identifier: Apache-2.0
// Section 4.1 of Singh, Wick and McCallum (2012): one entity's type, decided by 100 factors. Prints one JSON line for
// each way to estimate their sum: the error of the marginal by the number of factors examined, over 100 models.
#include <algorithm>
#include <cmath>
#include <iostream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "fovea/base/log_math.h"
#include "fovea/base/random.h"
#include "fovea/mcmc/subsample/factor_estimates.h"

namespace fovea::bench {
namespace {

constexpr int kModels = 100, kFactors = 100;
constexpr std::uint64_t kMaxExamined = 1'000'000;

/// f_j(true) - f_j(false) of each factor, f_j(true) ~ N(.5, 1), f_j(false) ~ N(-.5, 1).
class Entity {
 public:
  explicit Entity(Random random) : differences_(kFactors) {
    for (double& difference : differences_) difference = random.normal() - random.normal() + 1;
  }
  std::size_t size() const { return differences_.size(); }
  double difference(std::size_t j) const { return differences_[j]; }

 private:
  std::vector<double> differences_;
};

/// Where errors are read off: 10, 18, 32, 56, 100, ... factors.
std::vector<double> grid() {
  std::vector<double> counts;
  for (double count = 10; count <= static_cast<double>(kMaxExamined) * 1.001; count *= std::pow(10, 0.25))
    counts.push_back(count);
  return counts;
}

/// |marginal so far - true marginal| at each count of grid(): before the first sample the marginal is 1/2.
template <class Estimator>
std::vector<double> errors(const Entity& entity, Estimator estimator, double scale, Random random) {
  const double truth = sigmoid(scale * mcmc::total_difference(entity));
  std::vector<double> errors;
  double examined = 0, samples = 0, positive = 0;
  for (const double count : grid()) {
    while (true) {
      const mcmc::SumEstimate estimate = estimator.estimate(entity, random);
      if (examined + static_cast<double>(estimate.factors) > count) break;
      examined += static_cast<double>(estimate.factors);
      positive += random.bernoulli(sigmoid(scale * estimate.sum));
      ++samples;
    }
    errors.push_back(std::abs((samples > 0 ? positive / samples : 0.5) - truth));
  }
  return errors;
}

template <class Estimator>
void study(const std::string& name, const std::string& scoring, const Estimator& estimator) {
  const double scale = scoring == "mean" ? 1.0 / kFactors : 1;
  const std::vector<double> counts = grid();
  std::vector<double> sums(counts.size(), 0), squares(counts.size(), 0);
  for (int model = 0; model < kModels; ++model) {
    const Random random = Random(1).child("entity", static_cast<std::uint64_t>(model));
    const std::vector<double> error = errors(Entity(random.child("factors")), estimator, scale, random.child(name));
    for (std::size_t i = 0; i < counts.size(); ++i) {
      sums[i] += error[i] / kModels;
      squares[i] += error[i] * error[i] / kModels;
    }
  }
  std::vector<double> standard_errors;
  for (std::size_t i = 0; i < counts.size(); ++i)
    standard_errors.push_back(std::sqrt(std::max(0.0, squares[i] - sums[i] * sums[i]) / (kModels - 1)));
  std::cout << nlohmann::json{{"estimator", name},
                              {"scoring", scoring},
                              {"factors", counts},
                              {"error", sums},
                              {"standard_error", standard_errors}}
            << std::endl;
}

void study_all(const std::string& scoring) {
  for (const double p : {1.0, 0.75, 0.5, 0.2, 0.1})
    study("p = " + nlohmann::json(p).dump(), scoring, mcmc::UniformFraction(p));
  // The paper's s^2 is that of one label's factors, 1; that of the differences is twice as large.
  for (const double i : {0.1, 0.05, 0.01, 0.005, 0.001}) {
    const std::string threshold = nlohmann::json(i).dump();
    study("variance < " + threshold, scoring, mcmc::ConfidenceInterval({.threshold = 2 * i, .minimum = 5}));
    study("width < " + threshold, scoring,
          mcmc::ConfidenceInterval(
              {.measure = mcmc::ConfidenceMeasure::kWidth, .threshold = std::sqrt(2) * i, .minimum = 5}));
  }
}

}  // namespace
}  // namespace fovea::bench

int main() {
  fovea::bench::study_all("mean");
  fovea::bench::study_all("sum");
}
