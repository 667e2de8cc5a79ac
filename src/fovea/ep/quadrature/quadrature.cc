// SPDX-License-Identifier: Apache-2.0
#include "fovea/ep/quadrature/quadrature.h"

#include <Eigen/Core>
#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <deque>
#include <numbers>
#include <utility>
#include <vector>

#include "fovea/base/log_math.h"

namespace fovea::ep {
namespace {

std::vector<std::vector<double>> columns_of(std::span<const double> row) {
  std::vector<std::vector<double>> columns;
  for (const double value : row) columns.push_back({value});
  return columns;
}

}  // namespace

FactorFunctions with_single_draws(FactorFunctions functions) {
  if (functions.sample_many && !functions.sample)
    functions.sample = [many = functions.sample_many](std::span<const double> parents, Random& random) {
      double child = 0;
      many(columns_of(parents), random, {&child, 1});
      return child;
    };
  if (functions.log_density_many && !functions.log_density)
    functions.log_density = [many = functions.log_density_many](std::span<const double> values) {
      double result = 0;
      many(columns_of(values), {&result, 1});
      return result;
    };
  return functions;
}

GaussHermite::GaussHermite(std::size_t size) {
  const auto n = static_cast<Eigen::Index>(size);
  Eigen::VectorXd off_diagonal(n - 1);
  for (Eigen::Index i = 0; i + 1 < n; ++i) off_diagonal[i] = std::sqrt(static_cast<double>(i + 1));
  Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver;
  solver.computeFromTridiagonal(Eigen::VectorXd::Zero(n), off_diagonal);
  for (Eigen::Index k = 0; k < n; ++k) {
    nodes.push_back(solver.eigenvalues()[k]);
    weights.push_back(solver.eigenvectors()(0, k) * solver.eigenvectors()(0, k));
  }
}

namespace {

/// Values this far below the largest, by logarithm, do not count: exp(-45) = 3e-20.
constexpr double kNegligible = 45;
constexpr double kAgreement = 1e-11;
constexpr std::size_t kMostPoints = 100'000;
constexpr int kMostHalvings = 24;
constexpr std::size_t kFirstReach = 8;  // steps on either side

/// Values of a log density at first, first + step, ...
class Grid {
 public:
  Grid(const std::function<double(double)>& log_density, double centre, double width)
      : log_density_(log_density), step_(width), first_(centre - static_cast<double>(kFirstReach) * width) {
    for (std::size_t i = 0; i <= 2 * kFirstReach; ++i) values_.push_back(at(place(i)));
  }

  std::size_t evaluations() const { return evaluations_; }

  /// Extends the grid at both ends while the density there counts, then drops the points that do not. Returns false if
  /// the density does not fall off.
  bool fit() {
    while (counts(values_.front()) && values_.size() < kMostPoints) {
      first_ -= step_;
      values_.push_front(at(first_));
    }
    while (counts(values_.back()) && values_.size() < kMostPoints) values_.push_back(at(place(values_.size())));
    if (values_.size() >= kMostPoints || peak_ == -kInfinity) return false;
    while (values_.size() > 2 && !counts(values_[0]) && !counts(values_[1])) {
      values_.pop_front();
      first_ += step_;
    }
    while (values_.size() > 2 && !counts(values_.back()) && !counts(values_[values_.size() - 2])) values_.pop_back();
    return true;
  }

  void halve() {
    std::deque<double> finer;
    for (std::size_t i = 0; i < values_.size(); ++i) {
      if (i > 0) finer.push_back(at(place(i) - step_ / 2));
      finer.push_back(values_[i]);
    }
    values_ = std::move(finer);
    step_ /= 2;
  }

  LineMoments moments() const {
    double mass = 0, first = 0, second = 0;
    const double origin = place(static_cast<std::size_t>(std::ranges::max_element(values_) - values_.begin()));
    for (std::size_t i = 0; i < values_.size(); ++i) {
      const double weight = std::exp(values_[i] - peak_), x = place(i) - origin;
      mass += weight;
      first += weight * x;
      second += weight * x * x;
    }
    const double mean = first / mass;
    return {.log_mass = peak_ + std::log(mass * step_), .mean = origin + mean, .variance = second / mass - mean * mean};
  }

 private:
  double at(double x) {
    ++evaluations_;
    const double value = log_density_(x);
    peak_ = std::max(peak_, value);
    return value;
  }
  double place(std::size_t i) const { return first_ + static_cast<double>(i) * step_; }
  bool counts(double value) const { return value > peak_ - kNegligible; }

  const std::function<double(double)>& log_density_;
  double step_, first_;
  std::deque<double> values_;
  double peak_ = -kInfinity;
  std::size_t evaluations_ = 0;
};

bool agree(const LineMoments& a, const LineMoments& b) {
  return std::abs(a.log_mass - b.log_mass) < kAgreement &&
         std::abs(a.mean - b.mean) < kAgreement * std::sqrt(b.variance) &&
         std::abs(a.variance - b.variance) < kAgreement * b.variance;
}

}  // namespace

LineMoments integrate_line(const std::function<double(double)>& log_density, double centre, double width) {
  Grid grid(log_density, centre, width);
  LineMoments before = {.log_mass = -kInfinity};
  for (int halving = 0; halving < kMostHalvings && grid.fit(); ++halving) {
    LineMoments moments = grid.moments();
    moments.evaluations = grid.evaluations();
    moments.has_converged = agree(before, moments);
    if (moments.has_converged) return moments;
    before = moments;
    grid.halve();
  }
  before.has_converged = false;
  return before;
}

namespace {

/// Sums over points asinh(t) = -most, ..., most at distance `step`; moments in units of the deviation.
LineMoments sum_wide(const std::function<double(double)>& log_density, double deviation, double most, double step) {
  LineMoments moments;
  const auto half = static_cast<std::ptrdiff_t>(most / step);
  std::vector<double> logs;
  double highest = kImpossible;
  for (std::ptrdiff_t k = -half; k <= half; ++k) {
    const double u = static_cast<double>(k) * step, stretch = std::abs(u) + std::log1p(std::exp(-2 * std::abs(u)));
    logs.push_back(log_density(std::sinh(u)) + stretch - std::numbers::ln2);  // log cosh u
    highest = std::max(highest, logs.back());
  }
  double mass = 0, first = 0, second = 0;
  for (std::ptrdiff_t k = -half; k <= half; ++k) {
    const double t = std::sinh(static_cast<double>(k) * step) / deviation;
    const double weight = std::exp(logs[static_cast<std::size_t>(k + half)] - highest);
    mass += weight;
    first += weight * t;
    second += weight * t * t;
  }
  moments.evaluations = logs.size();
  moments.log_mass = highest + std::log(mass * step);
  moments.mean = first / mass;
  moments.variance = second / mass - moments.mean * moments.mean;
  return moments;
}

}  // namespace

LineMoments integrate_wide(const std::function<double(double)>& log_density, double centre, double deviation) {
  constexpr double kFarthest = 12, kAgreed = 1e-10;  // in deviations; tolerance of all moments
  constexpr int kHalvings = 8;
  const double most = std::asinh(std::abs(centre) + kFarthest * deviation);
  double step = most / 256;
  LineMoments moments = sum_wide(log_density, deviation, most, step);
  for (int halving = 0; halving < kHalvings && !moments.has_converged; ++halving) {
    const LineMoments before = moments;
    moments = sum_wide(log_density, deviation, most, step /= 2);
    moments.evaluations += before.evaluations;
    moments.has_converged = std::abs(moments.log_mass - before.log_mass) <= kAgreed &&
                            std::abs(moments.mean - before.mean) <= kAgreed * (1 + std::abs(moments.mean)) &&
                            std::abs(moments.variance - before.variance) <= kAgreed;
  }
  moments.mean *= deviation;
  moments.variance *= deviation * deviation;
  return moments;
}

}  // namespace fovea::ep
