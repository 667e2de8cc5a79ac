// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "fovea/base/options.h"
#include "fovea/base/random.h"
#include "fovea/regress/expected_residual.h"
#include "fovea/regress/input_scaling.h"
#include "fovea/regress/recursive_least_squares.h"
#include "fovea/regress/regressor.h"

namespace fovea::regress {

struct RandomFeaturesOptions {
  int features = 60;
  double frequency = .5;
  double ridge = 1e-6;

  static void describe(auto&& visit) {
    using O = RandomFeaturesOptions;
    visit(&O::features, number_in(1, 1e4, "features", "Number of random waves."));
    visit(&O::frequency,
          number_in(1e-6, 1e6, "frequency",
                    "Standard deviation of the waves' frequencies, per standard deviation of an input."));
    visit(&O::ridge, number_in(1e-12, 1e6, "ridge", "Ridge penalty of the regression."));
  }
};

/// Bayesian linear regression on the inputs and on random waves of them, an approximation of a Gaussian process (Rahimi
/// and Recht 2007, "Random features for large-scale kernel machines"). It has one vote, and none until it has seen
/// enough examples to scale its inputs.
class RandomFeatures : public Regressor {
 public:
  RandomFeatures(const RandomFeaturesOptions& options, RegressionResidual residual, const Random& random);

  void add(const RegressionExample& example) override;
  void predict(std::span<const double> tree, std::span<const double> inputs, Votes& votes) const override;

 private:
  struct Wave {
    std::vector<double> frequencies;  // [input]
    double phase = 0;
  };
  void scale();
  std::vector<double> features(std::span<const double> inputs) const;
  void observe(const RegressionExample& example);

  RandomFeaturesOptions options_;
  RegressionResidual residual_of_;
  Random random_;
  std::vector<Wave> waves_;
  InputScaling scaling_;
  std::vector<RegressionExample> kept_;
  std::vector<RecursiveLeastSquares> regression_;  // one, once the inputs are scaled
  ExpectedResidual expected_;
  std::size_t judged_ = 0;  // number of residuals that expected_ has taken in
};

}  // namespace fovea::regress
