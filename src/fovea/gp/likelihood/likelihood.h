// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "fovea/gp/data/sequences.h"
#include "fovea/gp/matrix/matrix.h"

namespace fovea::gp {

/// log p(y | f) of one sequence, given the latent functions at its items: `unary`, T x |V|, is f_tj = f_j(x_t), and
/// `pairwise`, |V| x |V|, holds the score of label j after label i at (i, j); T >= 1. Inference sees nothing else of a
/// model. Must be safe to use from several threads at once.
class Likelihood {
 public:
  virtual ~Likelihood() = default;

  /// log p(y | f); natural logarithm.
  virtual double log_density(Matrix<const double> unary, Matrix<const double> pairwise, Labels labels) const = 0;

  /// True if gradients() can be called; otherwise inference has only the values (the score function estimator).
  virtual bool has_gradients() const { return false; }

  /// Destinations of derivatives, which are written only. A matrix without data is not filled.
  struct Gradients {
    Matrix<double> unary;      ///< T x |V|: d log p / d f_tj
    Matrix<double> pairwise;   ///< |V| x |V|: d log p / d pairwise
    Matrix<double> curvature;  ///< T x |V|: - d^2 log p / d f_tj^2, only where has_curvature()
  };
  /// Returns log p(y | f) and writes its gradients.
  virtual double gradients(Matrix<const double> unary, Matrix<const double> pairwise, Labels labels,
                           const Gradients& out) const;

  /// True if gradients() gives second derivatives too.
  virtual bool has_curvature() const { return false; }

  /// p(y_t = j | f), T x |V|, linear domain: for predictions. The default is Gibbs sampling on differences of
  /// log_density().
  virtual void marginals(Matrix<const double> unary, Matrix<const double> pairwise, Matrix<double> out) const;
};

}  // namespace fovea::gp
