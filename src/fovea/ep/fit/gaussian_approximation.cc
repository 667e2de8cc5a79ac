// SPDX-License-Identifier: Apache-2.0
#include "fovea/ep/fit/gaussian_approximation.h"

#include <Eigen/Cholesky>
#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <utility>

#include "fovea/base/log_math.h"
#include "fovea/optimize/lbfgs.h"

namespace fovea::ep {
namespace {

using Eigen::Index;
using Matrix = Eigen::MatrixXd;
using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

/// The density as something to be minimised.
struct Descent {
  using Real = double;
  const mcmc::LogDensity& density;
  std::size_t size;

  std::size_t dimension() const { return size; }
  double evaluate(std::span<const double> x, std::span<double> gradient) const {
    const double value = density(x, gradient);
    for (double& g : gradient) g = -g;
    return value == -kInfinity ? kInfinity : -value;
  }
};

/// The negative second derivatives, by central differences of gradients; their errors cancel when made symmetric.
/// Derivatives of the gradient by one parameter, with the sign of a precision, from gradients `step` to both sides.
Eigen::VectorXd curvature_by(const mcmc::LogDensity& density, std::vector<double>& place, std::size_t parameter,
                             double step) {
  const auto size = static_cast<Index>(place.size());
  Eigen::VectorXd above(size), below(size);
  double& moved = place[parameter];
  const double middle = moved;
  moved = middle + step;
  density(place, {above.data(), place.size()});
  moved = middle - step;
  density(place, {below.data(), place.size()});
  moved = middle;
  return (below - above) / (2 * step);
}

double plain_step(double x) { return 1e-4 * (1 + std::abs(x)); }

/// A climb by damped Newton steps, which do not mind parameters of different scales.
class NewtonClimb {
 public:
  NewtonClimb(const mcmc::LogDensity& density, std::vector<double> start, const Stop& stop)
      : density_(density), stop_(stop), place_(std::move(start)), gradient_(place_.size()), steps_(place_.size()) {
    value_ = density_(place_, {gradient_.data(), place_.size()});
    for (std::size_t i = 0; i < place_.size(); ++i) steps_[i] = plain_step(place_[i]);
  }

  /// True if it ends at a mode whose curvature falls off in all directions.
  bool run() {
    constexpr int kMostSteps = 50;
    for (int i = 0; i < kMostSteps; ++i) {
      if (!find_curvature()) return false;
      const bool falls_off = factor_.info() == Eigen::Success;
      if (falls_off && is_flat() && i > 0) return true;
      if (!climb_once(falls_off)) return false;
    }
    return false;
  }

  const std::vector<double>& place() const { return place_; }
  const Eigen::LLT<Matrix>& factor() const { return factor_; }

 private:
  /// The curvature here, by steps that fit the one before.
  bool find_curvature() {
    const auto size = static_cast<Index>(place_.size());
    curvature_.resize(size, size);
    for (Index i = 0; i < size; ++i) {
      if (stop_.requested()) return false;
      curvature_.row(i) =
          curvature_by(density_, place_, static_cast<std::size_t>(i), steps_[static_cast<std::size_t>(i)]);
    }
    curvature_ = (.5 * (curvature_ + curvature_.transpose())).eval();
    if (!curvature_.allFinite()) return false;
    constexpr double kShare = 1e-3;  // of a standard deviation
    for (Index i = 0; i < size; ++i)
      if (curvature_(i, i) > 0) steps_[static_cast<std::size_t>(i)] = kShare / std::sqrt(curvature_(i, i));
    factor_.compute(curvature_);
    return true;
  }

  /// True if the slope per standard deviation is as good as 0.
  bool is_flat() const {
    constexpr double kFlat = 1e-3;
    return factor_.matrixL().solve(gradient_).norm() < kFlat;
  }

  /// Moves uphill; false where that is not possible.
  bool climb_once(bool falls_off) {
    Matrix damped = curvature_;
    const double scale = curvature_.diagonal().cwiseAbs().maxCoeff();
    Eigen::LLT<Matrix> factor = factor_;
    for (double damping = 1e-8; !falls_off && damping < 1e8; damping *= 10) {
      damped = curvature_;
      damped.diagonal().array() += damping * scale;
      factor.compute(damped);
      if (factor.info() == Eigen::Success) break;
    }
    if (factor.info() != Eigen::Success) return false;
    const Eigen::VectorXd direction = factor.solve(gradient_);
    std::vector<double> next(place_.size());
    Eigen::VectorXd gradient(gradient_.size());
    for (double length = 1; length > 1e-10; length /= 2) {
      for (std::size_t i = 0; i < next.size(); ++i) next[i] = place_[i] + length * direction[static_cast<Index>(i)];
      const double value = density_(next, {gradient.data(), next.size()});
      if (!(value >= value_ - 1e-9 * std::abs(value_)) || !gradient.allFinite()) continue;
      place_ = next;
      gradient_ = gradient;
      value_ = value;
      return true;
    }
    return false;
  }

  const mcmc::LogDensity& density_;
  const Stop& stop_;
  std::vector<double> place_;
  Eigen::VectorXd gradient_;
  std::vector<double> steps_;
  double value_ = 0;
  Matrix curvature_;
  Eigen::LLT<Matrix> factor_;
};

}  // namespace

void GaussianApproximation::place(std::span<const double> z, std::span<double> x) const {
  for (std::size_t i = 0; i < mode.size(); ++i) {
    double sum = mode[i];
    for (std::size_t j = 0; j <= i; ++j) sum += factor[i * mode.size() + j] * z[j];
    x[i] = sum;
  }
}

void GaussianApproximation::pull_back(std::span<const double> gradient, std::span<double> result) const {
  std::ranges::fill(result, 0.);
  for (std::size_t i = 0; i < mode.size(); ++i)
    for (std::size_t j = 0; j <= i; ++j) result[j] += factor[i * mode.size() + j] * gradient[i];
}

std::optional<std::vector<double>> climb(const mcmc::LogDensity& density, std::span<const double> start,
                                         const Stop& stop) {
  constexpr int kMostIterations = 500;
  std::vector<double> place(start.begin(), start.end());
  Descent descent = {density, start.size()};
  optimize::LbfgsOptions options;
  options.stopping.max_iterations = kMostIterations;
  options.stopping.gradient_tolerance = 1e-8;
  optimize::LbfgsState<double> state;
  const auto summary = optimize::minimize_lbfgs(descent, std::span(place), options, state, {},
                                                [&](const optimize::IterationRecord&) { return !stop.requested(); });
  if (!std::isfinite(summary.last.objective) || stop.requested()) return std::nullopt;
  return place;
}

double conditional_variance(const mcmc::LogDensity& density, std::vector<double>& place, std::size_t parameter) {
  return 1 / curvature_by(density, place, parameter, plain_step(place[parameter]))[static_cast<Index>(parameter)];
}

std::optional<GaussianApproximation> approximate(const mcmc::LogDensity& density, std::span<const double> start,
                                                 const Stop& stop) {
  if (start.empty() || start.size() > kMostApproximated) return std::nullopt;
  std::optional<std::vector<double>> near = climb(density, start, stop);
  if (!near) return std::nullopt;
  NewtonClimb newton(density, *std::move(near), stop);
  if (!newton.run()) return std::nullopt;
  GaussianApproximation result = {.mode = newton.place()};
  const auto size = static_cast<Index>(start.size());
  const RowMajor covariance = newton.factor().solve(Matrix::Identity(size, size));
  const RowMajor factor = Eigen::LLT<Matrix>(covariance).matrixL();
  if (!factor.allFinite()) return std::nullopt;
  result.factor.assign(factor.data(), factor.data() + factor.size());
  std::vector<double> gradient(start.size());
  result.log_density = density(result.mode, gradient);
  return result;
}

}  // namespace fovea::ep
