// SPDX-License-Identifier: Apache-2.0
// All optimisers on the same convex problems.
#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

#include "fovea/optimize/adagrad.h"
#include "fovea/optimize/lbfgs.h"
#include "fovea/optimize/rprop.h"
#include "tests/support/gradient_check.h"

namespace fovea::optimize {
namespace {

/// f(x) = 1/2 sum_i c_i (x_i - m_i)^2 + quartic / 4 sum_i (x_i - m_i)^4, with its minimum 0 at m.
struct Bowl {
  using Real = double;
  std::vector<double> curvature, minimum;
  double quartic = 0;
  int evaluations = 0;

  std::size_t dimension() const { return minimum.size(); }
  double evaluate(std::span<const double> x, std::span<double> g) {
    ++evaluations;
    double f = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
      const double d = x[i] - minimum[i];
      f += curvature[i] * d * d / 2 + quartic * d * d * d * d / 4;
      g[i] = curvature[i] * d + quartic * d * d * d;
    }
    return f;
  }
};

/// Logistic regression with an L2 penalty on correlated features: sum log(1 + exp(-y w.x)) + l2 |w|^2.
template <class RealType>
struct Logistic {
  using Real = RealType;
  std::vector<std::vector<double>> rows;
  std::vector<double> signs;
  double l2 = .1;

  std::size_t dimension() const { return rows[0].size(); }
  double evaluate(std::span<const Real> w, std::span<Real> g) const {
    double f = 0;
    std::vector<double> gradient(w.size());
    for (std::size_t i = 0; i < w.size(); ++i) {
      f += l2 * w[i] * w[i];
      gradient[i] = 2 * l2 * w[i];
    }
    for (std::size_t n = 0; n < rows.size(); ++n) {
      double margin = 0;
      for (std::size_t i = 0; i < w.size(); ++i) margin += signs[n] * w[i] * rows[n][i];
      f += margin > 0 ? std::log1p(std::exp(-margin)) : std::log1p(std::exp(margin)) - margin;
      for (std::size_t i = 0; i < w.size(); ++i) gradient[i] -= signs[n] * rows[n][i] / (1 + std::exp(margin));
    }
    std::copy(gradient.begin(), gradient.end(), g.begin());
    return f;
  }
};

Bowl make_bowl(double quartic = 0) {
  Bowl bowl;
  bowl.quartic = quartic;
  for (int i = 0; i < 20; ++i) {
    bowl.curvature.push_back(std::pow(1.5, i));  // condition number 2200
    bowl.minimum.push_back(std::cos(i) * 2);
  }
  return bowl;
}

template <class Real = double>
Logistic<Real> make_logistic(std::size_t dimension = 15, std::size_t count = 60) {
  std::mt19937 engine(4);
  std::normal_distribution<double> normal(0, 1);
  Logistic<Real> problem;
  for (std::size_t n = 0; n < count; ++n) {
    std::vector<double> row(dimension);
    const double shared = normal(engine);
    for (double& v : row) v = normal(engine) + shared;
    problem.rows.push_back(row);
    problem.signs.push_back(row[0] - .5 * row[1] + .3 * normal(engine) > 0 ? 1 : -1);
  }
  return problem;
}

template <class F>
double gradient_norm_at(F& f, const std::vector<double>& x) {
  std::vector<double> g(x.size());
  f.evaluate(x, g);
  double sum = 0;
  for (const double v : g) sum += v * v;
  return std::sqrt(sum);
}

/// The optimisers as functions that start at x and leave the result there.
struct Method {
  const char* name;
  void (*bowl)(Bowl&, std::vector<double>&);
  void (*logistic)(Logistic<double>&, std::vector<double>&);
};

constexpr StoppingOptions kToTheEnd{.max_iterations = 3000, .gradient_tolerance = 1e-9, .decrease_tolerance = 0};

template <class F>
void with_lbfgs(F& f, std::vector<double>& x) {
  EXPECT_EQ(minimize_lbfgs(f, std::span(x), {.stopping = kToTheEnd}).termination, Termination::kConverged);
}

template <class F>
void with_vanishing_l1(F& f, std::vector<double>& x) {
  minimize_lbfgs(f, std::span(x), {.stopping = kToTheEnd, .l1 = 1e-9});
}

template <class F>
void with_rprop(F& f, std::vector<double>& x) {
  RpropOptions options{.stopping = kToTheEnd};
  options.min_step = 1e-14;
  EXPECT_TRUE(minimize_rprop(f, std::span(x), options).usable());
}

template <class F>
void with_adagrad(F& f, std::vector<double>& x) {
  AdaGrad<double> adagrad(x, {.learning_rate = 1});
  std::vector<double> g(x.size());
  for (int step = 0; step < 20000; ++step) {
    f.evaluate(x, g);
    adagrad.next_step();
    for (std::size_t i = 0; i < x.size(); ++i) adagrad.update(i, g[i]);
  }
  adagrad.flush();
}

class ConvexProblems : public ::testing::TestWithParam<Method> {};

TEST_P(ConvexProblems, FindsTheMinimumOfBowls) {
  for (const double quartic : {0.0, 1.0}) {
    Bowl bowl = make_bowl(quartic);
    std::vector<double> x(bowl.dimension(), 0.0);
    GetParam().bowl(bowl, x);
    for (std::size_t i = 0; i < x.size(); ++i) EXPECT_NEAR(x[i], bowl.minimum[i], 1e-6) << i;
  }
}

TEST_P(ConvexProblems, FindsTheMinimumOfLogisticRegression) {
  Logistic<double> problem = make_logistic();
  std::vector<double> x(problem.dimension(), 0.0);
  GetParam().logistic(problem, x);
  // f is 2 l2-strongly convex: |x - x*| <= |gradient| / (2 l2).
  EXPECT_LT(gradient_norm_at(problem, x) / (2 * problem.l2), 1e-5);
}

INSTANTIATE_TEST_SUITE_P(Optimizers, ConvexProblems,
                         ::testing::Values(Method{"lbfgs", with_lbfgs, with_lbfgs},
                                           Method{"owlqn", with_vanishing_l1, with_vanishing_l1},
                                           Method{"rprop", with_rprop, with_rprop},
                                           Method{"adagrad", with_adagrad, with_adagrad}),
                         [](const auto& test) { return test.param.name; });

TEST(ConvexProblemsThemselves, HaveRightGradients) {
  Bowl bowl = make_bowl(1);
  Logistic<double> logistic = make_logistic();
  const auto check = [](auto& f) {
    std::vector<double> x, g(f.dimension()), ignored(f.dimension());
    for (std::size_t i = 0; i < f.dimension(); ++i) x.push_back(std::sin(3.0 * i));
    f.evaluate(x, g);
    return testing::gradient_matches([&](const std::vector<double>& at) { return f.evaluate(at, ignored); }, x, g);
  };
  EXPECT_TRUE(check(bowl));
  EXPECT_TRUE(check(logistic));
}

}  // namespace
}  // namespace fovea::optimize
