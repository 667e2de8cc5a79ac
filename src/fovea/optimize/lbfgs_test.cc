// SPDX-License-Identifier: Apache-2.0
#include "fovea/optimize/lbfgs.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>
#include <vector>

namespace fovea::optimize {
namespace {

/// 1/2 (x - m)' A (x - m) with A = diag(c) + b b'; A is positive definite.
template <class RealType>
struct Quadratic {
  using Real = RealType;
  std::vector<double> c, b, m;

  explicit Quadratic(std::size_t n) {
    std::mt19937 engine(8);
    std::normal_distribution<double> normal(0, 1);
    for (std::size_t i = 0; i < n; ++i) {
      c.push_back(std::exp(2 * normal(engine)));
      b.push_back(normal(engine) / std::sqrt(n));
      m.push_back(normal(engine));
    }
  }
  std::size_t dimension() const { return m.size(); }
  double evaluate(std::span<const Real> x, std::span<Real> g) const {
    double f = 0, bx = 0;
    for (std::size_t i = 0; i < m.size(); ++i) bx += b[i] * (x[i] - m[i]);
    for (std::size_t i = 0; i < m.size(); ++i) {
      const double d = x[i] - m[i];
      f += c[i] * d * d / 2;
      g[i] = static_cast<Real>(c[i] * d + b[i] * bx);
    }
    return f + bx * bx / 2;
  }
};

constexpr StoppingOptions kPrecise{.max_iterations = 2000, .gradient_tolerance = 1e-10, .decrease_tolerance = 0};

TEST(Lbfgs, SummaryStartsAsNotRun) {
  const MinimizeSummary summary;
  EXPECT_FALSE(summary.usable());
  EXPECT_EQ(summary.brief(), "not run");
}

TEST(Lbfgs, NeverIncreasesTheObjective) {
  Quadratic<double> f(200);
  std::vector<double> x(200, 0.0);
  double last = std::numeric_limits<double>::infinity();
  const auto summary = minimize_lbfgs(f, std::span(x), {.stopping = kPrecise}, {}, [&](const IterationRecord& record) {
    EXPECT_LE(record.objective, last);
    last = record.objective;
    return true;
  });
  EXPECT_EQ(summary.termination, Termination::kConverged);
  EXPECT_LT(summary.last.objective, 1e-12);
}

TEST(Lbfgs, ScaleOfInverseCurvaturesSavesIterations) {
  Quadratic<double> f(200);
  std::vector<double> scale;
  for (const double c : f.c) scale.push_back(1 / c);
  std::vector<double> x(200, 0.0), y(200, 0.0);
  const auto plain = minimize_lbfgs(f, std::span(x), {.stopping = kPrecise});
  const auto scaled = minimize_lbfgs(f, std::span(y), {.stopping = kPrecise}, std::span<const double>(scale));
  // The scaled Hessian is the identity plus one of rank one: three steps would do with exact line searches.
  EXPECT_LE(scaled.last.iteration, 15);
  EXPECT_GE(plain.last.iteration, 3 * scaled.last.iteration);
}

TEST(Lbfgs, IsTheSameToTheBitAtAnyNumberOfThreads) {
  Quadratic<float> f(100000);
  std::vector<float> x(100000, 0.0f), y = x;
  const StoppingOptions stopping{.max_iterations = 12, .gradient_tolerance = 0, .decrease_tolerance = 0};
  minimize_lbfgs(f, std::span(x), {.stopping = stopping, .threads = 1});
  minimize_lbfgs(f, std::span(y), {.stopping = stopping, .threads = 3});
  EXPECT_EQ(x, y);
}

TEST(Lbfgs, GoesOnToTheBitWhereItStopped) {
  Quadratic<double> f(50);
  for (const double l1 : {0.0, .3}) {
    std::vector<double> x(50, 0.0), y = x;
    const LbfgsOptions options{.stopping = {.max_iterations = 30, .gradient_tolerance = 0}, .l1 = l1};
    LbfgsOptions half = options;
    half.stopping.max_iterations = 13;
    const auto whole = minimize_lbfgs(f, std::span(x), options);
    LbfgsState<double> state;
    minimize_lbfgs(f, std::span(y), half, state);
    const auto rest = minimize_lbfgs(f, std::span(y), options, state);
    EXPECT_EQ(x, y);
    EXPECT_EQ(rest.last.iteration, whole.last.iteration);
    EXPECT_EQ(rest.termination, whole.termination);
    EXPECT_EQ(rest.initial_objective, whole.initial_objective);
  }
}

TEST(Lbfgs, StopsWhenTheObserverSaysSo) {
  Quadratic<double> f(50);
  std::vector<double> x(50, 0.0), seen;
  const auto summary = minimize_lbfgs(f, std::span(x), {}, {}, [&](const IterationRecord& record) {
    seen = x;
    return record.iteration < 3;
  });
  EXPECT_EQ(summary.termination, Termination::kStopped);
  EXPECT_EQ(summary.last.iteration, 3);
  EXPECT_EQ(x, seen);  // x holds the iterate that was reported to the observer
}

TEST(Lbfgs, StopsByEachRule) {
  Quadratic<double> f(50);
  const auto run = [&](StoppingOptions stopping) {
    std::vector<double> x(50, 0.0);
    return minimize_lbfgs(f, std::span(x), {.stopping = stopping});
  };
  EXPECT_EQ(run({.max_iterations = 2}).termination, Termination::kIterations);
  const auto by_gradient = run({.gradient_tolerance = 1e-3, .decrease_tolerance = 0});
  EXPECT_EQ(by_gradient.termination, Termination::kConverged);
  EXPECT_LE(by_gradient.last.gradient_norm, 1e-3 * std::max(1.0, by_gradient.last.parameter_norm));
  const auto by_decrease = run({.gradient_tolerance = 0, .decrease_tolerance = .5, .period = 4});
  EXPECT_EQ(by_decrease.termination, Termination::kConverged);
  EXPECT_GT(by_decrease.last.gradient_norm, by_gradient.last.gradient_norm);
}

struct NotFinite {
  using Real = double;
  std::size_t dimension() const { return 1; }
  double evaluate(std::span<const double>, std::span<double> g) const {
    g[0] = 1;
    return std::numeric_limits<double>::quiet_NaN();
  }
};

TEST(Lbfgs, ReportsAnObjectiveThatIsNotFinite) {
  NotFinite f;
  std::vector<double> x(1);
  const auto summary = minimize_lbfgs(f, std::span(x));
  EXPECT_EQ(summary.termination, Termination::kNotFinite);
  EXPECT_FALSE(summary.usable());
}

/// -log x + x: not finite left of 0, where a long first step from x = 1e-3 lands.
struct Barrier {
  using Real = double;
  std::size_t dimension() const { return 1; }
  double evaluate(std::span<const double> x, std::span<double> g) const {
    g[0] = 1 - 1 / x[0];
    return x[0] - std::log(x[0]);
  }
};

TEST(Lbfgs, BacksAwayFromWhereTheObjectiveIsNotFinite) {
  Barrier f;
  std::vector<double> x = {20};
  const std::vector<double> scale = {1000};
  const auto summary = minimize_lbfgs(f, std::span(x), {.stopping = kPrecise}, std::span<const double>(scale));
  EXPECT_TRUE(summary.usable());
  EXPECT_NEAR(x[0], 1, 1e-6);
}

/// A slope that points uphill: no step can improve, as when rounding errors dominate.
struct WrongGradient {
  using Real = double;
  std::size_t dimension() const { return 1; }
  double evaluate(std::span<const double> x, std::span<double> g) const {
    g[0] = -1;
    return x[0];
  }
};

TEST(Lbfgs, SaysSoWhereNoStepImproves) {
  WrongGradient f;
  std::vector<double> x = {1};
  EXPECT_EQ(minimize_lbfgs(f, std::span(x)).termination, Termination::kNoImprovement);
  EXPECT_EQ(x[0], 1);
}

/// Proximal gradient descent with a step of 1 / L: slow, sure, and short enough to be right.
std::vector<double> proximal_gradient(const Quadratic<double>& f, double l1) {
  double largest = 0, norm = 0;
  for (std::size_t i = 0; i < f.c.size(); ++i) {
    largest = std::max(largest, f.c[i]);
    norm += f.b[i] * f.b[i];
  }
  const double step = 1 / (largest + norm);
  std::vector<double> x(f.dimension()), g(f.dimension());
  for (int iteration = 0; iteration < 200000; ++iteration) {
    f.evaluate(x, g);
    for (std::size_t i = 0; i < x.size(); ++i) {
      const double moved = x[i] - step * g[i];
      x[i] = std::copysign(std::max(0.0, std::abs(moved) - step * l1), moved);
    }
  }
  return x;
}

TEST(Owlqn, AgreesWithProximalGradientDescent) {
  Quadratic<double> f(30);
  for (const double l1 : {.05, .5, 3.0}) {
    const std::vector<double> expected = proximal_gradient(f, l1);
    std::vector<double> x(30, 0.0);
    const auto summary = minimize_lbfgs(f, std::span(x), {.stopping = kPrecise, .l1 = l1});
    EXPECT_TRUE(summary.usable());
    for (std::size_t i = 0; i < x.size(); ++i) {
      EXPECT_NEAR(x[i], expected[i], 1e-6) << i;
      EXPECT_EQ(x[i] == 0, expected[i] == 0) << i;
    }
  }
}

TEST(Owlqn, StaysAtZeroWhereThePenaltyOutweighsEveryGradient) {
  Quadratic<double> f(30);
  std::vector<double> x(30, 0.0);
  EXPECT_EQ(minimize_lbfgs(f, std::span(x), {.stopping = kPrecise, .l1 = 1e6}).termination, Termination::kConverged);
  EXPECT_THAT(x, ::testing::Each(0.0));
}

}  // namespace
}  // namespace fovea::optimize
