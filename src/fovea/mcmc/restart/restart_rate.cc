// SPDX-License-Identifier: Apache-2.0
#include "fovea/mcmc/restart/restart_rate.h"

#include <cmath>

#include "fovea/base/error.h"

namespace fovea::mcmc {
namespace {

constexpr int kRatesTried = 16;  // below 1, each 1/sqrt(2) of the one before

}  // namespace

double best_restart_rate(const std::function<double(double)>& score, double start_cost) {
  const double start_score = score(1);
  double best_rate = 1, best_gain = 0;
  for (int i = 1; i <= kRatesTried; ++i) {
    const double epsilon = std::exp2(-.5 * i);
    const double gain = (score(epsilon) - start_score) / (start_cost + 1 / epsilon - 1);
    if (!(gain > best_gain)) continue;
    best_gain = gain;
    best_rate = epsilon;
  }
  return best_rate;
}

}  // namespace fovea::mcmc
