// SPDX-License-Identifier: Apache-2.0
#include "fovea/gp/posterior/temperature.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "fovea/base/random.h"

namespace fovea::gp {
namespace {

/// Rows of random probabilities, and labels drawn from their powers.
struct Sharpened {
  explicit Sharpened(double temperature, std::size_t rows = 4000) : marginals(rows * 3) {
    Random random(3);
    for (double& p : marginals) p = random.exponential();
    apply_temperature(1, matrix());
    std::vector<double> powers = marginals;
    apply_temperature(temperature, {powers.data(), rows, 3});
    for (std::size_t t = 0; t < rows; ++t)
      labels.push_back(static_cast<Value>(random.categorical(std::span<const double>(powers).subspan(3 * t, 3))));
  }
  Matrix<double> matrix() { return {marginals.data(), marginals.size() / 3, 3}; }

  std::vector<double> marginals;
  std::vector<Value> labels;
};

double log_likelihood(std::vector<double> marginals, Labels labels, double temperature) {
  apply_temperature(temperature, {marginals.data(), labels.size(), 3});
  double sum = 0;
  for (std::size_t t = 0; t < labels.size(); ++t) sum += std::log(marginals[3 * t + labels[t]]);
  return sum;
}

TEST(TemperatureTest, OneChangesNothingAndOthersKeepTheOrder) {
  std::vector<double> p = {.5, .3, .2, 1, 0, 0}, q = p;
  apply_temperature(1, {q.data(), 2, 3});
  for (std::size_t i = 0; i < p.size(); ++i) EXPECT_NEAR(q[i], p[i], 1e-15);
  apply_temperature(.5, {q.data(), 2, 3});
  EXPECT_NEAR(q[0], .25 / .38, 1e-12);
  EXPECT_NEAR(q[2], .04 / .38, 1e-12);
  EXPECT_EQ(q[3], 1);
}

TEST(TemperatureTest, FindsTheBest) {
  for (const double temperature : {.4, 1.0, 2.5}) {
    Sharpened data(temperature);
    const double best = best_temperature(data.matrix(), data.labels);
    const double at_best = log_likelihood(data.marginals, data.labels, best);
    EXPECT_NEAR(std::log(best), std::log(temperature), .15);
    for (const double other : {best * .99, best * 1.01, .18, 5.0})
      EXPECT_LT(log_likelihood(data.marginals, data.labels, other), at_best) << other;
  }
}

TEST(TemperatureTest, StaysWithinItsBounds) {
  std::vector<double> p = {.6, .4};
  EXPECT_NEAR(best_temperature({p.data(), 1, 2}, std::vector<Value>{0}), .1, 1e-6);  // the surer the better
  EXPECT_NEAR(best_temperature({p.data(), 1, 2}, std::vector<Value>{1}), 10, 1e-4);
}

}  // namespace
}  // namespace fovea::gp
