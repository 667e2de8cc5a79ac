// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <vector>

namespace fovea::regress {

/// Linear regression of several outputs on the same features, one example after the other:
///
///   W = argmin sum_i |y_i - W^T phi_i|^2 + ridge |W|^2.
///
/// It stores W and M = L^-1, the inverse of the Cholesky factor of A = ridge I + sum_i phi_i phi_i^T = L L^T: M^T M
/// stays positive definite where updates of A^-1 would not. Reading is thread-safe while nothing is added.
class RecursiveLeastSquares {
 public:
  /// ridge > 0.
  RecursiveLeastSquares(std::size_t features, std::size_t outputs, double ridge);

  /// Predictions for the examples that were learned, by a regression that includes them: [example][output]; and their
  /// leverages.
  struct InSample {
    std::vector<double> predicted = {}, leverage = {};
  };
  /// Learns many examples at once, several times faster than one after the other: phi [example][feature], y
  /// [example][output]. Allowed only before any other example. O(examples features (features + outputs)).
  InSample fit(std::span<const double> phi, std::span<const double> y);

  std::size_t features() const { return features_; }
  std::size_t outputs() const { return outputs_; }
  std::size_t examples() const { return examples_; }

  /// O(features (features + outputs)).
  void add(std::span<const double> phi, std::span<const double> y);

  /// y = W^T phi. O(features outputs).
  void predict(std::span<const double> phi, std::span<double> y) const;

  /// phi^T A^-1 phi: the variance of a prediction in units of the noise's variance. Large if nothing like phi was seen,
  /// near features / examples for a phi like those that were. O(features^2).
  double leverage(std::span<const double> phi) const;

 private:
  /// Rows per block. M and W^T are stored in blocks, M as if each row of a block had the columns of the last one: sums
  /// for the rows of a block stay in vector registers.
  static constexpr std::size_t kBlock = 4;
  using Block = std::array<double, kBlock>;
  static std::size_t blocks(std::size_t rows) { return (rows + kBlock - 1) / kBlock; }
  static std::size_t first_column(std::size_t block) { return kBlock * block * (block + 1) / 2; }
  static Block product(std::span<const Block> columns, std::span<const double> phi);
  Block whitened(std::size_t block, std::span<const double> phi) const;
  /// M_ij, j <= i.
  double& inverse(std::size_t i, std::size_t j) { return inverse_[first_column(i / kBlock) + j][i % kBlock]; }
  /// W_ik.
  double& weight(std::size_t i, std::size_t k) { return weights_[k / kBlock * features_ + i][k % kBlock]; }

  std::size_t features_, outputs_, examples_ = 0;
  double ridge_;
  std::vector<Block> inverse_, weights_;  // M and W^T: [block and column][row of the block]
};

}  // namespace fovea::regress
