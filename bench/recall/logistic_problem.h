// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <span>
#include <vector>

#include "fovea/base/log_math.h"
#include "fovea/ep/regression/logistic_regression.h"

namespace fovea::bench {

using namespace ep;

/// Weights of 1 / sqrt(5) in the mean: 20 of them make w . x of variance 4.
inline std::vector<double> logistic_weights(std::size_t columns, Random& random) {
  std::vector<double> w(columns);
  for (double& weight : w) weight = random.normal() / std::sqrt(5.);
  return w;
}

/// Labels drawn from one w for all problems; columns are standard normal, so that w . x has the variance of |w|^2.
inline LogisticData logistic_problem(std::span<const double> w, std::size_t rows, Random random) {
  LogisticData data = {.columns = w.size(), .values = {}, .labels = {}};
  for (std::size_t i = 0; i < rows; ++i) {
    double z = 0;
    for (const double weight : w) {
      data.values.push_back(random.normal());
      z += weight * data.values.back();
    }
    data.labels.push_back(random.bernoulli(sigmoid(z)));
  }
  return data;
}

}  // namespace fovea::bench
