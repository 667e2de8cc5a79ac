// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <vector>

namespace fovea::ep {

/// Nodes and weights with  E[f(z)] = sum_k weights[k] f(nodes[k])  for z ~ N(0, 1) and polynomials f of degree up to
/// 2 size - 1. By the eigenvalues of the three-term recurrence (Golub and Welsch 1969). O(size^3).
struct GaussHermite {
  explicit GaussHermite(std::size_t size);
  std::vector<double> nodes, weights;
};

}  // namespace fovea::ep
