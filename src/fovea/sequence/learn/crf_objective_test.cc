// SPDX-License-Identifier: Apache-2.0
#include "fovea/sequence/learn/crf_objective.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "fovea/sequence/model/label_sequences.h"
#include "tests/support/gradient_check.h"
#include "tests/support/reference_crf.h"

namespace fovea::sequence {
namespace {

using testing::gradient_matches;
using testing::random_parameters;
using testing::random_training_set;
using testing::RandomTrainingShape;
using testing::ReferenceCrf;

CrfFeatures features_of(const TrainingSet& set, int factor_size, bool all = false) {
  return observed_features(set, TransposedItems(set.items, set.attribute_count), factor_size, all);
}

std::vector<double> widen(const std::vector<float>& x) { return {x.begin(), x.end()}; }

/// Single floats, a few hundred of them added up: values within 1e-5 of their size, gradients within 1e-5 of their
/// largest terms, which are counts of items.
void expect_agreement(const TrainingSet& set, const CrfFeatures& features, double l2, std::vector<float> x) {
  std::vector<double> expected;
  const double f = ReferenceCrf(set, features, l2).evaluate(widen(x), &expected);
  CrfObjective objective(set, features, {.l2 = l2});
  std::vector<float> gradient(x.size(), std::numeric_limits<float>::quiet_NaN());
  EXPECT_NEAR(objective.evaluate(x, gradient), f, 1e-5 * std::max(1.0, std::abs(f)));
  for (std::size_t i = 0; i < x.size(); ++i) EXPECT_NEAR(gradient[i], expected[i], 2e-4) << "parameter " << i;
}

class CrfObjectiveTest : public ::testing::TestWithParam<int> {};

TEST_P(CrfObjectiveTest, AgreesWithEnumeration) {
  const TrainingSet set = random_training_set({}, 1);
  const CrfFeatures features = features_of(set, GetParam());
  expect_agreement(set, features, .3, random_parameters(features.dimension(), 2));
}

TEST_P(CrfObjectiveTest, AgreesWithEnumerationForPartialLabels) {
  const TrainingSet set = random_training_set({.unknown = .4}, 3);
  const CrfFeatures features = features_of(set, GetParam(), true);
  expect_agreement(set, features, .3, random_parameters(features.dimension(), 4));
}

TEST_P(CrfObjectiveTest, AgreesWithEnumerationForValues) {
  const TrainingSet set = random_training_set({.with_values = true}, 5);
  const CrfFeatures features = features_of(set, GetParam());
  expect_agreement(set, features, .3, random_parameters(features.dimension(), 6));
}

TEST_P(CrfObjectiveTest, AgreesWithEnumerationWhereLinearSumsWouldOverflow) {
  const TrainingSet set = random_training_set({}, 7);
  const CrfFeatures features = features_of(set, GetParam());
  expect_agreement(set, features, 0, random_parameters(features.dimension(), 8, 30));
}

TEST_P(CrfObjectiveTest, ReferenceAgreesWithDifferences) {
  const TrainingSet set = random_training_set({.with_values = true, .unknown = .3}, 9);
  const CrfFeatures features = features_of(set, GetParam());
  const ReferenceCrf reference(set, features, .5);
  const std::vector<double> x = widen(random_parameters(features.dimension(), 10));
  std::vector<double> gradient;
  reference.evaluate(x, &gradient);
  EXPECT_TRUE(gradient_matches([&](const std::vector<double>& at) { return reference.evaluate(at); }, x, gradient));
}

INSTANTIATE_TEST_SUITE_P(FactorSizes, CrfObjectiveTest, ::testing::Values(1, 2, 3, 4));

TEST(CrfObjective, AgreesWithEnumerationBeyondSixteenLabels) {
  const TrainingSet set = random_training_set({.label_count = 19, .lengths = {2, 1, 3}}, 11);
  for (const int factor_size : {1, 2, 3}) {
    const CrfFeatures features = features_of(set, factor_size, true);
    expect_agreement(set, features, .1, random_parameters(features.dimension(), 12));
  }
}

TEST(CrfObjective, IsTheSameToTheBitAtAnyNumberOfThreads) {
  RandomTrainingShape shape{.label_count = 5, .lengths = std::vector<std::uint32_t>(500, 9), .attribute_count = 3000};
  const TrainingSet set = random_training_set(shape, 13);
  for (const int factor_size : {2, 3}) {
    const CrfFeatures features = features_of(set, factor_size);
    const std::vector<float> x = random_parameters(features.dimension(), 14);
    std::vector<float> one(x.size()), many(x.size());
    const double f = CrfObjective(set, features, {.threads = 1}).evaluate(x, one);
    EXPECT_EQ(CrfObjective(set, features, {.threads = 5}).evaluate(x, many), f);
    EXPECT_EQ(one, many);
  }
}

/// -sum_t log p(y_t | the other labels) from whole-labeling scores.
double reference_pseudo(const TrainingSet& set, const CrfFeatures& features, const std::vector<double>& x) {
  const ReferenceCrf reference(set, features, 0);
  double sum = 0;
  for (std::size_t s = 0; s < set.items.sequence_count(); ++s) {
    const auto begin = set.labels.begin() + set.items.sequence_begin[s];
    const std::vector<Value> truth(begin, begin + static_cast<std::ptrdiff_t>(set.sequence_length(s)));
    for (std::size_t t = 0; t < truth.size(); ++t) {
      double z = 0;
      std::vector<Value> labels = truth;
      for (int k = 0; k < set.label_count; ++k) {
        labels[t] = static_cast<Value>(k);
        z += std::exp(reference.score(s, labels, x) - reference.score(s, truth, x));
      }
      sum += std::log(z);
    }
  }
  return sum;
}

TEST_P(CrfObjectiveTest, PseudoLikelihoodAgreesWithItsDefinition) {
  const TrainingSet set = random_training_set({.with_values = true}, 15);
  const CrfFeatures features = features_of(set, GetParam());
  const std::vector<float> x = random_parameters(features.dimension(), 16);
  CrfObjective objective(set, features, {.l2 = 0, .objective = SequenceObjective::kPseudoLikelihood});
  std::vector<float> gradient(x.size());
  EXPECT_NEAR(objective.evaluate(x, gradient), reference_pseudo(set, features, widen(x)), 1e-4);
  EXPECT_TRUE(gradient_matches([&](const std::vector<double>& at) { return reference_pseudo(set, features, at); },
                               widen(x), widen(gradient), 1e-4));
}

/// Where no item holds an attribute twice, the diagonal is exact for attributes with known labels.
TEST(CrfObjective, InverseCurvatureIsThatOfTheHessiansDiagonal) {
  TrainingSet set;
  set.attribute_count = 2;
  set.label_count = 2;
  set.items.bundles = {.offsets = {0, 1, 2}, .columns = {0, 1}, .values = {}};
  set.items.items = {.offsets = {0, 1, 2, 3}, .columns = {0, 1, 0}, .values = {2, 1, 3}};
  set.items.sequence_begin = {0, 1, 3};
  set.labels = {0, 1, 1};
  const CrfFeatures features = features_of(set, 1, true);
  const std::vector<float> x = {.1f, -.2f, .3f, .05f};
  const double l2 = .25;
  const std::vector<float> inverse = inverse_curvature(CrfObjective(set, features, {.l2 = l2}).curvature(x), l2);
  const auto variance = [](double margin) { return 1 / ((1 + std::exp(margin)) * (1 + std::exp(-margin))); };
  EXPECT_NEAR(1 / inverse[0], 2 * l2 + 4 * variance(2 * .3) + 9 * variance(3 * .3), 1e-5);
  EXPECT_NEAR(1 / inverse[2], 2 * l2 + variance(.25), 1e-5);
}

}  // namespace
}  // namespace fovea::sequence
