// SPDX-License-Identifier: Apache-2.0
#include "fovea/regress/polynomial_regression.h"

#include <gtest/gtest.h>

#include <cmath>

#include "fovea/base/log_math.h"
#include "fovea/base/random.h"

namespace fovea::regress {
namespace {

constexpr double kSmallRidge = 1e-9;

/// Examples with normal inputs and the targets that `f` gives.
template <class F>
std::vector<RegressionExample> normal_examples(std::size_t count, std::size_t inputs, const F& f) {
  Random random(7);
  std::vector<RegressionExample> examples(count);
  for (RegressionExample& example : examples) {
    for (std::size_t i = 0; i < inputs; ++i) example.inputs.push_back(random.normal());
    example.target = {f(example.inputs)};
  }
  return examples;
}

PolynomialRegression fitted(const std::vector<RegressionExample>& examples, int degree,
                            std::size_t major_inputs = 100) {
  std::vector<const RegressionExample*> pointers;
  for (const RegressionExample& example : examples) pointers.push_back(&example);
  RecursiveLeastSquares::InSample in_sample;
  return PolynomialRegression(pointers, major_inputs, degree, kSmallRidge, in_sample);
}

std::size_t monomials(std::size_t inputs, int degree, std::size_t major_inputs = 100) {
  return fitted(normal_examples(3, inputs, [](std::span<const double>) { return 0.; }), degree, major_inputs)
      .monomials();
}

double value_at(const PolynomialRegression& regression, std::vector<double> inputs) {
  std::vector<double> predicted(1);
  regression.predict(inputs, predicted);
  return predicted[0];
}

TEST(PolynomialRegression, HasEachMonomialOnce) {
  EXPECT_EQ(monomials(1, 3), 4U);
  EXPECT_EQ(monomials(3, 3), 20U);  // (3 + 3 choose 3)
  EXPECT_EQ(monomials(2, 2), 6U);
}

TEST(PolynomialRegression, LowersTheDegreeWhereMonomialsAreTooMany) {
  EXPECT_EQ(monomials(4, 3), 15U);   // 35 of degree 3
  EXPECT_EQ(monomials(8, 3), 9U);    // 45 of degree 2
  EXPECT_EQ(monomials(40, 3), 41U);  // no input is left out
}

TEST(PolynomialRegression, MinorInputsHaveNoProductsWhereThereWouldBeTooMany) {
  EXPECT_EQ(monomials(4, 3, 2), 15U);
  EXPECT_EQ(monomials(9, 3, 5), 25U);  // 21 of the major inputs, 4 more; 55 in all
  EXPECT_EQ(monomials(9, 1, 5), 10U);
  EXPECT_EQ(monomials(20, 3, 10), 21U);  // still too many
}

TEST(PolynomialRegression, RecoversAPolynomial) {
  const auto cubic = [](std::span<const double> x) { return 1 + 2 * x[0] - x[1] * x[1] * x[0] + .5 * x[1]; };
  const PolynomialRegression regression = fitted(normal_examples(200, 2, cubic), 3);
  for (const std::vector<double>& at : {std::vector{.3, -1.2}, std::vector{-2., .7}})
    EXPECT_NEAR(value_at(regression, at), cubic(at), 1e-6);
}

TEST(PolynomialRegression, GoesOnLearning) {
  const auto line = [](std::span<const double> x) { return 3 * x[0]; };
  const std::vector<RegressionExample> examples = normal_examples(50, 1, line);
  PolynomialRegression regression = fitted({examples.begin(), examples.begin() + 2}, 1);
  for (std::size_t i = 2; i < examples.size(); ++i)
    regression.add(examples[i].inputs, std::vector{5 * line(examples[i].inputs)});
  EXPECT_NEAR(value_at(regression, {1.}), 15, 1);
}

TEST(PolynomialRegression, DoesNotKnowOtherValuesOfWhatNeverVaried) {
  std::vector<RegressionExample> examples = normal_examples(20, 2, [](std::span<const double> x) { return x[0]; });
  for (RegressionExample& example : examples) example.inputs[1] = 4;
  const PolynomialRegression regression = fitted(examples, 2);
  EXPECT_EQ(regression.monomials(), 3U);
  std::vector<double> predicted(1);
  EXPECT_LT(regression.predict(std::vector{.1, 4.}, predicted), 1);
  EXPECT_EQ(regression.predict(std::vector{.1, 4.5}, predicted), kInfinity);
  EXPECT_FALSE(regression.knows(std::vector{.1, 4.5}));
}

}  // namespace
}  // namespace fovea::regress
