// SPDX-License-Identifier: Apache-2.0
/// Dense linear algebra; for the sources of this module alone.
#pragma once

#include <Eigen/Cholesky>
#include <Eigen/Core>
#include <cstddef>

#include "fovea/gp/matrix.h"

namespace fovea::gp {

using Index = Eigen::Index;
using RowMatrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using ColumnMatrix = Eigen::MatrixXd;
using Vector = Eigen::VectorXd;

inline Index index(std::size_t i) { return static_cast<Index>(i); }
inline std::size_t size(Index i) { return static_cast<std::size_t>(i); }

/// The lower triangle of `sum` += rows^T rows: where most of the time of a fit goes.
void add_products(const Eigen::Ref<const RowMatrix>& rows, ColumnMatrix& sum);
/// columns <- factor^{-1} columns, with a lower triangular factor.
void solve_lower(const ColumnMatrix& factor, ColumnMatrix& columns);

inline Matrix<double> view(RowMatrix& m) { return {m.data(), size(m.rows()), size(m.cols())}; }

}  // namespace fovea::gp
