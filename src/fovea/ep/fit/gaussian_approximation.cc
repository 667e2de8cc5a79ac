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
/// Derivatives of the gradient by one parameter, with the sign of a precision.
Eigen::VectorXd curvature_by(const mcmc::LogDensity& density, std::vector<double>& place, std::size_t parameter) {
  const auto size = static_cast<Index>(place.size());
  Eigen::VectorXd above(size), below(size);
  double& moved = place[parameter];
  const double middle = moved, step = 1e-4 * (1 + std::abs(middle));
  moved = middle + step;
  density(place, {above.data(), place.size()});
  moved = middle - step;
  density(place, {below.data(), place.size()});
  moved = middle;
  return (below - above) / (2 * step);
}

Matrix curvature_at(const mcmc::LogDensity& density, std::vector<double> mode, const Stop& stop) {
  const auto size = static_cast<Index>(mode.size());
  Matrix curvature(size, size);
  for (Index i = 0; i < size && !stop.requested(); ++i)
    curvature.row(i) = curvature_by(density, mode, static_cast<std::size_t>(i));
  return .5 * (curvature + curvature.transpose());
}

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
  return 1 / curvature_by(density, place, parameter)[static_cast<Index>(parameter)];
}

std::optional<GaussianApproximation> approximate(const mcmc::LogDensity& density, std::span<const double> start,
                                                 const Stop& stop) {
  if (start.empty() || start.size() > kMostApproximated) return std::nullopt;
  GaussianApproximation result;
  std::optional<std::vector<double>> mode = climb(density, start, stop);
  if (!mode) return std::nullopt;
  result.mode = *std::move(mode);
  constexpr double kFlat = 1e-2;  // slope, in a density whose curvature is about one
  const Matrix curvature = curvature_at(density, result.mode, stop);
  if (stop.requested() || !curvature.allFinite()) return std::nullopt;
  const Eigen::LLT<Matrix> lower(curvature);
  if (lower.info() != Eigen::Success) return std::nullopt;
  std::vector<double> gradient(start.size());
  result.log_density = density(result.mode, gradient);
  // The slope per standard deviation of the approximation: 0 at a mode.
  const Eigen::VectorXd slope = lower.matrixL().solve(Eigen::Map<Eigen::VectorXd>(gradient.data(), curvature.rows()));
  if (!(slope.norm() < kFlat * std::sqrt(static_cast<double>(start.size())) + kFlat)) return std::nullopt;
  const RowMajor covariance = lower.solve(Matrix::Identity(curvature.rows(), curvature.rows()));
  const RowMajor factor = Eigen::LLT<Matrix>(covariance).matrixL();
  if (!factor.allFinite()) return std::nullopt;
  result.factor.assign(factor.data(), factor.data() + factor.size());
  return result;
}

}  // namespace fovea::ep
