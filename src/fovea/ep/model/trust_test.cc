// SPDX-License-Identifier: Apache-2.0
// Models that once ended with a wrong answer, with the prior, or with an exception.
#include <gtest/gtest.h>

#include <cmath>
#include <optional>
#include <vector>

#include "fovea/base/random.h"
#include "fovea/ep/model/model.h"
#include "fovea/ep/quadrature/quadrature.h"

namespace fovea::ep {
namespace {

constexpr MessageSchedule kSchedules[] = {MessageSchedule::kSerial, MessageSchedule::kParallel,
                                          MessageSchedule::kResidual};

// y = 2 x + noise, y seen with more noise: all Gaussian, so the exact answer is known.
TEST(Trust, TakesASamplerWithAGaussianChild) {
  Model model;
  const Variable x = model.gaussian({.mean = 0, .variance = 1});
  const Variable y = model.factor(
      "double", {.sample = [](double v, Random& random) { return 2 * v + .5 * random.normal(); }, .recall = false},
      {x});
  model.observe(model.linear({1}, {y}, 0, .25), 1.5);
  const Posterior posterior = model.infer();
  EXPECT_TRUE(posterior.has_converged) << posterior.brief();
  const double precision = 1 + 4 / .5;
  EXPECT_NEAR(posterior.as<Gaussian>(x).mean(), 2 * 1.5 / .5 / precision, .01);
  EXPECT_NEAR(posterior.as<Gaussian>(x).variance(), 1 / precision, .01);
}

TEST(Trust, TakesASamplerWithAGammaChild) {
  Model model;
  const Variable x = model.gaussian({.mean = 0, .variance = 1});
  const Variable rate = model.factor(
      "exp", {.sample = [](double v) { return std::exp(v); }, .child = Gamma::from_shape_rate(1, 0), .recall = false},
      {x});
  model.observe(model.poisson(rate), 4);
  const Posterior posterior = model.infer();
  EXPECT_TRUE(posterior.has_converged) << posterior.brief();
  const LineMoments exact = integrate_line([](double t) { return -.5 * t * t + 4 * t - std::exp(t); }, 1, .3);
  EXPECT_NEAR(posterior.as<Gaussian>(x).mean(), exact.mean, .02);
  EXPECT_NEAR(posterior.as<Gaussian>(x).variance(), exact.variance, .02);
}

// Groups with latent normal means, whose precision has a prior of shape 1 or less.
TEST(Trust, MovesFromThePriorWhereAPrecisionIsVague) {
  for (const double shape : {1., .5, .001}) {
    for (const MessageSchedule schedule : kSchedules) {
      Model model;
      Random random(3);
      const Variable mean = model.gaussian({.mean = 0, .variance = 100}), precision = model.gamma(shape, shape);
      for (int group = 0; group < 20; ++group) {
        const Variable of_group = model.normal(mean, precision);
        const double truth = 5 + 2 * random.normal();
        for (int i = 0; i < 5; ++i) model.observe(model.linear({1}, {of_group}, 0, 1), truth + random.normal());
      }
      const Posterior posterior = model.infer({.schedule = schedule});
      EXPECT_TRUE(posterior.has_converged) << posterior.brief() << " shape " << shape;
      EXPECT_NEAR(posterior.as<Gaussian>(mean).mean(), 5, 1.2) << shape;
      EXPECT_LT(posterior.as<Gaussian>(mean).variance(), .5) << shape;
      EXPECT_NEAR(posterior.as<Gamma>(precision).mean(), .25, .15) << shape;
    }
  }
}

// Rates whose own rate is vague: x ~ Gamma(2, r), r ~ Gamma(.5, .5), counts of x.
TEST(Trust, MovesFromThePriorWhereARateIsVague) {
  std::vector<double> means;
  for (const MessageSchedule schedule : kSchedules) {
    Model model;
    const Variable rate = model.gamma(.5, .5);
    for (const int count : {3, 5, 2, 8, 4, 4, 6, 1}) model.observe(model.poisson(model.gamma_of_rate(2, rate)), count);
    const Posterior posterior = model.infer({.schedule = schedule});
    EXPECT_TRUE(posterior.has_converged) << posterior.brief();
    means.push_back(posterior.as<Gamma>(rate).mean());
    EXPECT_NEAR(means.back(), .5, .15);
    EXPECT_NEAR(means.back(), means.front(), 1e-3 * means.front());
  }
}

// Many variables that hang on one precision: all schedules must find one answer, or say that they did not.
TEST(Trust, SchedulesAgreeOnManyVariablesOfOnePrecision) {
  std::vector<double> precisions, means;
  for (const MessageSchedule schedule : kSchedules) {
    Model model;
    Random random(5);
    const Variable mean = model.gaussian({.mean = 0, .variance = 10}), precision = model.gamma(2, 2);
    std::vector<Variable> latent;
    for (int i = 0; i < 25; ++i) {
      latent.push_back(model.normal(mean, precision));
      model.observe(model.linear({1}, {latent.back()}, 0, .5), 1 + random.normal());
    }
    const Posterior posterior = model.infer({.max_marginal_kl = 1e-10, .iterations = 500, .schedule = schedule});
    EXPECT_TRUE(posterior.has_converged) << posterior.brief();
    precisions.push_back(posterior.as<Gamma>(precision).mean());
    means.push_back(posterior.as<Gaussian>(latent[7]).mean());
    EXPECT_NEAR(precisions.back(), precisions.front(), 1e-4);
    EXPECT_NEAR(means.back(), means.front(), 1e-4);
  }
}

// Draws and recall settle with default options: changes by chance do not count.
TEST(Trust, SettlesWithDrawsAndRecall) {
  Model model;
  Random random(7);
  const Variable weight = model.gaussian({.mean = 0, .variance = 4});
  const FactorSpec spec = {.sample = [](double x) { return 1 / (1 + std::exp(-x)); }, .child = Beta()};
  for (int i = 0; i < 40; ++i) {
    const double x = random.normal();
    const Variable p = model.factor("logistic", spec, {model.linear({x}, {weight})});
    model.observe(model.bernoulli(p), random.bernoulli(1 / (1 + std::exp(-1.5 * x))) ? 1 : 0);
  }
  const Posterior posterior = model.infer();
  EXPECT_TRUE(posterior.has_converged) << posterior.brief();
  EXPECT_LT(posterior.iterations, 30);
}

// Likelihoods far narrower than the prior: a count of 20 with a log link under N(0, 100), and noise of .01.
TEST(Trust, GridsCloseInOnNarrowPeaks) {
  Model model;
  const Variable x = model.gaussian({.mean = 0, .variance = 100});
  const auto log_density = [](double y, double v) { return y * v - std::exp(v) - std::lgamma(y + 1); };
  model.observe(
      model.factor("count", {.log_density = log_density, .child = Poisson(), .oracle = Oracle::kQuadrature}, {x}), 20);
  const Posterior posterior = model.infer();
  EXPECT_TRUE(posterior.has_converged) << posterior.brief();
  const LineMoments exact =
      integrate_line([](double t) { return -.005 * t * t + 20 * t - std::exp(t); }, std::log(20), .1);
  EXPECT_NEAR(posterior.as<Gaussian>(x).mean(), exact.mean, 1e-8);
  EXPECT_NEAR(posterior.as<Gaussian>(x).variance(), exact.variance, 1e-8);

  Model precise;
  const Variable z = precise.gaussian({.mean = 0, .variance = 1});
  const auto narrow = [](double y, double v) { return -.5 * (y - v * v * v) * (y - v * v * v) / 1e-4; };
  precise.observe(precise.factor("cube", {.log_density = narrow, .oracle = Oracle::kQuadrature}, {z}), 1.728);
  EXPECT_NEAR(precise.infer().as<Gaussian>(z).mean(), 1.2, 1e-4);
}

// A factor with a density alone predicts its child, by grids as by draws.
TEST(Trust, DensitiesPredict) {
  for (const bool quadrature : {true, false}) {
    Model model;
    const Variable x = model.gaussian({.mean = 50, .variance = 4});
    const FactorSpec spec = {.log_density = [](double y, double v) { return -.5 * ((y - 3 * v) * (y - 3 * v)); },
                             .oracle = quadrature ? Oracle::kQuadrature : Oracle::kDraws,
                             .recall = false};
    const Variable y = model.factor("triple", spec, {x});
    const Posterior posterior = model.infer();
    EXPECT_TRUE(posterior.has_converged) << posterior.brief();
    ASSERT_TRUE(is_proper(posterior[y]));
    EXPECT_NEAR(posterior.as<Gaussian>(y).mean(), 150, 1e-6);
    EXPECT_NEAR(posterior.as<Gaussian>(y).variance(), 37, 1e-5);
  }
}

/// Learns a hidden Markov model with unknown transitions, means and precisions. Returns the first mean, if it settled.
std::optional<double> learn_hidden_markov(int states, int steps, MessageSchedule schedule) {
  Model model;
  Random random(4);
  std::vector<Variable> rows, mean, precision;
  for (int k = 0; k < states; ++k) {
    rows.push_back(model.dirichlet(std::vector<double>(states, 1.)));
    mean.push_back(model.gaussian({.mean = 3. * k, .variance = 10}));
    precision.push_back(model.gamma(2, 2));
  }
  Variable state = model.categorical(model.dirichlet(std::vector<double>(states, 1.)));
  int truth = 0;
  for (int t = 0; t < steps; ++t) {
    if (t > 0) {
      state = model.pick_categorical(state, rows);
      if (random.bernoulli(.2)) truth = (truth + 1) % states;
    }
    model.observe(model.pick_normal(state, mean, precision), 3 * truth + random.normal());
  }
  const Posterior posterior =
      model.infer({.iterations = states > 2 ? 40 : 100, .schedule = schedule, .evidence = true});
  EXPECT_TRUE(std::isfinite(posterior.log_evidence.value_or(0)));
  for (const Variable v : mean) EXPECT_TRUE(std::isfinite(posterior.as<Gaussian>(v).mean()));
  if (!posterior.has_converged) return std::nullopt;
  EXPECT_TRUE(posterior.log_evidence.has_value());
  return posterior.as<Gaussian>(mean[0]).mean();
}

TEST(Trust, LearnsHiddenMarkovModels) {
  for (const int steps : {20, 150}) {
    const std::optional<double> serially = learn_hidden_markov(2, steps, MessageSchedule::kSerial);
    ASSERT_TRUE(serially);
    for (const MessageSchedule schedule : {MessageSchedule::kParallel, MessageSchedule::kResidual})
      EXPECT_NEAR(learn_hidden_markov(2, steps, schedule).value_or(1e9), *serially, 3e-3);
  }
}

// Three states and few steps: messages need not settle, but what they leave are numbers.
TEST(Trust, LeavesNumbersWhereItDoesNotSettle) {
  for (const MessageSchedule schedule : kSchedules) learn_hidden_markov(3, 20, schedule);
}

}  // namespace
}  // namespace fovea::ep
