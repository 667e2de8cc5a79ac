// SPDX-License-Identifier: Apache-2.0
// Variational message passing against fixed points and evidence known in closed form.
#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "fovea/base/error.h"
#include "fovea/ep/model/model.h"

namespace fovea::ep {
namespace {

const InferenceOptions kVariationally = {
    .algorithm = Algorithm::kVariational, .max_marginal_kl = 1e-15, .iterations = 2000, .evidence = true};

const std::vector<double> kNumbers = {1, 2.5, .5, 3, 1.7};

// q(mean) = N, q(precision) = Gamma: their fixed point by equations (10.26) to (10.30) of Bishop (2006), for priors
// that are independent of each other.
TEST(Variational, NormalAndGammaMeetTheirFixedPoint) {
  Model model;
  const Variable mean = model.gaussian({.mean = 1, .variance = 2}), precision = model.gamma(2, 3);
  for (const double x : kNumbers) model.observe(model.normal(mean, precision), x);
  const Posterior posterior = model.infer(
      {.algorithm = Algorithm::kVariational, .max_marginal_kl = 0, .iterations = 300});  // KLs near 1e-18 are 0
  const auto n = static_cast<double>(kNumbers.size());
  double sum = 0, m = 1, v = 2, rate = 3;
  for (const double x : kNumbers) sum += x;
  for (int i = 0; i < 1000; ++i) {
    const double expected = (2 + n / 2) / rate;
    v = 1 / (.5 + n * expected);
    m = v * (.5 + expected * sum);
    rate = 3;
    for (const double x : kNumbers) rate += .5 * ((x - m) * (x - m) + v);
  }
  EXPECT_NEAR(posterior.as<Gaussian>(mean).mean(), m, 1e-8);
  EXPECT_NEAR(posterior.as<Gaussian>(mean).variance(), v, 1e-8);
  EXPECT_NEAR(posterior.as<Gamma>(precision).shape(), 2 + n / 2, 1e-9);
  EXPECT_NEAR(posterior.as<Gamma>(precision).rate(), rate, 1e-8);
}

// With uninformative priors, 1 / E[precision] is the unbiased estimate of the variance (Bishop 2006, section 10.1.3).
TEST(Variational, VariancesAreUnbiasedWithoutAPrior) {
  Model model;
  const Variable mean = model.gaussian({.mean = 0, .variance = 1e12}), precision = model.gamma(1e-10, 1e-10);
  for (const double x : kNumbers) model.observe(model.normal(mean, precision), x);
  const Posterior posterior = model.infer(kVariationally);
  double sum = 0, squares = 0;
  for (const double x : kNumbers) sum += x;
  for (const double x : kNumbers) squares += (x - sum / 5) * (x - sum / 5);
  EXPECT_NEAR(1 / posterior.as<Gamma>(precision).mean(), squares / 4, 1e-8);
}

// For a Gaussian, q's means are exact and its precisions the diagonal of the joint precision matrix: a chain with a
// child that has no prior and is not observed.
TEST(Variational, GaussianChainsHaveExactMeans) {
  Model model;
  const Variable mean = model.gaussian({.mean = 1, .variance = 4});
  const Variable hidden = model.linear({2}, {mean}, .5, .3), seen = model.linear({1}, {hidden}, 0, .2);
  model.observe(seen, 5);
  const Posterior posterior = model.infer(kVariationally);
  EXPECT_TRUE(posterior.has_converged) << posterior.brief();
  // hidden ~ N(2.5, 16.3), observed with variance .2.
  const double gain = 16.3 / 16.5, hidden_mean = 2.5 + gain * 2.5;
  const double mean_mean = 1 + 4 * 2 / 16.5 * 2.5;
  EXPECT_NEAR(posterior.as<Gaussian>(hidden).mean(), hidden_mean, 1e-6);
  EXPECT_NEAR(posterior.as<Gaussian>(mean).mean(), mean_mean, 1e-6);
  EXPECT_NEAR(posterior.as<Gaussian>(mean).precision(), .25 + 4 / .3, 1e-9);
  EXPECT_NEAR(posterior.as<Gaussian>(hidden).precision(), 1 / .3 + 1 / .2, 1e-9);
  EXPECT_LT(posterior.log_evidence.value(), Gaussian::from_mean_variance(2.5, 16.5).log_density(5));
}

// With one unknown variable nothing is lost: the bound is the evidence.
TEST(Variational, OneVariableIsExact) {
  Model coins, counts, rates, labels;
  const Variable p = coins.beta(2, 3);
  for (const int y : {1, 1, 0}) coins.observe(coins.bernoulli(p), y);
  EXPECT_NEAR(coins.infer(kVariationally).log_evidence.value(),
              Beta::from_counts(4, 4).log_normalizer() - Beta::from_counts(2, 3).log_normalizer(), 1e-10);
  const Variable mean = counts.gamma(2, 1);
  for (const int y : {3, 5, 1}) counts.observe(counts.poisson(mean), y);
  EXPECT_NEAR(counts.infer(kVariationally).log_evidence.value(),
              std::lgamma(11) - 11 * std::log(4) - std::lgamma(2) - std::log(6 * 120 * 1), 1e-10);
  const Variable rate = rates.gamma(2, 3);
  for (const double x : {.5, 1.5}) rates.observe(rates.gamma_of_rate(2, rate), x);
  EXPECT_NEAR(rates.infer(kVariationally).log_evidence.value(),
              Gamma::from_shape_rate(6, 5).log_normalizer() - Gamma::from_shape_rate(2, 3).log_normalizer() +
                  std::log(.5 * 1.5),
              1e-10);
  const Variable shares = labels.dirichlet({1, 2, .5});
  for (const int y : {0, 2, 2}) labels.observe(labels.categorical(shares), y);
  EXPECT_NEAR(labels.infer(kVariationally).log_evidence.value(), std::log(1 / 3.5 * .5 / 4.5 * 1.5 / 5.5), 1e-10);
}

/// Four numbers of two groups with known means: labels unknown, their shares too.
struct Groups {
  Model model;
  Variable shares = model.dirichlet({1, 2});
  std::vector<double> x = {0, 1.5, -2, 3};
  std::vector<Variable> labels;

  Groups() {
    for (const double value : x) {
      labels.push_back(model.categorical(shares));
      const std::vector<Variable> means = {model.constant(-1), model.constant(2)};
      model.observe(model.pick_normal(labels.back(), means, {model.constant(.5)}), value);
    }
  }

  /// By enumeration of all labels.
  double log_evidence() const {
    double sum = 0;
    for (unsigned code = 0; code < 16; ++code) {
      double counts[] = {1, 2}, p = 1;
      for (unsigned i = 0; i < 4; ++i) {
        const unsigned label = code >> i & 1;
        p *= counts[label] / (counts[0] + counts[1]);
        counts[label] += 1;
        p *= std::exp(Gaussian::from_mean_variance(label == 0 ? -1 : 2, 2).log_density(x[i]));
      }
      sum += p;
    }
    return std::log(sum);
  }
};

TEST(Variational, BoundsTheEvidenceFromBelow) {
  Groups groups;
  const double exact = groups.log_evidence();
  const Posterior posterior = groups.model.infer(kVariationally);
  EXPECT_TRUE(posterior.has_converged) << posterior.brief();
  EXPECT_LT(posterior.log_evidence.value(), exact);
  EXPECT_GT(posterior.log_evidence.value(), exact - .2);
  Groups others;
  EXPECT_NEAR(others.model.infer({.max_marginal_kl = 1e-12, .evidence = true}).log_evidence.value(), exact, .01);
}

/// One of each factor with a variational form, most with something unknown below them.
void fill_with_all_factors(Model& model) {
  const Variable mean = model.gaussian({.mean = 0, .variance = 4}), other = model.gaussian({.mean = 3, .variance = 4});
  const Variable precision = model.gamma(2, 1), rate = model.gamma(2, 2), p = model.beta(1, 2);
  const Variable shares = model.dirichlet({1, 1, 1}), w = model.vector({0, 0}, {1, .3, .3, 2});
  const Variable hidden = model.normal(mean, precision);
  model.observe(model.linear({1, -.5}, {hidden, other}, 1, .5), 2);
  model.observe(model.gamma_of_rate(2, model.gamma_of_rate(3, rate)), 1.5);
  model.observe(model.poisson(rate), 3);
  const Variable y = model.dot({1, -1}, w, .5, .4);
  model.observe(model.linear({1}, {y}, 0, .1), 2);
  model.observe(model.dot({.5, 2}, w, 0, .4), -1);
  for (const double value : {-1., .3, 4.})
    model.observe(model.pick_normal(model.bernoulli(p), {mean, other}, {precision}), value);
  for (const double value : {-1., .3, 4.})
    model.observe(model.pick_normal(model.categorical(shares), {mean, other, y}, {precision, rate, model.constant(2)}),
                  value);
}

TEST(Variational, TheBoundNeverDecreases) {
  for (const double damping : {0., .5}) {
    Model model;
    fill_with_all_factors(model);
    InferenceOptions one = kVariationally;
    one.iterations = 1;
    one.damping = damping;
    double bound = -HUGE_VAL, first = 0;
    for (int i = 0; i < 100; ++i) {
      const Posterior posterior = model.infer(one);
      EXPECT_GE(posterior.log_evidence.value(), bound - 1e-11 * std::abs(bound)) << i;
      bound = posterior.log_evidence.value();
      if (i == 0) first = bound;
    }
    EXPECT_GT(bound, first + .1);
  }
}

// Each message keeps a share of the old one, which was uniform.
TEST(Variational, DampingKeepsAShareOfMessages) {
  Model model;
  const Variable p = model.beta(2, 3);
  for (const int y : {1, 1, 0}) model.observe(model.bernoulli(p), y);
  InferenceOptions damped = kVariationally;
  damped.damping = .25;
  damped.iterations = 1;
  const Posterior once = model.infer(damped), twice = model.infer(damped);
  EXPECT_NEAR(once.as<Beta>(p).a(), 2 + .75 * 2, 1e-14);
  EXPECT_NEAR(once.as<Beta>(p).b(), 3 + .75, 1e-14);
  EXPECT_NEAR(twice.as<Beta>(p).a(), 2 + (1 - .25 * .25) * 2, 1e-14);
}

// Many observations of few variables.
TEST(Variational, AgreesWithPropagationWhereBothAreNearlyExact) {
  Random random(5);
  Model model;
  const Variable mean = model.gaussian({.mean = 0, .variance = 100}), precision = model.gamma(1, 1);
  for (int i = 0; i < 300; ++i) model.observe(model.normal(mean, precision), 2 + 3 * random.normal());
  const Posterior one = model.infer(kVariationally);
  const Posterior other = model.infer({.max_marginal_kl = 1e-10, .evidence = true});
  EXPECT_NEAR(one.as<Gaussian>(mean).mean(), other.as<Gaussian>(mean).mean(), 1e-3);
  EXPECT_NEAR(one.as<Gaussian>(mean).variance() / other.as<Gaussian>(mean).variance(), 1, 2e-2);
  EXPECT_NEAR(one.as<Gamma>(precision).mean() / other.as<Gamma>(precision).mean(), 1, 1e-3);
  EXPECT_LT(one.log_evidence.value(), other.log_evidence.value() + 1e-6);
}

// Predictions of any factor are made from the marginals found, and are not part of the bound.
TEST(Variational, PredictsByAnyFactor) {
  const auto build = [](Model& model) {
    const Variable mean = model.gaussian({.mean = 0, .variance = 4});
    model.observe(model.linear({1}, {mean}, 0, 1), 3);
    return mean;
  };
  Model plain, predicting;
  build(plain);
  const Variable mean = build(predicting);
  const Variable next = predicting.linear({1}, {mean}, 0, 1), exactly = predicting.linear({1}, {mean});
  const Variable is_large = predicting.greater_than(next, 2.4);
  const Posterior one = plain.infer(kVariationally), other = predicting.infer(kVariationally);
  EXPECT_NEAR(one.log_evidence.value(), other.log_evidence.value(), 1e-13);
  EXPECT_NEAR(other.as<Gaussian>(mean).mean(), 2.4, 1e-13);
  EXPECT_NEAR(other.as<Gaussian>(next).variance(), 1.8, 1e-12);
  EXPECT_NEAR(other.as<Gaussian>(exactly).variance(), .8, 1e-12);
  EXPECT_NEAR(other.as<Bernoulli>(is_large).probability(), .5, 1e-12);
}

void expect_no_form(Model& model, const std::string& factor) {
  try {
    model.infer(kVariationally);
    ADD_FAILURE() << factor;
  } catch (const UsageError& error) {
    EXPECT_NE(std::string(error.what()).find("factor '" + factor + "' has no variational form"), std::string::npos);
    EXPECT_NE(std::string(error.what()).find("expectation propagation"), std::string::npos);
  }
}

TEST(Variational, NamesFactorsWithoutAForm) {
  Model compared, exact, picked, drawn;
  compared.observe(compared.greater_than(compared.gaussian({})), 1);
  expect_no_form(compared, "greater-than");
  const Variable x = exact.gaussian({});
  exact.observe(exact.linear({1}, {exact.linear({1}, {x})}, 0, 1), 1);  // the inner one without noise
  expect_no_form(exact, "linear");
  const Variable option = picked.pick(picked.bernoulli(picked.beta(1, 1)), {picked.gaussian({}), picked.gaussian({})});
  picked.observe(picked.linear({1}, {option}, 0, 1), 1);
  expect_no_form(picked, "pick");
  const Variable y = drawn.factor("drawn", {.sample = [](double v) { return v; }}, {drawn.gaussian({})});
  drawn.observe(y, Gaussian::from_mean_variance(0, 1));
  expect_no_form(drawn, "drawn");
  InferenceOptions parallel = kVariationally;
  parallel.schedule = MessageSchedule::kParallel;
  EXPECT_THROW(Model().infer(parallel), UsageError);
}

}  // namespace
}  // namespace fovea::ep
