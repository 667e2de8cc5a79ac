// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Core>

namespace fovea::ep {

using RowMatrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using Rows = Eigen::Ref<const RowMatrix>;

/// The lower triangle of `sum` += rows^T diag(weights) rows, with weights of at least 0. `scratch` is overwritten.
void add_weighted_products(const Rows& rows, const Eigen::Ref<const Eigen::VectorXd>& weights, RowMatrix& scratch,
                           Eigen::MatrixXd& sum);

/// products[row] = row . vector.
void multiply(const Rows& rows, const Eigen::VectorXd& vector, Eigen::Ref<Eigen::VectorXd> products);

/// sum += rows^T weights.
void add_products(const Rows& rows, const Eigen::Ref<const Eigen::VectorXd>& weights, Eigen::VectorXd& sum);

/// norms[row] = |factor^{-1} row|^2, with a lower triangular factor. `scratch` is overwritten.
void squared_norms(const Rows& rows, const Eigen::MatrixXd& factor, RowMatrix& scratch,
                   Eigen::Ref<Eigen::VectorXd> norms);

}  // namespace fovea::ep
