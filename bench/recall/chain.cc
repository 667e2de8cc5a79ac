// SPDX-License-Identifier: Apache-2.0
// A large logistic regression by expectation propagation against a long Hamiltonian Monte Carlo run.
//   recall_chain ROWS DRAWS SEED
// Prints one JSON line.
#include <cmath>
#include <iostream>
#include <nlohmann/json.hpp>
#include <numeric>

#include "bench/recall/logistic_problem.h"
#include "bench/support/measure.h"
#include "fovea/base/run_control.h"

namespace fovea::bench {
namespace {

using Vector = std::vector<double>;

constexpr std::size_t kColumns = 20;

double squared_norm(const Vector& x) { return std::inner_product(x.begin(), x.end(), x.begin(), 0.); }

/// The posterior in coordinates u where the Gaussian that was fitted is standard normal: w = mean + L u.
class WhitenedPosterior {
 public:
  WhitenedPosterior(const ep::LogisticData& data, const ep::LogisticRegressionFit& fit, double prior_variance)
      : data_(data), mean_(fit.posterior.mean()), lower_(kColumns * kColumns), prior_variance_(prior_variance) {
    const Vector covariance = fit.posterior.covariance();
    for (std::size_t i = 0; i < kColumns; ++i)
      for (std::size_t j = 0; j <= i; ++j) {
        double sum = covariance[i * kColumns + j];
        for (std::size_t k = 0; k < j; ++k) sum -= lower(i, k) * lower(j, k);
        lower_[i * kColumns + j] = i == j ? std::sqrt(sum) : sum / lower(j, j);
      }
  }

  Vector weights(const Vector& u) const {
    Vector w = mean_;
    for (std::size_t i = 0; i < kColumns; ++i)
      for (std::size_t k = 0; k <= i; ++k) w[i] += lower(i, k) * u[k];
    return w;
  }

  /// log p(labels, w) and its gradient by u.
  double log_joint(const Vector& u, Vector& gradient) const {
    const Vector w = weights(u);
    Vector by_weights(kColumns);
    double sum = -squared_norm(w) / (2 * prior_variance_);
    for (std::size_t j = 0; j < kColumns; ++j) by_weights[j] = -w[j] / prior_variance_;
    for (std::size_t i = 0; i < data_.rows(); ++i) {
      const std::span<const double> row = data_.row(i);
      const double z = std::inner_product(row.begin(), row.end(), w.begin(), 0.);
      const double against = data_.labels[i] ? -z : z, e = std::exp(-std::abs(against));
      sum -= std::max(against, 0.) + std::log1p(e);
      const double slope = (data_.labels[i] ? 1 : -1) * (against > 0 ? 1 / (1 + e) : e / (1 + e));
      for (std::size_t j = 0; j < kColumns; ++j) by_weights[j] += slope * row[j];
    }
    gradient.assign(kColumns, 0);
    for (std::size_t i = 0; i < kColumns; ++i)
      for (std::size_t k = 0; k <= i; ++k) gradient[k] += lower(i, k) * by_weights[i];
    return sum;
  }

 private:
  double lower(std::size_t i, std::size_t j) const { return lower_[i * kColumns + j]; }

  const ep::LogisticData& data_;
  Vector mean_, lower_;
  double prior_variance_;
};

class HamiltonianChain {
 public:
  HamiltonianChain(const WhitenedPosterior& posterior, const Random& random)
      : posterior_(posterior), random_(random), u_(kColumns), score_(posterior.log_joint(u_, gradient_)) {}

  /// True if it moved.
  bool step() {
    constexpr int kLeaps = 8;
    constexpr double kStep = .2;
    Vector there = u_, momentum(kColumns), slope = gradient_;
    for (double& p : momentum) p = random_.normal();
    const double before = score_ - squared_norm(momentum) / 2;
    double score = score_;
    const auto kick = [&] {
      for (std::size_t j = 0; j < kColumns; ++j) momentum[j] += kStep / 2 * slope[j];
    };
    for (int leap = 0; leap < kLeaps; ++leap) {
      kick();
      for (std::size_t j = 0; j < kColumns; ++j) there[j] += kStep * momentum[j];
      score = posterior_.log_joint(there, slope);
      kick();
    }
    if (!random_.bernoulli_log(std::min(0., score - squared_norm(momentum) / 2 - before))) return false;
    u_ = there;
    gradient_ = slope;
    score_ = score;
    return true;
  }

  Vector weights() const { return posterior_.weights(u_); }

 private:
  const WhitenedPosterior& posterior_;
  Random random_;
  Vector u_, gradient_;
  double score_;
};

/// Means of batches of draws, one number a column: their mean and its standard error.
struct BatchMeans {
  std::vector<Vector> batches;

  double mean(std::size_t column) const {
    double sum = 0;
    for (const Vector& batch : batches) sum += batch[column];
    return sum / static_cast<double>(batches.size());
  }
  double error(std::size_t column) const {
    const double centre = mean(column), n = static_cast<double>(batches.size());
    double squares = 0;
    for (const Vector& batch : batches) squares += (batch[column] - centre) * (batch[column] - centre);
    return std::sqrt(squares / (n - 1) / n);
  }
};

void run(std::size_t rows, int draws, std::uint64_t seed) {
  constexpr int kBatches = 50;
  Random random(seed);
  const Vector w = logistic_weights(kColumns, random);
  const ep::LogisticData data = logistic_problem(w, rows, random.child("problem"));
  const ep::LogisticRegressionOptions options = {.prior_variance = 1};
  const auto start = std::chrono::steady_clock::now();
  const ep::LogisticRegressionFit fit = ep::fit_logistic(data, options);
  const double fit_seconds = seconds_since(start);

  const WhitenedPosterior posterior(data, fit, options.prior_variance);
  HamiltonianChain chain(posterior, random.child("chain"));
  const Vector mean = fit.posterior.mean(), covariance = fit.posterior.covariance();
  BatchMeans distances = {.batches = std::vector<Vector>(kBatches, Vector(kColumns))};
  const int batch_size = draws / kBatches;
  int accepted = 0;
  for (Vector& batch : distances.batches)
    for (int draw = 0; draw < batch_size; ++draw) {
      accepted += chain.step();
      const Vector drawn = chain.weights();
      for (std::size_t j = 0; j < kColumns; ++j)
        batch[j] += (drawn[j] - mean[j]) / std::sqrt(covariance[j * (kColumns + 1)]) / batch_size;
    }
  double largest = 0, error = 0;
  for (std::size_t j = 0; j < kColumns; ++j) {
    largest = std::max(largest, std::abs(distances.mean(j)));
    error = std::max(error, distances.error(j));
  }
  std::cout << nlohmann::ordered_json{{"rows", rows},
                                      {"columns", kColumns},
                                      {"fit_seconds", fit_seconds},
                                      {"draws", batch_size * kBatches},
                                      {"accepted", static_cast<double>(accepted) / (batch_size * kBatches)},
                                      {"largest_distance", largest},
                                      {"largest_chain_error", error}}
            << std::endl;
}

}  // namespace
}  // namespace fovea::bench

int main(int count, char** words) {
  if (!fovea::bench::has_arguments(count, 3, "recall_chain ROWS DRAWS SEED")) return 2;
  fovea::bench::run(std::stoul(words[1]), std::stoi(words[2]), std::stoul(words[3]));
  return 0;
}
