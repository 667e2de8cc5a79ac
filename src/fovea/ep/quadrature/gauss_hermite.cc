// SPDX-License-Identifier: Apache-2.0
#include "fovea/ep/quadrature/gauss_hermite.h"

#include <Eigen/Core>
#include <Eigen/Eigenvalues>
#include <cmath>

namespace fovea::ep {

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

}  // namespace fovea::ep
