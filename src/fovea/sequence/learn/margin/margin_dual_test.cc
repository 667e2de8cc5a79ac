// SPDX-License-Identifier: Apache-2.0
#include "fovea/sequence/learn/margin/margin_dual.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>
#include <vector>

#include "fovea/sequence/learn/training_set.h"
#include "tests/support/reference_margin.h"

namespace fovea::sequence {
namespace {

using testing::random_parameters;
using testing::random_training_set;
using testing::ReferenceMargin;

constexpr double kPenalty = .3;

struct DualProblem {
  DualProblem(std::uint32_t seed, int factor_size, bool with_values = true)
      : set(random_training_set({.with_values = with_values}, seed)),
        features(observed_features(set, TransposedItems(set.items, set.attribute_count), factor_size)),
        dual(set, features, kPenalty) {}

  void visit_all(int passes) {
    for (int pass = 0; pass < passes; ++pass)
      for (std::size_t s = 0; s < set.items.sequence_count(); ++s) dual.visit(s);
  }
  std::vector<double> x() const { return {dual.weights().values().begin(), dual.weights().values().end()}; }

  TrainingSet set;
  CrfFeatures features;
  MarginDual dual;
};

std::vector<double> weights_by_definition(const DualProblem& problem) {
  const ReferenceMargin reference(problem.set, problem.features, kPenalty);
  std::vector<double> w(problem.features.dimension());
  for (std::size_t s = 0; s < problem.set.items.sequence_count(); ++s) {
    const std::vector<double> right = reference.counts(s, reference.truth(s));
    for (const MarginDual::Support& support : problem.dual.supports(s)) {
      const std::vector<double> wrong = reference.counts(s, support.labels);
      for (std::size_t i = 0; i < w.size(); ++i) w[i] += support.mass * (right[i] - wrong[i]) / (2 * kPenalty);
    }
  }
  return w;
}

/// True if the primal agrees with the reference.
bool is_primal(double primal, const ReferenceMargin& reference, const std::vector<double>& x) {
  return std::abs(primal - reference.evaluate(x)) < 1e-8 * (1 + std::abs(primal));
}

class MarginDualTest : public ::testing::TestWithParam<int> {};

TEST_P(MarginDualTest, WeightsAreThoseOfTheMasses) {
  for (const int passes : {0, 1, 7, 60}) {
    DualProblem problem(3, GetParam());
    problem.visit_all(passes);
    const std::vector<double> expected = weights_by_definition(problem);
    for (std::size_t i = 0; i < expected.size(); ++i) EXPECT_NEAR(problem.x()[i], expected[i], 1e-5);
    for (std::size_t s = 0; s < problem.set.items.sequence_count(); ++s) {
      double mass = 0;
      for (const MarginDual::Support& support : problem.dual.supports(s)) {
        EXPECT_GT(support.mass, 0);
        mass += support.mass;
      }
      EXPECT_NEAR(mass, 1, 1e-12);
    }
  }
}

TEST_P(MarginDualTest, PrimalAndGapsAgreeWithEnumeration) {
  for (const int passes : {0, 1, 7, 60}) {
    DualProblem problem(5, GetParam());
    problem.visit_all(passes);
    const MarginDual::Certificate certificate = problem.dual.certificate(1).value();
    EXPECT_TRUE(is_primal(certificate.primal, ReferenceMargin(problem.set, problem.features, kPenalty), problem.x()));
    double gaps = 0;
    for (const double gap : certificate.gaps) {
      EXPECT_GE(gap, -1e-12);
      gaps += gap;
    }
    EXPECT_NEAR(gaps, certificate.gap(), 1e-5);
  }
}

/// The wrong fixture: an objective without the loss, and one with twice the loss.
TEST_P(MarginDualTest, WrongObjectivesAreToldFromIt) {
  DualProblem problem(5, GetParam());
  problem.visit_all(3);
  const double primal = problem.dual.certificate(1)->primal;
  EXPECT_TRUE(is_primal(primal, ReferenceMargin(problem.set, problem.features, kPenalty), problem.x()));
  for (const double cost : {0., 2.})
    EXPECT_FALSE(is_primal(primal, ReferenceMargin(problem.set, problem.features, kPenalty, cost), problem.x()));
}

TEST_P(MarginDualTest, NoWeightsAreBetterThanTheDual) {
  DualProblem problem(7, GetParam());
  problem.visit_all(40);
  const double dual = problem.dual.certificate(1)->dual;
  const ReferenceMargin reference(problem.set, problem.features, kPenalty);
  for (std::uint32_t seed = 0; seed < 50; ++seed) {
    const std::vector<float> x = random_parameters(problem.features.dimension(), seed, .02 * seed);
    EXPECT_GE(reference.evaluate({x.begin(), x.end()}), dual);
  }
  EXPECT_GE(reference.minimum(problem.features.dimension(), 100), dual - 1e-9);
}

TEST_P(MarginDualTest, StepsRaiseTheDualByWhatTheySay) {
  DualProblem problem(9, GetParam());
  double before = problem.dual.certificate(1)->dual;
  EXPECT_EQ(before, 0);
  for (int i = 0; i < 80; ++i) {
    const MarginDual::Step step = problem.dual.visit(static_cast<std::size_t>(i) % 4);
    const double after = problem.dual.certificate(1)->dual;
    EXPECT_GE(step.gain, 0);
    EXPECT_GE(step.slope, step.gap - 1e-12);
    EXPECT_NEAR(after - before, step.gain, 1e-6);
    before = after;
  }
}

/// Where a step ends inside, the dual has no slope left along it: augmented scores of the two labelings are equal.
TEST_P(MarginDualTest, LineSearchIsExact) {
  DualProblem problem(11, GetParam());
  int inside = 0, at_the_end = 0;
  for (int i = 0; i < 80; ++i) {
    const auto s = static_cast<std::size_t>(i) % 4;
    const ReferenceMargin reference(problem.set, problem.features, kPenalty);
    const std::vector<double> x = problem.x();
    const std::vector<Value> highest = reference.most_violating(s, x);
    std::vector<Value> lowest = highest;
    for (const MarginDual::Support& support : problem.dual.supports(s))
      if (reference.augmented(s, support.labels, x) < reference.augmented(s, lowest, x)) lowest = support.labels;
    const MarginDual::Step step = problem.dual.visit(s);
    if (step.slope < 1e-9) continue;
    const double left = reference.augmented(s, highest, problem.x()) - reference.augmented(s, lowest, problem.x());
    EXPECT_LT(left, step.slope);
    if (step.mass < step.limit) EXPECT_NEAR(left, 0, 1e-5);
    else EXPECT_GE(left, -1e-5);
    (step.mass < step.limit ? inside : at_the_end) += 1;
  }
  EXPECT_GT(inside, 5);
  EXPECT_GT(at_the_end, 0);
}

TEST_P(MarginDualTest, GapVanishes) {
  DualProblem problem(13, GetParam());
  problem.visit_all(600);
  const MarginDual::Certificate certificate = problem.dual.certificate(1).value();
  EXPECT_LT(certificate.gap(), 1e-3 * certificate.primal);
}

INSTANTIATE_TEST_SUITE_P(FactorSizes, MarginDualTest, ::testing::Values(1, 2));

TEST(MarginDual, CertificateDoesNotDependOnThreadsAndEndsAtAStop) {
  const TrainingSet set = random_training_set({.lengths = std::vector<std::uint32_t>(300, 5)}, 1);
  const CrfFeatures features = observed_features(set, TransposedItems(set.items, set.attribute_count), 2);
  MarginDual dual(set, features, 1);
  for (std::size_t s = 0; s < 300; ++s) dual.visit(s);
  const MarginDual::Certificate one = dual.certificate(1).value(), many = dual.certificate(4).value();
  EXPECT_EQ(one.primal, many.primal);
  EXPECT_EQ(one.dual, many.dual);
  EXPECT_EQ(one.gaps, many.gaps);
  CancelToken cancel;
  cancel.cancel();
  EXPECT_EQ(dual.certificate(4, {.cancel = &cancel}), std::nullopt);
}

}  // namespace
}  // namespace fovea::sequence
