// SPDX-License-Identifier: Apache-2.0
#include "fovea/ep/model/model.h"

#include <gtest/gtest.h>

#include <cmath>
#include <stdexcept>

#include "fovea/base/error.h"
#include "fovea/ep/operators/logistic.h"
#include "fovea/ep/operators/truncation.h"
#include "tests/support/temporary_folder.h"

namespace fovea::ep {
namespace {

double log_normal(double x, double mean, double variance) {
  return -.5 * ((x - mean) * (x - mean) / variance + std::log(2 * M_PI * variance));
}

class Schedules : public ::testing::TestWithParam<MessageSchedule> {
 protected:
  InferenceOptions options() const {
    return {.max_marginal_kl = 1e-14, .iterations = 500, .schedule = GetParam(), .evidence = true};
  }
};

INSTANTIATE_TEST_SUITE_P(All, Schedules,
                         ::testing::Values(MessageSchedule::kSerial, MessageSchedule::kParallel,
                                           MessageSchedule::kResidual));

// On trees of Gaussians all schedules give the exact posterior and evidence: mu ~ N(1, 4), x_i ~ N(mu, .5) observed.
TEST_P(Schedules, AreExactOnGaussianTrees) {
  Model model;
  const Variable mu = model.gaussian({.mean = 1, .variance = 4});
  const double seen[] = {2, 3.5, 1};
  for (const double value : seen) model.observe(model.linear({1}, {mu}, 0, .5), value);
  const Posterior posterior = model.infer(options());
  EXPECT_TRUE(posterior.has_converged) << posterior.brief();
  const double precision = .25 + 3 / .5, mean = (.25 + 6.5 / .5) / precision;
  EXPECT_NEAR(posterior.as<Gaussian>(mu).mean(), mean, 1e-12);
  EXPECT_NEAR(posterior.as<Gaussian>(mu).variance(), 1 / precision, 1e-12);
  // Sequentially: p(x_1) p(x_2 | x_1) p(x_3 | x_1, x_2).
  double expected = 0, m = 1, v = 4;
  for (const double value : seen) {
    expected += log_normal(value, m, v + .5);
    const double gain = v / (v + .5);
    m += gain * (value - m);
    v *= 1 - gain;
  }
  EXPECT_NEAR(posterior.log_evidence.value(), expected, 1e-9);
}

// TrueSkill's factor: performances of two players with noise, the first wins. Closed form for one game.
TEST_P(Schedules, SolveAGameOfTwo) {
  Model model;
  const Variable a = model.gaussian({.mean = 25, .variance = 70}), b = model.gaussian({.mean = 30, .variance = 20});
  const Variable difference = model.linear({1, -1}, {a, b}, 0, 2 * 17.4);
  model.observe(model.greater_than(difference), 1);
  const Posterior posterior = model.infer(options());
  EXPECT_TRUE(posterior.has_converged) << posterior.brief();
  const double total = 70 + 20 + 2 * 17.4, z = -5 / std::sqrt(total);
  const double pull = std::exp(log_normal(z, 0, 1) - log_normal_cdf(z)), shrink = pull * (pull + z);
  EXPECT_NEAR(posterior.as<Gaussian>(a).mean(), 25 + 70 / std::sqrt(total) * pull, 1e-9);
  EXPECT_NEAR(posterior.as<Gaussian>(a).variance(), 70 * (1 - 70 / total * shrink), 1e-9);
  EXPECT_NEAR(posterior.as<Gaussian>(b).mean(), 30 - 20 / std::sqrt(total) * pull, 1e-9);
  EXPECT_NEAR(posterior.log_evidence.value(), log_normal_cdf(z), 1e-9);
}

// A cycle of three games: all schedules and dampings have the same fixed point.
TEST_P(Schedules, AgreeOnTournaments) {
  const auto means = [&](InferenceOptions options) {
    Model model;
    std::vector<Variable> skills;
    for (int i = 0; i < 4; ++i) skills.push_back(model.gaussian({.mean = 0, .variance = 3}));
    const int games[][2] = {{0, 1}, {1, 2}, {0, 2}, {3, 0}, {2, 1}};
    for (const auto& [winner, loser] : games)
      model.observe(model.greater_than(model.linear({1, -1}, {skills[winner], skills[loser]}, 0, 1)), 1);
    options.evidence = false;
    const Posterior posterior = model.infer(options);
    EXPECT_TRUE(posterior.has_converged) << posterior.brief();
    std::vector<double> result;
    for (const Variable v : skills) result.push_back(posterior.as<Gaussian>(v).mean());
    return result;
  };
  InferenceOptions damped = options();
  damped.damping = .3;
  const std::vector<double> serial = means({.max_marginal_kl = 1e-14, .iterations = 500});
  const std::vector<double> here = means(options()), slowly = means(damped);
  for (std::size_t i = 0; i < serial.size(); ++i) {
    EXPECT_NEAR(here[i], serial[i], 1e-5);
    EXPECT_NEAR(slowly[i], serial[i], 1e-5);
  }
  EXPECT_GT(serial[3], serial[0]);
  EXPECT_GT(serial[0], serial[2]);
}

// Gates, unknown precisions, vectors and counts: all schedules have the same fixed point as a damped run.
TEST_P(Schedules, AgreeOnGates) {
  const auto solve = [](const InferenceOptions& options) {
    Model model;
    Random random(6);
    const std::vector<Variable> means = {model.gaussian({.mean = -1, .variance = 9}),
                                         model.gaussian({.mean = 1, .variance = 9})};
    const Variable precision = model.gamma(3, 2), share = model.beta(2, 2), w = model.vector({0, 0}, {1, .2, .2, 1});
    model.observe(model.poisson(precision), 2);
    model.observe(model.normal(model.dot({1, 1}, w), precision), 1.5);
    for (int i = 0; i < 20; ++i)
      model.observe(model.pick_normal(model.bernoulli(share), means, {precision}),
                    (random.bernoulli(.5) ? 3 : -3) + random.normal());
    const Posterior posterior = model.infer(options);
    EXPECT_TRUE(posterior.has_converged) << posterior.brief();
    return std::vector{posterior.as<Gaussian>(means[0]).mean(), posterior.as<Gaussian>(means[1]).mean(),
                       posterior.as<Gamma>(precision).mean(), posterior.as<Beta>(share).mean(),
                       posterior.as<MultivariateGaussian>(w).mean()[0]};
  };
  InferenceOptions quickly = options();
  quickly.max_marginal_kl = 1e-11;  // sums of KLs of Gammas and Betas are no more exact than 1e-14
  const std::vector<double> here = solve(quickly);
  const std::vector<double> slowly = solve({.max_marginal_kl = 1e-11, .iterations = 500, .damping = .5});
  for (std::size_t i = 0; i < here.size(); ++i) EXPECT_NEAR(here[i], slowly[i], 3e-5) << i;
}

TEST(Model, TakesAFactorAsAFewLines) {
  Model model;
  const Variable w = model.gaussian({.mean = 1.2, .variance = 2.5});
  const auto sigmoid = [](double x, auto&) { return 1 / (1 + std::exp(-x)); };
  const Variable p = model.factor("logistic", {.sample = sigmoid, .child = Beta()}, {w});
  model.observe(p, Beta::from_counts(2, 1));
  const Posterior posterior = model.infer({.max_marginal_kl = 1e-3});
  EXPECT_NEAR(posterior.as<Gaussian>(w).mean(), 1.735711683643876, .02);
  EXPECT_NEAR(posterior.as<Gaussian>(w).variance(), 1.897040876799618, .05);
}

TEST(Model, LearnsAFactorWhileItRunsAndKeepsIt) {
  const fovea::testing::TemporaryFolder folder;
  const std::string path = folder / "logistic.operator";
  const FactorSpec spec = {.sample = [](double x) { return 1 / (1 + std::exp(-x)); },
                           .child = Beta(),
                           .sampling = {.samples = 5000},
                           .recalling = {.max_marginal_kl = 1e-2, .held_out = 100}};
  const auto regression = [&](Model& model, std::uint64_t seed) {
    Random random(seed);
    for (int i = 0; i < 500; ++i) {
      const Variable x = model.gaussian({.mean = 2 * random.normal(), .variance = std::exp(random.normal())});
      model.observe(model.factor("logistic", spec, {x}),
                    random.bernoulli(.5) ? Beta::from_counts(2, 1) : Beta::from_counts(1, 2));
    }
  };
  const auto asked = [](const Posterior& p) { return p.recalled.at("logistic").oracle_calls(); };
  std::uint64_t fresh = 0, continued = 0;  // one fault may cost hundreds of calls, so a few models of each
  for (std::uint64_t seed = 1; seed <= 4; ++seed) {
    Model first;
    regression(first, 2 * seed);
    const Posterior posterior = first.infer({.iterations = 1});
    EXPECT_GT(posterior.recalled.at("logistic").recalled, 50U) << posterior.brief();
    fresh += asked(posterior);
    first.save_operator("logistic", path);
    Model second;
    regression(second, 2 * seed + 1);
    second.load_operator("logistic", path);
    continued += asked(second.infer({.iterations = 1}));
    EXPECT_THROW(second.load_operator("other", path), UsageError);
  }
  EXPECT_LT(continued, fresh);
}

TEST(Model, GoesOnWithMoreObservations) {
  const auto build = [](Model& model) { return model.gaussian({.mean = 0, .variance = 1}); };
  const auto see = [](Model& model, Variable v, double value) { model.observe(model.linear({1}, {v}, 0, 1), value); };
  Model at_once, later;
  const Variable a = build(at_once), b = build(later);
  see(at_once, a, 1);
  see(at_once, a, 3);
  see(later, b, 1);
  later.infer();
  see(later, b, 3);
  EXPECT_NEAR(later.infer().as<Gaussian>(b).mean(), at_once.infer().as<Gaussian>(a).mean(), 1e-12);
}

// Labels of coins: Beta-Bernoulli is conjugate, the evidence a ratio of Beta functions.
TEST(Model, CountsLabels) {
  Model model;
  const Variable p = model.beta(2, 3);
  for (const int y : {1, 1, 0}) model.observe(model.bernoulli(p), y);
  const Variable next = model.bernoulli(p);
  const Posterior posterior = model.infer({.evidence = true});
  EXPECT_NEAR(posterior.as<Beta>(p).mean(), 4. / 8, 1e-12);
  EXPECT_NEAR(posterior.as<Bernoulli>(next).probability(), .5, 1e-12);
  const double expected = Beta::from_counts(4, 4).log_normalizer() - Beta::from_counts(2, 3).log_normalizer();
  EXPECT_NEAR(posterior.log_evidence.value(), expected, 1e-9);
}

TEST(Model, LearnsARateFromGammas) {
  Model model;
  const Variable rate = model.gamma(2, 3);
  for (const double x : {.5, 1.5, .7}) model.observe(model.gamma_of_rate(2, rate), x);
  const Posterior posterior = model.infer();
  EXPECT_NEAR(posterior.as<Gamma>(rate).shape(), 2 + 6, 1e-9);
  EXPECT_NEAR(posterior.as<Gamma>(rate).rate(), 3 + 2.7, 1e-9);
}

TEST(Model, RefusesWhatCannotBe) {
  Model model;
  const Variable x = model.gaussian({}), p = model.beta(1, 1);
  EXPECT_THROW(model.gaussian({.mean = 0, .variance = -1}), UsageError);
  EXPECT_THROW(model.gamma(0, 1), UsageError);
  EXPECT_THROW(model.linear({1}, {p}), UsageError);
  EXPECT_THROW(model.linear({1, 2}, {x}), UsageError);
  EXPECT_THROW(model.linear({0}, {x}), UsageError);
  EXPECT_THROW(model.bernoulli(x), UsageError);
  EXPECT_THROW(model.observe(p, 1.5), UsageError);
  EXPECT_THROW(model.observe(p, Gaussian::from_mean_variance(0, 1)), UsageError);
  EXPECT_THROW(model.factor("none", {x}), UsageError);  // never said what it is
  EXPECT_THROW(model.factor("two", {.sample = [](double a, double b) { return a + b; }}, {x}), UsageError);
  EXPECT_THROW(model.infer({.iterations = 0}), UsageError);
  EXPECT_THROW(model.infer({.damping = 1}), UsageError);
  model.observe(x, 1);
  EXPECT_THROW(model.observe(x, 2), UsageError);
}

// A factor that throws is named in the message; earlier results stay.
TEST(Model, KeepsWhatItHasWhenAFactorFails) {
  Model model;
  const Variable x = model.gaussian({.mean = 0, .variance = 1});
  model.observe(model.linear({1}, {x}, 0, 1), 2);
  const auto fails = [](double) -> double { throw std::runtime_error("out of luck"); };
  model.observe(model.factor("unlucky", {.sample = fails}, {x}), Gaussian::from_mean_variance(0, 1));
  try {
    model.infer();
    ADD_FAILURE();
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("factor 'unlucky'"), std::string::npos);
    EXPECT_NE(std::string(error.what()).find("out of luck"), std::string::npos);
  }
  EXPECT_NEAR(model.posterior().as<Gaussian>(x).mean(), 1, 1e-12);
}

}  // namespace
}  // namespace fovea::ep
