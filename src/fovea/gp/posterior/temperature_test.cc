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

double mean_confidence(std::vector<double> marginals, double temperature) {
  const std::size_t rows = marginals.size() / 3;
  apply_temperature(temperature, {marginals.data(), rows, 3});
  double sum = 0;
  for (std::size_t t = 0; t < rows; ++t) sum += *std::max_element(&marginals[3 * t], &marginals[3 * t] + 3);
  return sum / static_cast<double>(rows);
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

/// The share of right labels has a standard error below .5 / sqrt(rows), and confidence is to be that share.
TEST(TemperatureTest, IsAsSureAsItIsRight) {
  constexpr std::size_t kRows = 4000;
  for (const double temperature : {.4, 1.0, 2.5}) {
    Sharpened data(temperature, kRows);
    const double found = calibrating_temperature(data.matrix(), data.labels);
    EXPECT_NEAR(mean_confidence(data.marginals, found), 1 - score_marginals(data.matrix(), data.labels).error,
                1.0 / kRows);
    EXPECT_NEAR(mean_confidence(data.marginals, found), mean_confidence(data.marginals, temperature),
                4 * .5 / std::sqrt(kRows));
  }
}

/// A label that was thought impossible counts as a single wrong label.
TEST(TemperatureTest, IsNotDecidedByOneLabel) {
  Sharpened data(1);
  const double before = calibrating_temperature(data.matrix(), data.labels);
  data.marginals[0] = 1;
  data.marginals[1] = data.marginals[2] = 0;
  data.labels[0] = 1;
  EXPECT_NEAR(calibrating_temperature(data.matrix(), data.labels), before, .01);
}

TEST(TemperatureTest, StaysWithinItsBoundsAndIsNeverCertain) {
  std::vector<double> p = {.6, .4}, sure = {.9, .1, .9, .1, .9, .1};
  EXPECT_NEAR(calibrating_temperature({p.data(), 1, 2}, std::vector<Value>{1}), 10, 1e-4);
  const double found = calibrating_temperature({sure.data(), 3, 2}, std::vector<Value>{0, 0, 0});
  EXPECT_NEAR(1 / (1 + std::pow(1.0 / 9, 1 / found)), 3.5 / 4, 1e-5);  // of three right ones
}

}  // namespace
}  // namespace fovea::gp
