// SPDX-License-Identifier: Apache-2.0
#include "fovea/learn/doeblin/doeblin_gradient.h"

#include <gtest/gtest.h>

#include "fovea/base/random.h"
#include "tests/support/softmax_chain.h"

namespace fovea {
namespace {

using testing::SoftmaxChain;
using Output = SoftmaxChain::Output;

constexpr std::size_t kStates = 4;
constexpr double kEpsilon = .2;
constexpr int kRuns = 40000;
/// Of a few hundred means, none is this many standard errors off by chance.
constexpr double kErrors = 5;

/// d p(S_y) / d theta by central differences of the exact law.
std::vector<double> exact_derivative(const SoftmaxChain& model, const Output& y) {
  constexpr double kStep = 1e-5;
  std::vector<double> derivative(model.weight_count());
  for (std::size_t i = 0; i < derivative.size(); ++i) {
    const auto moved = [&](double by) {
      std::vector<double> theta = model.theta();
      theta[i] += by;
      return SoftmaxChain(kStates, std::move(theta)).probability(y, kEpsilon);
    };
    derivative[i] = (moved(kStep) - moved(-kStep)) / (2 * kStep);
  }
  return derivative;
}

/// The largest difference between means over runs and the exact derivative, in standard errors; run() is what one adds.
template <class Run>
double largest_error(const SoftmaxChain& model, const Output& y, const Run& run) {
  const std::vector<double> exact = exact_derivative(model, y);
  std::vector<double> sums(exact.size()), squares(exact.size());
  for (int n = 0; n < kRuns; ++n) {
    const std::vector<double> added = run();
    for (std::size_t i = 0; i < exact.size(); ++i) {
      sums[i] += added[i];
      squares[i] += added[i] * added[i];
    }
  }
  double largest = 0;
  for (std::size_t i = 0; i < exact.size(); ++i) {
    const double mean = sums[i] / kRuns, error = std::sqrt((squares[i] / kRuns - mean * mean) / kRuns) + 1e-12;
    largest = std::max(largest, std::abs(mean - exact[i]) / error);
  }
  return largest;
}

const Output kOne{{false, true, false, false}}, kSet{{true, false, true, false}};  // a state; y of a latent z

TEST(DoeblinGradientTest, EveryRunHasTheExactDerivativeInTheMean) {
  Random random(1);
  const SoftmaxChain model = SoftmaxChain::random(kStates, random);
  for (const Output& y : {kOne, kSet})
    for (const RunLength& length : {RunLength::geometric(kEpsilon), RunLength::last_step_only(kEpsilon),
                                    RunLength::geometric_with_rate(kEpsilon, .12)})
      EXPECT_LT(largest_error(model, y,
                              [&] {
                                DoeblinGradient gradient(model.weight_count());
                                gradient.add_run(model, y, length, random);
                                return std::vector(gradient.sum().begin(), gradient.sum().end());
                              }),
                kErrors);
}

/// Algorithm 1 as printed: of each path, only the start and the last transition.
std::vector<double> run_as_printed(const SoftmaxChain& model, const Output& y, Random& random) {
  std::vector<double> g(model.weight_count());
  const RunLength length = RunLength::geometric(kEpsilon);
  const std::uint64_t last = length.draw(random);
  model.add_start_gradient(y, kEpsilon * std::exp(model.log_start(y)), g);
  SoftmaxChain::State state = model.draw_start(random);
  const SoftmaxChain::State start = state;
  for (std::uint64_t t = 1; t <= last; ++t) {
    const double weight = kEpsilon * std::exp(model.log_step(y, state));
    model.add_start_gradient(start, weight, g);
    model.add_step_gradient(y, state, weight, g);
    state = model.draw_step(state, random);
  }
  return g;
}

TEST(DoeblinGradientTest, AsPrintedItIsNot) {
  Random random(1);
  const SoftmaxChain model = SoftmaxChain::random(kStates, random);
  EXPECT_GT(largest_error(model, kOne, [&] { return run_as_printed(model, kOne, random); }), 2 * kErrors);
}

TEST(DoeblinGradientTest, TheMassIsTheLikelihoodWithItsError) {
  Random random(2);
  const SoftmaxChain model = SoftmaxChain::random(kStates, random);
  DoeblinGradient gradient(model.weight_count());
  EXPECT_EQ(gradient.mass(), 0);
  for (int run = 0; run < kRuns; ++run) gradient.add_run(model, kSet, RunLength::geometric(kEpsilon), random);
  EXPECT_NEAR(gradient.mass(), model.probability(kSet, kEpsilon), kErrors * gradient.mass_error());
  EXPECT_GT(gradient.mass_error(), 1e-4);
  EXPECT_EQ(gradient.runs(), static_cast<std::uint64_t>(kRuns));
  EXPECT_NEAR(static_cast<double>(gradient.transitions()) / kRuns, 1 / kEpsilon - 1, .1);
}

// Bias of g / Z falls with the number of runs.
TEST(DoeblinGradientTest, ManyRunsGiveTheGradientOfTheLogLikelihood) {
  Random random(3);
  const SoftmaxChain model = SoftmaxChain::random(kStates, random);
  DoeblinGradient gradient(model.weight_count());
  for (int run = 0; run < kRuns; ++run) gradient.add_run(model, kOne, RunLength::geometric(kEpsilon), random);
  const std::vector<double> exact = exact_derivative(model, kOne), found = gradient.gradient();
  const double likelihood = model.probability(kOne, kEpsilon);
  for (std::size_t i = 0; i < exact.size(); ++i) EXPECT_NEAR(found[i], exact[i] / likelihood, .02);
}

TEST(DoeblinGradientTest, WithoutMassThereIsNoGradient) {
  const DoeblinGradient gradient(3);
  EXPECT_EQ(gradient.gradient(), std::vector<double>(3));
}

// All weight on the last step is right in the mean, too, but says less for the same transitions.
TEST(DoeblinGradientTest, EveryStepSaysMoreThanTheLastAlone) {
  Random random(4);
  const SoftmaxChain model = SoftmaxChain::random(kStates, random);
  const auto error_of = [&](const RunLength& length) {
    DoeblinGradient gradient(model.weight_count());
    for (int run = 0; run < kRuns; ++run) gradient.add_run(model, kOne, length, random);
    return gradient.mass_error();
  };
  EXPECT_LT(error_of(RunLength::geometric(kEpsilon)), error_of(RunLength::last_step_only(kEpsilon)));
}

}  // namespace
}  // namespace fovea
