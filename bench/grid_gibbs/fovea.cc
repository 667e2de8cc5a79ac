// SPDX-License-Identifier: Apache-2.0
// Gibbs updates a second on Potts tori by CheckerboardSampler: a 256 x 256 torus on one and two threads, and 200 x 200
// with running marginals. Before it times anything it compares the sampler with a transfer matrix. Prints one JSON line
// for each number of labels.
#include <cmath>
#include <iostream>
#include <list>
#include <nlohmann/json.hpp>

#include "bench/support/measure.h"
#include "fovea/graph/grid/checkerboard_kernel.h"

namespace fovea::bench {
namespace {

constexpr float kCoupling = 0.8f;

graph::GridModel potts_torus(std::size_t rows, std::size_t columns, std::size_t labels) {
  std::vector<float> pair(labels * labels);
  for (std::size_t k = 0; k < labels; ++k) pair[k * (labels + 1)] = kCoupling;
  return graph::GridModel({.rows = rows, .columns = columns, .is_torus = true}, labels, {}, pair, pair);
}

using Matrix = std::vector<double>;

Matrix product(const Matrix& a, const Matrix& b, std::size_t n) {
  Matrix c(n * n);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j)
      for (std::size_t k = 0; k < n; ++k) c[i * n + k] += a[i * n + j] * b[j * n + k];
  return c;
}

/// log Z of a torus of 2^doublings columns of two sites each: the trace of a power of the matrix that adds a column.
/// (Two rows of a torus touch twice.)
double log_partition(std::size_t labels, int doublings, double coupling) {
  const std::size_t n = labels * labels;
  Matrix power(n * n);
  for (std::size_t a = 0; a < n; ++a)
    for (std::size_t b = 0; b < n; ++b) {
      const int across = a / labels == a % labels ? 2 : 0;
      const int along = (a / labels == b / labels) + (a % labels == b % labels);
      power[a * n + b] = std::exp(coupling * (across + along));
    }
  double log_scale = 0;
  for (int i = 0; i < doublings; ++i) {
    const double largest = *std::max_element(power.begin(), power.end());
    for (double& x : power) x /= largest;
    log_scale = 2 * (log_scale + std::log(largest));
    power = product(power, power, n);
  }
  double trace = 0;
  for (std::size_t a = 0; a < n; ++a) trace += power[a * n + a];
  return std::log(trace) + log_scale;
}

/// How far the mean score of a torus of two rows lies from d log Z / d coupling, in standard errors.
double deviation_from_exact(std::size_t labels) {
  constexpr int kDoublings = 7;
  constexpr double kStep = 1e-4;
  const double expected =
      (log_partition(labels, kDoublings, kCoupling + kStep) - log_partition(labels, kDoublings, kCoupling - kStep)) /
      (2 * kStep) * kCoupling;
  const graph::GridModel model = potts_torus(2, 1 << kDoublings, labels);
  graph::CheckerboardSampler sampler(model, Random(1));
  sampler.sweep(1000);
  return deviation_in_standard_errors(expected, [&] {
    sampler.sweep();
    return model.log_score(sampler.labels());
  });
}

double sweep_rate(graph::CheckerboardSampler& sampler, const graph::GridModel& model, std::size_t sweeps, int threads) {
  return rate(static_cast<double>(sweeps * model.shape().cells()), [&] { sampler.sweep(sweeps, threads); });
}

double tally_rate(graph::CheckerboardSampler& sampler, const graph::GridModel& model, std::size_t sweeps) {
  graph::GridTally tally(model);
  return rate(static_cast<double>(sweeps * model.shape().cells()), [&] {
    for (std::size_t i = 0; i < sweeps; ++i) {
      sampler.sweep();
      tally.add(sampler.labeling());
    }
  });
}

/// The measurements for one number of labels.
class Torus {
 public:
  explicit Torus(std::size_t labels)
      : record_{{"labels", labels}, {"deviation", deviation_from_exact(labels)}},
        model_(potts_torus(256, 256, labels)),
        tallied_model_(potts_torus(200, 200, labels)),
        sampler_(model_, Random(2)),
        tallied_(tallied_model_, Random(3)) {
    sampler_.sweep(kSweeps);
    tallied_.sweep(kSweeps);
  }
  Torus(const Torus&) = delete;
  Torus& operator=(const Torus&) = delete;

  void measure() {
    record_["one_thread"].push_back(sweep_rate(sampler_, model_, kSweeps, 1));
    record_["two_threads"].push_back(sweep_rate(sampler_, model_, kSweeps, 2));
    record_["tallies"].push_back(tally_rate(tallied_, tallied_model_, kSweeps));
  }
  const nlohmann::ordered_json& record() const { return record_; }

 private:
  static constexpr std::size_t kSweeps = 1000;

  nlohmann::ordered_json record_;
  graph::GridModel model_, tallied_model_;
  graph::CheckerboardSampler sampler_, tallied_;
};

}  // namespace
}  // namespace fovea::bench

int main(int argc, char** argv) {
  if (!fovea::bench::has_arguments(argc, 1, "grid_gibbs_fovea ROUNDS")) return 2;
  std::list<fovea::bench::Torus> tori;  // they take turns: a slow minute of the machine falls on all
  for (const std::size_t labels : {3u, 5u, 16u}) tori.emplace_back(labels);
  for (int round = 0; round < std::stoi(argv[1]); ++round)
    for (fovea::bench::Torus& torus : tori) torus.measure();
  for (const fovea::bench::Torus& torus : tori) std::cout << torus.record().dump() << '\n';
}
