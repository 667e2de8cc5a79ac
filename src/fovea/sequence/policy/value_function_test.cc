// SPDX-License-Identifier: Apache-2.0
#include "fovea/sequence/policy/value_function.h"

#include <gtest/gtest.h>

#include "fovea/base/random.h"
#include "tests/support/gradient_check.h"

namespace fovea::sequence {
namespace {

MetaVector make_phi(std::initializer_list<MetaVector::Entry> entries) {
  MetaVector phi;
  for (const auto& [index, value] : entries) phi.add(index, value);
  return phi;
}

ValueFunction make_value(std::vector<float> alpha, float w, float b) {
  ValueFunction value(alpha.size());
  value.alpha = std::move(alpha);
  value.w = w;
  value.b = b;
  return value;
}

/// Q of equation (6) in double precision; parameters alpha ..., w, b.
double q_of(const std::vector<double>& parameters, const MetaVector& phi) {
  double dot = 0;
  for (const MetaVector::Entry& entry : phi.entries) dot += parameters[entry.index] * static_cast<double>(entry.value);
  const std::size_t n = parameters.size();
  return parameters[n - 2] / (1 + std::exp(-dot)) + parameters[n - 1];
}

std::vector<double> parameters_of(const ValueFunction& value) {
  std::vector<double> all(value.alpha.begin(), value.alpha.end());
  all.insert(all.end(), {double{value.w}, double{value.b}});
  return all;
}

TEST(ValueFunctionTest, ValueIsEquationSix) {
  Random random(1);
  for (int trial = 0; trial < 20; ++trial) {
    std::vector<float> alpha(4);
    for (float& a : alpha) a = static_cast<float>(random.normal());
    const ValueFunction value =
        make_value(alpha, static_cast<float>(random.normal()), static_cast<float>(random.normal()));
    const MetaVector phi = make_phi({{0, 0.5f}, {3, -2.0f}});
    EXPECT_NEAR(value.value(phi), q_of(parameters_of(value), phi), 1e-6);
  }
}

TEST(ValueFunctionTest, PriorityOrdersAsQAlsoForNegativeW) {
  for (const float w : {2.0f, -2.0f}) {
    const ValueFunction value = make_value({1}, w, 0.3f);
    for (float x = -3; x < 3; x += 0.5f)
      EXPECT_EQ(value.priority(x) < value.priority(x + 0.5f), value.value(x) < value.value(x + 0.5f)) << w;
  }
}

// The step divided by its rate is d of (8), minus half the gradient of the squared error (target - Q)^2.
TEST(ValueLearnerTest, FirstStepDescendsTheSquaredErrorWithAdaGradsLength) {
  constexpr double kRate = 0.7, kDelta = 0.04;
  const ValueFunction start = make_value({0.3f, -0.8f, 1.1f, 0.2f}, 1.4f, -0.2f);
  const MetaVector phi = make_phi({{0, 1.0f}, {1, -0.5f}, {3, 2.0f}});
  for (const float target : {2.0f, -1.0f}) {
    ValueFunction moved = start;
    ValueLearner(moved, kRate, kDelta).update(phi, target);
    const std::vector<double> before = parameters_of(start), after = parameters_of(moved);
    std::vector<double> gradient;
    for (std::size_t i = 0; i < before.size(); ++i) {
      // step = rate d / sqrt(delta + d^2), solved for d.
      const double step = (after[i] - before[i]) / kRate;
      gradient.push_back(-2 * step * std::sqrt(kDelta / (1 - step * step)));
    }
    EXPECT_TRUE(testing::gradient_matches(
        [&](const std::vector<double>& x) { return std::pow(double{target} - q_of(x, phi), 2); }, before, gradient,
        2e-5));                      // parameters are single precision
    EXPECT_EQ(after[2], before[2]);  // a feature that is absent
  }
}

TEST(ValueLearnerTest, StepSizesShrinkByTheSumOfSquares) {
  // Without features sigma(0) = 1/2, so that d_b = error and d_w = error / 2, whatever w was.
  ValueFunction value(1);
  ValueLearner learner(value, 0.5, 1e-4);
  double w = 0, b = 0, w_square = 1e-4, b_square = 1e-4;
  for (const double target : {1.0, -2.0, 0.5, 3.0, 3.0}) {
    learner.update({}, static_cast<float>(target));
    const double error = target - (w / 2 + b);
    w_square += error * error / 4;
    b_square += error * error;
    w += 0.5 / std::sqrt(w_square) * error / 2;
    b += 0.5 / std::sqrt(b_square) * error;
    EXPECT_NEAR(value.w, w, 1e-5);
    EXPECT_NEAR(value.b, b, 1e-5);
    EXPECT_EQ(value.alpha[0], 0);
  }
}

TEST(ValueLearnerTest, ConvergesOnConstantTargets) {
  for (const float target : {3.0f, -1.5f}) {
    ValueFunction value(2);
    ValueLearner learner(value);
    const MetaVector phi = make_phi({{0, 1.0f}, {1, 0.5f}});
    for (int i = 0; i < 2000; ++i) learner.update(phi, target);
    EXPECT_NEAR(value.value(phi), target, 1e-3);
  }
}

TEST(ValueLearnerTest, TellsTwoFeaturesApart) {
  ValueFunction value(2);
  ValueLearner learner(value);
  for (int i = 0; i < 2000; ++i) {
    learner.update(make_phi({{0, 1.0f}}), 2);
    learner.update(make_phi({{1, 1.0f}}), -1);
  }
  EXPECT_NEAR(value.value(make_phi({{0, 1.0f}})), 2, 0.05);
  EXPECT_NEAR(value.value(make_phi({{1, 1.0f}})), -1, 0.05);
}

}  // namespace
}  // namespace fovea::sequence
