// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <concepts>
#include <utility>
#include <vector>

#include "fovea/gp/likelihood/likelihood.h"
#include "fovea/gp/likelihood/reverse_mode.h"

namespace fovea::gp {

/// A likelihood that a user can write: a function of the latent functions at a sequence and its labels that returns
/// log p(y | f). See Likelihood for the shapes.
template <class F>
concept Density = requires(const F& f, Matrix<const double> unary, Matrix<const double> pairwise, Labels labels) {
  { f(unary, pairwise, labels) } -> std::convertible_to<double>;
};

/// A Density written as a template of the number type, so that it can be differentiated.
template <class F>
concept DifferentiableDensity = Density<F> &&
    requires(const F& f, Matrix<const Differentiable> unary, Matrix<const Differentiable> pairwise, Labels labels) {
  { f(unary, pairwise, labels) } -> std::convertible_to<Differentiable>;
};

/// log p(y | f) and its derivatives with respect to all scores, in one pass forward and one back. `pairwise_slopes`
/// may have no data.
template <DifferentiableDensity F>
double reverse_mode_gradients(const F& density, Matrix<const double> unary, Matrix<const double> pairwise,
                              Labels labels, Matrix<double> unary_slopes, Matrix<double> pairwise_slopes) {
  static thread_local std::vector<Differentiable> variables;
  static thread_local std::vector<double> slopes;
  Tape& tape = Tape::of_thread();
  tape.clear();
  variables.clear();
  for (const double score : unary.all()) variables.push_back(tape.variable(score));
  for (const double score : pairwise.all()) variables.push_back(tape.variable(score));
  const std::size_t size = unary.all().size();
  const Differentiable result =
      density(Matrix<const Differentiable>(variables.data(), unary.rows(), unary.columns()),
              Matrix<const Differentiable>(variables.data() + size, pairwise.rows(), pairwise.columns()), labels);
  slopes.resize(variables.size());
  tape.derivatives(result, slopes);
  std::copy_n(slopes.begin(), size, unary_slopes.data());
  if (pairwise_slopes.data())
    std::copy(slopes.begin() + static_cast<std::ptrdiff_t>(size), slopes.end(), pairwise_slopes.data());
  return result.value();
}

/// A density as a Likelihood: with gradients if it is differentiable; with its own marginals if it has a member
///   void marginals(Matrix<const double> unary, Matrix<const double> pairwise, Matrix<double> out) const.
template <Density F>
class DensityLikelihood : public Likelihood {
 public:
  explicit DensityLikelihood(F density) : density_(std::move(density)) {}

  double log_density(Matrix<const double> unary, Matrix<const double> pairwise, Labels labels) const override {
    return density_(unary, pairwise, labels);
  }
  bool has_gradients() const override { return DifferentiableDensity<F>; }
  double gradients(Matrix<const double> unary, Matrix<const double> pairwise, Labels labels,
                   const Gradients& out) const override {
    if constexpr (DifferentiableDensity<F>)
      return reverse_mode_gradients(density_, unary, pairwise, labels, out.unary, out.pairwise);
    else return Likelihood::gradients(unary, pairwise, labels, out);
  }
  void marginals(Matrix<const double> unary, Matrix<const double> pairwise, Matrix<double> out) const override {
    if constexpr (requires { density_.marginals(unary, pairwise, out); }) density_.marginals(unary, pairwise, out);
    else Likelihood::marginals(unary, pairwise, out);
  }

 private:
  F density_;
};

}  // namespace fovea::gp
