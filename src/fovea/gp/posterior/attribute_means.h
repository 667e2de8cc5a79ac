// SPDX-License-Identifier: Apache-2.0
/// For the sources of this module alone: shows Eigen.
#pragma once

#include <vector>

#include "fovea/base/sparse_rows.h"
#include "fovea/gp/matrix/dense.h"

namespace fovea::gp {

/// Means of the latent functions of a linear covariance by a weight for every feature, E[f_j(x)] = x^T w_j, beside
/// variances by inducing points: as many parameters as a linear model has, however few the points (Cheng, Boots (2017),
/// "Variational inference for Gaussian process models with linear complexity").
class AttributeMeans {
 public:
  AttributeMeans(std::size_t columns, std::size_t labels) : labels_(labels), weights_(columns * labels) {}
  AttributeMeans(std::vector<float> weights, std::size_t labels) : labels_(labels), weights_(std::move(weights)) {}

  std::size_t labels() const { return labels_; }
  std::size_t columns() const { return weights_.size() / labels_; }
  const std::vector<float>& weights() const { return weights_; }  ///< [column][label]
  std::vector<float>& weights() { return weights_; }

  /// E[f] at rows [begin, end), rows x |V|. Columns that it has no weights for count as 0.
  RowMatrix at(const SparseRows& rows, std::size_t begin, std::size_t end) const;
  double squared_norm() const;

 private:
  std::size_t labels_;
  std::vector<float> weights_;
};

}  // namespace fovea::gp
