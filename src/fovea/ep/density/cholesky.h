// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Core>

namespace fovea::ep {

/// A square matrix, by rows.
using SquareMatrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

/// Replaces a symmetric positive matrix, of which the lower triangle is read, by its lower Cholesky factor L, with
/// zeros above. False if it is not positive. Large parts are products by BLIS, which has kernels for the machine's
/// vectors; Eigen is compiled for all machines.
bool factorize(Eigen::Ref<SquareMatrix> matrix);

/// L^-1, with zeros above.
SquareMatrix inverse_of_lower(Eigen::Ref<const SquareMatrix> lower);

/// The lower triangle of A' A, of a lower triangular A; what stands above is left as zeros.
SquareMatrix lower_of_square(const SquareMatrix& a);

}  // namespace fovea::ep
