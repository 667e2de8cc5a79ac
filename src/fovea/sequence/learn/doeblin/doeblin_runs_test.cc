// SPDX-License-Identifier: Apache-2.0
#include "fovea/sequence/learn/doeblin/doeblin_runs.h"

#include <gtest/gtest.h>

#include "fovea/base/random.h"
#include "tests/support/softmax_sequence.h"

namespace fovea::sequence {
namespace {

using testing::SoftmaxSequence;
using Output = SoftmaxSequence::Output;

constexpr std::size_t kStates = 4;
constexpr double kEpsilon = .2;
constexpr int kRuns = 40000;
/// None of a few hundred means is off by this many standard errors by chance.
constexpr double kErrors = 5;

/// d p(S_y) / d theta by central differences of the exact law; `at` makes a model of theta.
template <class At>
std::vector<double> exact_derivative(const std::vector<double>& theta, const Output& y, const At& at) {
  constexpr double kStep = 1e-5;
  std::vector<double> derivative(theta.size());
  for (std::size_t i = 0; i < theta.size(); ++i) {
    const auto moved = [&](double by) {
      std::vector<double> near = theta;
      near[i] += by;
      return at(near).probability(y);
    };
    derivative[i] = (moved(kStep) - moved(-kStep)) / (2 * kStep);
  }
  return derivative;
}

/// A SoftmaxSequence with restarts, and its exact law.
struct PlainModel : SoftmaxSequence {
  PlainModel(const std::vector<double>& weights) : SoftmaxSequence(kStates, weights) {}
  explicit PlainModel(Random& random) : SoftmaxSequence(SoftmaxSequence::random(kStates, random)) {}
  double probability(const Output& y) const { return SoftmaxSequence::probability(y, kEpsilon); }
};

/// The largest difference between means over runs and the exact derivative, in standard errors; run() returns one term.
template <class Run>
double largest_error(const std::vector<double>& exact, const Run& run, int repetitions = kRuns) {
  std::vector<double> sums(exact.size()), squares(exact.size());
  for (int n = 0; n < repetitions; ++n) {
    const std::vector<double> added = run();
    for (std::size_t i = 0; i < exact.size(); ++i) {
      sums[i] += added[i];
      squares[i] += added[i] * added[i];
    }
  }
  double largest = 0;
  for (std::size_t i = 0; i < exact.size(); ++i) {
    const double mean = sums[i] / repetitions;
    const double error = std::sqrt((squares[i] / repetitions - mean * mean) / repetitions) + 1e-12;
    largest = std::max(largest, std::abs(mean - exact[i]) / error);
  }
  return largest;
}

template <class Model>
std::vector<double> derivative_of(const Model& model, const Output& y, const DoeblinRuns<std::uint32_t>& runs,
                                  std::size_t weights, PathCredit credit = PathCredit::kMass) {
  std::vector<double> derivative(weights);
  runs.add_derivative(model, y, 1.0 / static_cast<double>(runs.masses().run_count()), credit, derivative);
  return derivative;
}

const auto kPlainAt = [](const std::vector<double>& theta) { return PlainModel(theta); };
const Output kOne{{false, true, false, false}}, kSet{{true, false, true, false}};  // a state; y of a latent z

TEST(DoeblinRunsTest, EveryRunHasTheExactDerivativeInTheMean) {
  Random random(1);
  const PlainModel model(random);
  for (const Output& y : {kOne, kSet})
    EXPECT_LT(largest_error(exact_derivative(model.theta(), y, kPlainAt),
                            [&] {
                              DoeblinRuns<std::uint32_t> runs;
                              runs.add(model, y, RunLength::geometric(kEpsilon), random);
                              return derivative_of(model, y, runs, model.weight_count());
                            }),
              kErrors);
}

TEST(DoeblinRunsTest, StratifiedLengthsAndAdvantagesHaveItToo) {
  Random random(5);
  const PlainModel model(random);
  const std::vector<double> exact = exact_derivative(model.theta(), kSet, kPlainAt);
  EXPECT_LT(largest_error(
                exact,
                [&] {
                  DoeblinRuns<std::uint32_t> runs;
                  runs.add_stratified(model, kSet, RunLength::geometric(kEpsilon), 4, random);
                  return derivative_of(model, kSet, runs, model.weight_count(), PathCredit::kAdvantage);
                },
                kRuns / 4),
            kErrors);
}

/// Algorithm 1 as printed: only the start and the last transition of each path.
std::vector<double> run_as_printed(const PlainModel& model, const Output& y, Random& random) {
  std::vector<double> g(model.weight_count());
  const RunLength length = RunLength::geometric(kEpsilon);
  const std::uint64_t last = length.draw(random);
  model.add_start_gradient(y, kEpsilon * std::exp(model.log_start(y)), g);
  SoftmaxSequence::State state = model.draw_start(random);
  const SoftmaxSequence::State start = state;
  for (std::uint64_t t = 1; t <= last; ++t) {
    const double weight = kEpsilon * std::exp(model.log_step(y, state));
    model.add_start_gradient(start, weight, g);
    model.add_step_gradient(y, state, weight, g);
    state = model.draw_step(state, random);
  }
  return g;
}

TEST(DoeblinRunsTest, AsPrintedItIsNot) {
  Random random(1);
  const PlainModel model(random);
  EXPECT_GT(largest_error(exact_derivative(model.theta(), kOne, kPlainAt),
                          [&] { return run_as_printed(model, kOne, random); }),
            2 * kErrors);
}

TEST(DoeblinRunsTest, TheMassIsTheLikelihoodWithItsError) {
  Random random(2);
  const PlainModel model(random);
  DoeblinRuns<std::uint32_t> runs;
  EXPECT_EQ(runs.masses().mean(), 0);
  for (int run = 0; run < kRuns; ++run) runs.add(model, kSet, RunLength::geometric(kEpsilon), random);
  const RunMasses& masses = runs.masses();
  EXPECT_NEAR(masses.mean(), model.probability(kSet), kErrors * masses.error());
  EXPECT_GT(masses.error(), 1e-4);
  EXPECT_EQ(masses.run_count(), static_cast<std::size_t>(kRuns));
  EXPECT_NEAR(static_cast<double>(masses.transitions()) / kRuns, 1 / kEpsilon - 1, .1);
}

TEST(DoeblinRunsTest, MassesMayBeRelative) {
  Random random(2), same(2);
  const PlainModel model(random);
  same = random;
  DoeblinRuns<std::uint32_t> runs, relative(-700);
  runs.add_stratified(model, kSet, RunLength::geometric(kEpsilon), 8, random);
  relative.add_stratified(model, kSet, RunLength::geometric(kEpsilon), 8, same);
  EXPECT_NEAR(std::log(relative.masses().mean()) - 700, std::log(runs.masses().mean()), 1e-9);
  std::vector<double> plain(model.weight_count()), scaled(model.weight_count());
  EXPECT_TRUE(runs.add_gradient(model, kSet, 1, PathCredit::kMass, plain));
  EXPECT_TRUE(relative.add_gradient(model, kSet, 1, PathCredit::kMass, scaled));
  for (std::size_t i = 0; i < plain.size(); ++i) EXPECT_NEAR(plain[i], scaled[i], 1e-9);
}

// Bias of g / Z falls with the number of runs.
TEST(DoeblinRunsTest, ManyRunsGiveTheGradientOfTheLogLikelihood) {
  Random random(3);
  const PlainModel model(random);
  DoeblinRuns<std::uint32_t> runs;
  for (int run = 0; run < kRuns; ++run) runs.add(model, kOne, RunLength::geometric(kEpsilon), random);
  std::vector<double> found(model.weight_count());
  EXPECT_TRUE(runs.add_gradient(model, kOne, 1, PathCredit::kMass, found));
  const std::vector<double> exact = exact_derivative(model.theta(), kOne, kPlainAt);
  for (std::size_t i = 0; i < exact.size(); ++i) EXPECT_NEAR(found[i], exact[i] / model.probability(kOne), .02);
}

TEST(DoeblinRunsTest, WithoutMassThereIsNoGradient) {
  Random random(3);
  const PlainModel model(random);
  std::vector<double> gradient(model.weight_count());
  EXPECT_FALSE(DoeblinRuns<std::uint32_t>().add_gradient(model, kOne, 1, PathCredit::kMass, gradient));
  EXPECT_EQ(gradient, std::vector<double>(model.weight_count()));
}

/// Sum over weights of the variance of gradient estimates of 16 runs each; `estimate` adds the runs.
template <class Estimate>
double total_variance(const PlainModel& model, PathCredit credit, const Estimate& estimate) {
  constexpr int kEstimates = 2000;
  std::vector<double> sums(model.weight_count()), squares(model.weight_count());
  for (int n = 0; n < kEstimates; ++n) {
    DoeblinRuns<std::uint32_t> runs;
    estimate(runs);
    std::vector<double> gradient(model.weight_count());
    runs.add_gradient(model, kSet, 1, credit, gradient);
    for (std::size_t i = 0; i < gradient.size(); ++i) {
      sums[i] += gradient[i];
      squares[i] += gradient[i] * gradient[i];
    }
  }
  double variance = 0;
  for (std::size_t i = 0; i < sums.size(); ++i)
    variance += squares[i] / kEstimates - sums[i] * sums[i] / kEstimates / kEstimates;
  return variance;
}

// The same transitions on average, with at least a third less variance.
TEST(DoeblinRunsTest, StratifiedLengthsAndAdvantagesVaryLess) {
  constexpr int kChains = 16;
  Random random(7);
  const PlainModel model(random);
  const RunLength length = RunLength::geometric(kEpsilon);
  const double plain = total_variance(model, PathCredit::kMass, [&](auto& runs) {
    for (int i = 0; i < kChains; ++i) runs.add(model, kSet, length, random);
  });
  const double reduced = total_variance(model, PathCredit::kAdvantage,
                                        [&](auto& runs) { runs.add_stratified(model, kSet, length, kChains, random); });
  RecordProperty("variance_ratio", std::to_string(plain / reduced));
  EXPECT_GT(plain, 1.5 * reduced);
}

}  // namespace
}  // namespace fovea::sequence
