// SPDX-License-Identifier: Apache-2.0
// The kernel, and what Steinhardt and Liang (2015) prove about it in section 3, on small random chains.
#include "fovea/mcmc/restart/restart_kernel.h"

#include <gtest/gtest.h>

#include <cmath>

#include "fovea/base/random.h"
#include "tests/support/enumerating_random.h"
#include "tests/support/markov_matrix.h"
#include "tests/support/statistics.h"

namespace fovea::mcmc {
namespace {

using testing::divergence;
using testing::Law;
using testing::MarkovMatrix;
using testing::random_chain;
using testing::random_law;
using testing::random_reversible_chain;

auto kernel_of(const MarkovMatrix& a, const Law& u, double epsilon) {
  return with_restarts([&a](std::size_t& y, auto& random) { y = a.step(y, random); },
                       [&u](std::size_t& y, auto& random) { y = random.categorical(std::span<const double>(u)); },
                       epsilon);
}

MarkovMatrix with_restarts_from(const MarkovMatrix& a, const Law& u, double epsilon) {
  return a.mixed_with(MarkovMatrix::restart(u), epsilon);
}

/// epsilon sum_j (1 - epsilon)^j A^j u: equation (3).
Law law_by_equation_3(const MarkovMatrix& a, Law u, double epsilon) {
  Law law(u.size());
  for (double weight = epsilon; weight > 1e-17; weight *= 1 - epsilon) {
    for (std::size_t y = 0; y < u.size(); ++y) law[y] += weight * u[y];
    u = a.after_step(u);
  }
  return law;
}

double gap(const Law& p, const Law& q) {
  double largest = 0;
  for (std::size_t i = 0; i < p.size(); ++i) largest = std::max(largest, std::abs(p[i] - q[i]));
  return largest;
}

/// d_pi of proposition 3.5; as printed, with -1 + sum pi'^2 / pi, it suffers from cancellation if the two are close.
double distance(const Law& from_pi, const Law& pi) {
  double sum = 0;
  for (std::size_t i = 0; i < pi.size(); ++i) sum += (from_pi[i] - pi[i]) * (from_pi[i] - pi[i]) / pi[i];
  return std::sqrt(sum);
}

TEST(RestartKernelTest, AStepMixesRestartsWithTransitions) {
  Random random(1);
  const MarkovMatrix a = random_chain(4, random);
  const Law u = random_law(4, random);
  const MarkovMatrix expected = with_restarts_from(a, u, .2);
  auto kernel = kernel_of(a, u, .2);
  for (std::size_t from = 0; from < 4; ++from) {
    Law found(4);
    std::size_t y = 0;
    testing::EnumeratingRandom().enumerate(
        [&](auto& enumerated) {
          y = from;
          kernel.step(y, enumerated);
        },
        [&](double probability) { found[y] += probability; });
    for (std::size_t to = 0; to < 4; ++to) EXPECT_NEAR(found[to], expected.at(from, to), 1e-15);
  }
}

TEST(RestartKernelTest, DrawsFromTheStationaryLaw) {
  Random random(2);
  const MarkovMatrix a = random_chain(5, random);
  const Law u = random_law(5, random);
  auto kernel = kernel_of(a, u, .15);
  std::uint64_t steps = 0;
  std::size_t y = 0;
  EXPECT_TRUE(testing::draws_follow(with_restarts_from(a, u, .15).stationary(), 50000, [&] {
    steps += kernel.draw(y, random);
    return y;
  }));
  EXPECT_NEAR(static_cast<double>(steps) / 50000, 1 / .15 - 1, .2);
}

TEST(RestartKernelTest, AtEpsilonOneEveryStepRestarts) {
  Random random(3);
  const Law u = {0, 1};
  const MarkovMatrix a = MarkovMatrix::identity(2);
  auto kernel = kernel_of(a, u, 1);
  std::size_t y = 0;
  EXPECT_EQ(kernel.draw(y, random), 0u);
  EXPECT_EQ(y, 1u);
  EXPECT_THROW(kernel_of(a, u, 0), InternalError);
  EXPECT_THROW(kernel_of(a, u, 1.5), InternalError);
}

TEST(StrongDoeblinChains, Proposition31TheGapIsAtLeastEpsilon) {
  Random random(4);
  for (const double epsilon : {.01, .1, .5})
    for (int i = 0; i < 20; ++i) {
      const MarkovMatrix a = random_chain(6, random);
      const MarkovMatrix restarted = with_restarts_from(a, random_law(6, random), epsilon);
      EXPECT_GE(1 - restarted.second_eigenvalue(), epsilon - 1e-9);
      EXPECT_NEAR(restarted.second_eigenvalue(), (1 - epsilon) * a.second_eigenvalue(), 1e-9);
    }
}

TEST(StrongDoeblinChains, Proposition32TheStationaryLaw) {
  Random random(5);
  for (const double epsilon : {.01, .1, .5, 1.0}) {
    const MarkovMatrix a = random_chain(6, random);
    const Law u = random_law(6, random);
    EXPECT_LT(gap(law_by_equation_3(a, u, epsilon), with_restarts_from(a, u, epsilon).stationary()), 1e-12);
  }
}

TEST(StrongDoeblinChains, Lemma33AStepBringsNoDivergence) {
  Random random(6);
  for (int i = 0; i < 50; ++i) {
    const MarkovMatrix b = random_chain(5, random);
    const Law pi = b.stationary(), other = random_law(5, random), next = b.after_step(other);
    EXPECT_LE(divergence(pi, next), divergence(pi, other) + 1e-12);
    EXPECT_LE(divergence(next, pi), divergence(other, pi) + 1e-12);
  }
}

TEST(StrongDoeblinChains, Proposition34FewerRestartsAreCloser) {
  Random random(7);
  for (int i = 0; i < 20; ++i) {
    const MarkovMatrix a = random_chain(5, random);
    const Law u = random_law(5, random), pi = a.stationary();
    double last = 0, last_back = 0;
    for (const double epsilon : {1e-4, 1e-3, .01, .1, .3, .7, 1.0}) {
      const Law law = law_by_equation_3(a, u, epsilon);
      EXPECT_GE(divergence(law, pi), last - 1e-12);
      EXPECT_GE(divergence(pi, law), last_back - 1e-12);
      last = divergence(law, pi);
      last_back = divergence(pi, law);
    }
  }
}

// And the tighter bound epsilon / (1 - (1 - epsilon) lambda_2).
TEST(StrongDoeblinChains, Proposition35ChainsThatMixFastKeepTheirLaw) {
  Random random(8);
  for (int i = 0; i < 20; ++i) {
    const MarkovMatrix a = random_reversible_chain(5, .1 * i / 2, random);
    const Law u = random_law(5, random), pi = a.stationary();
    const double second = a.second_eigenvalue();
    for (const double epsilon : {1e-3, .01, .1, .5}) {
      const double found = distance(law_by_equation_3(a, u, epsilon), pi);
      EXPECT_LE(found, epsilon / (1 - (1 - epsilon) * second) * distance(u, pi) * (1 + 1e-9));
      EXPECT_LE(epsilon / (1 - (1 - epsilon) * second), epsilon / (1 - second));
    }
  }
}

// Figure 1, delta = 1e-4: states 1 and 3 are left once in 1 / delta and 1 / (2 delta) steps. Solved in fractions.
TEST(StrongDoeblinChains, Figure1) {
  constexpr double d = 1e-4;
  const MarkovMatrix a(3, {1 - d, d, 0, 1.0 / 3, 0, 2.0 / 3, 0, 2 * d, 1 - 2 * d});
  const Law u(3, 1.0 / 3), pi = a.stationary();
  EXPECT_NEAR(pi[0], 1 / (2 + 3 * d), 1e-9);
  EXPECT_NEAR(pi[1], 3 * d / (2 + 3 * d), 1e-9);
  const std::vector<std::pair<double, double>> curve = {{1e-6, .499511445}, {1e-5, .496048934}, {1e-4, .476109543},
                                                        {1e-3, .450802397}, {1e-2, .443998424}, {.1, .433348243}};
  for (const auto& [epsilon, expected] : curve)
    EXPECT_NEAR(with_restarts_from(a, u, epsilon).stationary()[0], expected, 1e-8) << epsilon;
}

/// Expected score of a draw, if a step halves what is missing.
double halving_score(double epsilon) {
  double score = 0;
  for (int t = 0; t < 2000; ++t) score += epsilon * std::pow(1 - epsilon, t) * (1 - std::pow(.5, t));
  return score;
}

TEST(RestartRateTest, DearStartsAreWorthLongerRuns) {
  double last = 1;
  for (const double start_cost : {.1, 1.0, 10.0, 100.0}) {
    const double rate = best_restart_rate(halving_score, start_cost);
    EXPECT_LT(rate, last);
    last = rate;
  }
}

TEST(RestartRateTest, StepsThatDoNotGainAreNotTaken) {
  EXPECT_EQ(best_restart_rate([](double epsilon) { return epsilon; }, 5), 1);
  EXPECT_EQ(best_restart_rate([](double) { return 3.0; }, 5), 1);
}

}  // namespace
}  // namespace fovea::mcmc
