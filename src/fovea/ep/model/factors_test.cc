// SPDX-License-Identifier: Apache-2.0
// Models of hand-written factors: conjugate ones are exact, others close to quadrature.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "fovea/base/error.h"
#include "fovea/ep/model/model.h"
#include "fovea/ep/quadrature/quadrature.h"
#include "fovea/ep/regression/logistic_regression.h"

namespace fovea::ep {
namespace {

const InferenceOptions kToTheEnd = {.max_marginal_kl = 1e-14, .iterations = 500, .evidence = true};

// Gamma(2, 1) and counts 3, 5, 1: Gamma(11, 4).
TEST(ModelFactors, CountsAreConjugate) {
  Model model;
  const Variable rate = model.gamma(2, 1);
  for (const int count : {3, 5, 1}) model.observe(model.poisson(rate), count);
  const Variable next = model.poisson(rate);
  const Posterior posterior = model.infer(kToTheEnd);
  EXPECT_NEAR(posterior.as<Gamma>(rate).shape(), 11, 1e-12);
  EXPECT_NEAR(posterior.as<Gamma>(rate).rate(), 4, 1e-12);
  EXPECT_NEAR(posterior.as<Poisson>(next).mean(), 11. / 4, 1e-12);
  const double expected = std::lgamma(11) - 11 * std::log(4) - std::lgamma(2) - std::log(6 * 120 * 1);
  EXPECT_NEAR(posterior.log_evidence.value(), expected, 1e-10);
}

// Dirichlet(1, 2, .5) and labels 0, 2, 2, 1, 2: Polya's urn.
TEST(ModelFactors, LabelsAreConjugate) {
  Model model;
  const Variable p = model.dirichlet({1, 2, .5});
  double expected = 0;
  std::array<double, 3> counts = {1, 2, .5};
  for (const int label : {0, 2, 2, 1, 2}) {
    model.observe(model.categorical(p), label);
    expected += std::log(counts[label] / (counts[0] + counts[1] + counts[2]));
    counts[label] += 1;
  }
  const Variable next = model.categorical(p);
  const Posterior posterior = model.infer(kToTheEnd);
  for (std::size_t k = 0; k < 3; ++k) {
    EXPECT_NEAR(posterior.as<Dirichlet>(p).count(k), counts[k], 1e-12);
    EXPECT_NEAR(posterior.as<Categorical>(next).expected_statistics()[k], counts[k] / 8.5, 1e-12);
  }
  EXPECT_NEAR(posterior.log_evidence.value(), expected, 1e-10);
}

struct Rows {
  std::vector<std::vector<double>> x;
  std::vector<double> y;
};

Rows draw_rows(int count) {
  Random random(7);
  Rows rows;
  for (int i = 0; i < count; ++i) {
    rows.x.push_back({1, random.normal(), random.normal()});
    rows.y.push_back(.5 + rows.x[i][1] - 2 * rows.x[i][2] + .5 * random.normal());
  }
  return rows;
}

/// Solves a x = b of three dimensions, by Cramer's rule.
std::array<double, 3> solved(const std::array<std::array<double, 3>, 3>& a, const std::array<double, 3>& b) {
  const auto determinant = [](const auto& m) {
    return m[0][0] * (m[1][1] * m[2][2] - m[1][2] * m[2][1]) - m[0][1] * (m[1][0] * m[2][2] - m[1][2] * m[2][0]) +
           m[0][2] * (m[1][0] * m[2][1] - m[1][1] * m[2][0]);
  };
  std::array<double, 3> x;
  for (std::size_t column = 0; column < 3; ++column) {
    auto replaced = a;
    for (std::size_t row = 0; row < 3; ++row) replaced[row][column] = b[row];
    x[column] = determinant(replaced) / determinant(a);
  }
  return x;
}

class ModelAlgorithms : public ::testing::TestWithParam<Algorithm> {
 protected:
  InferenceOptions options() const {
    InferenceOptions options = kToTheEnd;
    options.algorithm = GetParam();
    return options;
  }
};

INSTANTIATE_TEST_SUITE_P(All, ModelAlgorithms,
                         ::testing::Values(Algorithm::kExpectationPropagation, Algorithm::kVariational));

// (I / 4 + X^T X / .25) w = X^T y / .25; the evidence row by row. There is one vector, so both algorithms are exact.
TEST_P(ModelAlgorithms, LinearRegressionSolvesTheNormalEquations) {
  const Rows rows = draw_rows(30);
  Model model;
  const Variable w = model.vector({0, 0, 0}, {4, 0, 0, 0, 4, 0, 0, 0, 4});
  MultivariateGaussian so_far = MultivariateGaussian::from_mean_covariance(
      std::array{0., 0., 0.}, std::array{4., 0., 0., 0., 4., 0., 0., 0., 4.});
  std::array<std::array<double, 3>, 3> normal = {{{.25, 0, 0}, {0, .25, 0}, {0, 0, .25}}};
  std::array<double, 3> right = {};
  double evidence = 0;
  for (std::size_t i = 0; i < rows.x.size(); ++i) {
    model.observe(model.dot(rows.x[i], w, 0, .25), rows.y[i]);
    const MultivariateGaussian::Projection predicted = so_far.along(rows.x[i]);
    evidence += Gaussian::from_mean_variance(predicted.mean, predicted.variance + .25).log_density(rows.y[i]);
    so_far.observe(rows.x[i], rows.y[i], 4);
    for (std::size_t j = 0; j < 3; ++j) {
      right[j] += 4 * rows.x[i][j] * rows.y[i];
      for (std::size_t k = 0; k < 3; ++k) normal[j][k] += 4 * rows.x[i][j] * rows.x[i][k];
    }
  }
  const Variable next = model.dot({1, 2, 0}, w, 0, .25);
  const Posterior posterior = model.infer(options());
  EXPECT_TRUE(posterior.has_converged) << posterior.brief();
  const std::array<double, 3> expected = solved(normal, right);
  const std::vector<double> mean = posterior.as<MultivariateGaussian>(w).mean();
  const std::vector<double> covariance = posterior.as<MultivariateGaussian>(w).covariance();
  for (std::size_t j = 0; j < 3; ++j) {
    EXPECT_NEAR(mean[j], expected[j], 1e-10);
    std::array<double, 3> unit = {};
    unit[j] = 1;
    const std::array<double, 3> column = solved(normal, unit);
    for (std::size_t k = 0; k < 3; ++k) EXPECT_NEAR(covariance[3 * k + j], column[k], 1e-10);
  }
  EXPECT_NEAR(posterior.log_evidence.value(), evidence, 1e-8);
  const MultivariateGaussian::Projection predicted = so_far.along(std::array{1., 2., 0.});
  EXPECT_NEAR(posterior.as<Gaussian>(next).mean(), predicted.mean, 1e-9);
  EXPECT_NEAR(posterior.as<Gaussian>(next).variance(), predicted.variance + .25, 1e-9);
}

// The probit by one vector is the probit by as many scalars, where these are independent and one label is seen.
TEST(ModelFactors, AVectorIsItsComponents) {
  Model vectors, scalars;
  const Variable w = vectors.vector({1, -1}, {2, 0, 0, .5});
  const Variable a = scalars.gaussian({.mean = 1, .variance = 2}), b = scalars.gaussian({.mean = -1, .variance = .5});
  vectors.observe(vectors.greater_than(vectors.dot({1, 2}, w, 0, 1)), 1);
  scalars.observe(scalars.greater_than(scalars.linear({1, 2}, {a, b}, 0, 1)), 1);
  const Posterior one = vectors.infer(kToTheEnd), other = scalars.infer(kToTheEnd);
  const std::vector<double> mean = one.as<MultivariateGaussian>(w).mean();
  const std::vector<double> covariance = one.as<MultivariateGaussian>(w).covariance();
  EXPECT_NEAR(mean[0], other.as<Gaussian>(a).mean(), 1e-10);
  EXPECT_NEAR(mean[1], other.as<Gaussian>(b).mean(), 1e-10);
  EXPECT_NEAR(covariance[0], other.as<Gaussian>(a).variance(), 1e-10);
  EXPECT_NEAR(covariance[3], other.as<Gaussian>(b).variance(), 1e-10);
  EXPECT_NEAR(one.log_evidence.value(), other.log_evidence.value(), 1e-10);
}

// Logistic regression written as a model has the fixed point of the algorithm written for it.
TEST(ModelFactors, LogisticRegressionByOneVector) {
  Random random(2);
  Model model;
  const Variable w = model.vector({0, 0}, {10, 0, 0, 10});
  LogisticData data = {.columns = 2, .values = {}, .labels = {}};
  for (int i = 0; i < 40; ++i) {
    const std::vector<double> x = {1, random.normal()};
    const bool label = random.bernoulli(1 / (1 + std::exp(1 - 2 * x[1])));
    data.values.insert(data.values.end(), x.begin(), x.end());
    data.labels.push_back(label);
    model.observe(model.bernoulli(model.logistic(model.dot(x, w))), label ? 1 : 0);
  }
  const Posterior posterior = model.infer(kToTheEnd);
  EXPECT_TRUE(posterior.has_converged) << posterior.brief();
  EXPECT_TRUE(posterior.skipped.empty()) << posterior.brief();
  const LogisticRegressionFit fit = fit_logistic(data, {.max_marginal_kl = 1e-14});
  EXPECT_LT(divergence(posterior[w], fit.posterior), 1e-12);
  EXPECT_NEAR(posterior.log_evidence.value(), fit.log_evidence, 1e-6);
}

// One number, neither mean nor precision known: one factor, so the evidence is exact, and the moments too.
TEST(ModelFactors, OneNormalIsExact) {
  Model model;
  const Variable mean = model.gaussian({.mean = 1, .variance = 2}), precision = model.gamma(3, 2);
  model.observe(model.normal(mean, precision), 4);
  const Posterior posterior = model.infer(kToTheEnd);
  const LineMoments integral = integrate_line(
      [](double t) {
        return Gamma::from_shape_rate(3, 2).log_density(std::exp(t)) + t +
               Gaussian::from_mean_variance(1, 2 + std::exp(-t)).log_density(4);
      },
      0, .3);
  EXPECT_NEAR(posterior.log_evidence.value(), integral.log_mass, 1e-9);
  EXPECT_NEAR(posterior.as<Gamma>(precision).expected_logarithm(), integral.mean, 1e-9);
}

/// log of the evidence of x_i ~ N(mean, 1 / precision), mean ~ N(0, 4), precision ~ Gamma(2, 2), by quadrature.
double normal_evidence(const std::vector<double>& x) {
  const auto n = static_cast<double>(x.size());
  double sum = 0, squares = 0;
  for (const double value : x) {
    sum += value;
    squares += value * value;
  }
  const auto log_density = [&](double t) {  // t = log precision; the mean summed out by the matrix determinant lemma
    const double precision = std::exp(t), total = .25 + n * precision;
    return Gamma::from_shape_rate(2, 2).log_density(precision) + t +
           .5 * (n * std::log(precision / (2 * M_PI)) + std::log(.25 / total) - precision * squares +
                 precision * precision * sum * sum / total);
  };
  return integrate_line(log_density, 0, .2).log_mass;
}

TEST(ModelFactors, EvidenceOfNormalsIsNearToQuadrature) {
  const std::vector<double> x = {1, 2.5, .5, 3, 1.7, 2.2};
  for (const Algorithm algorithm : {Algorithm::kExpectationPropagation, Algorithm::kVariational}) {
    Model model;
    const Variable mean = model.gaussian({.mean = 0, .variance = 4}), precision = model.gamma(2, 2);
    for (const double value : x) model.observe(model.normal(mean, precision), value);
    InferenceOptions options = kToTheEnd;
    options.algorithm = algorithm;
    const Posterior posterior = model.infer(options);
    EXPECT_TRUE(posterior.has_converged) << posterior.brief();
    const double excess = posterior.log_evidence.value() - normal_evidence(x);
    if (algorithm == Algorithm::kVariational) {
      EXPECT_LT(excess, 0);
      EXPECT_GT(excess, -.3);
    } else EXPECT_LT(std::abs(excess), .05);
  }
}

// Numbers far from 0 with an unknown scale, one of them an outlier, under vague priors.
TEST_P(ModelAlgorithms, PriorsMaySayLittle) {
  const std::vector<double> x = {1000.1, 1000.7, 999.6, 1000.2, 1000.5, 999.9, 1000.3, 1003};
  double sum = 0, squares = 0;
  for (const double value : x) sum += value / 8;
  for (const double value : x) squares += (value - sum) * (value - sum) / 7;
  Model model;
  const Variable mean = model.gaussian({.mean = 0, .variance = 1e8}), precision = model.gamma(1e-3, 1e-3);
  for (const double value : x) model.observe(model.normal(mean, precision), value);
  const Posterior posterior = model.infer(options());
  EXPECT_TRUE(posterior.has_converged) << posterior.brief();
  EXPECT_NEAR(posterior.as<Gaussian>(mean).mean(), sum, 1e-2);
  EXPECT_NEAR(posterior.as<Gamma>(precision).mean(), 1 / squares, .1 / squares);
}

// Two maxima in a row. Clark's moments are not exact for three variables: the mean of the largest of three standard
// normals is 3 / (2 sqrt(pi)). Observed with noise, the maximum informs all three alike, except for what projections
// lose.
TEST(ModelFactors, TheBestOfThree) {
  Model model;
  std::vector<Variable> x;
  for (int i = 0; i < 3; ++i) x.push_back(model.gaussian({.mean = 0, .variance = 1}));
  const Variable best = model.max(model.max(x[0], x[1]), x[2]);
  EXPECT_NEAR(model.infer().as<Gaussian>(best).mean(), 3 / (2 * std::sqrt(M_PI)), .01);
  model.observe(model.linear({1}, {best}, 0, 2), -1);
  const Posterior posterior = model.infer(kToTheEnd);
  EXPECT_TRUE(posterior.has_converged) << posterior.brief();
  EXPECT_TRUE(posterior.skipped.empty()) << posterior.brief();
  EXPECT_NEAR(posterior.as<Gaussian>(x[0]).mean(), posterior.as<Gaussian>(x[2]).mean(), .02);
  EXPECT_LT(posterior.as<Gaussian>(x[0]).mean(), -.1);
}

// Two groups of sixty numbers: each algorithm finds their means, and the group of most numbers.
TEST_P(ModelAlgorithms, AMixtureIsRecoveredThroughGates) {
  Random random(3);
  Model model;
  const Variable means[] = {model.gaussian({.mean = -1, .variance = 9}), model.gaussian({.mean = 1, .variance = 9})};
  const Variable precisions[] = {model.gamma(2, 2), model.gamma(2, 2)};
  const Variable share = model.beta(1, 1);
  std::vector<Variable> selectors;
  std::vector<int> groups;
  std::vector<double> x;
  for (int i = 0; i < 60; ++i) {
    groups.push_back(random.bernoulli(.4) ? 1 : 0);
    x.push_back(groups.back() == 1 ? 3 + .7 * random.normal() : -2 + random.normal());
    selectors.push_back(model.bernoulli(share));
    model.observe(model.pick_normal(selectors.back(), {means[0], means[1]}, {precisions[0], precisions[1]}), x.back());
  }
  InferenceOptions options = this->options();
  options.max_marginal_kl = 1e-9;
  const Posterior posterior = model.infer(options);
  EXPECT_TRUE(posterior.has_converged) << posterior.brief();
  EXPECT_NEAR(1 / posterior.as<Gamma>(precisions[1]).mean(), .49, .25);
  double sums[2] = {};
  for (int i = 0; i < 60; ++i) sums[groups[i]] += x[i];
  const auto count = std::ranges::count(groups, 1);
  EXPECT_NEAR(posterior.as<Gaussian>(means[0]).mean(), sums[0] / static_cast<double>(60 - count), .1);
  EXPECT_NEAR(posterior.as<Gaussian>(means[1]).mean(), sums[1] / static_cast<double>(count), .1);
  int right = 0;
  for (int i = 0; i < 60; ++i) right += (posterior.as<Bernoulli>(selectors[i]).probability() > .5) == (groups[i] == 1);
  EXPECT_GE(right, 58);
}

// The same by picking the mean alone, of three groups, with a known noise.
TEST(ModelFactors, PickedMeansMakeAMixture) {
  Random random(4);
  Model model;
  const std::vector<Variable> means = {model.gaussian({.mean = -3, .variance = 4}),
                                       model.gaussian({.mean = 0, .variance = 4}),
                                       model.gaussian({.mean = 3, .variance = 4})};
  const Variable shares = model.dirichlet({1, 1, 1});
  for (int i = 0; i < 60; ++i)
    model.observe(model.linear({1}, {model.pick(model.categorical(shares), means)}, 0, .5),
                  5 * (i % 3) - 5 + std::sqrt(.5) * random.normal());
  const Posterior posterior = model.infer({.max_marginal_kl = 1e-8, .iterations = 200});
  EXPECT_TRUE(posterior.has_converged) << posterior.brief();
  for (int k = 0; k < 3; ++k) {
    EXPECT_NEAR(posterior.as<Gaussian>(means[k]).mean(), 5 * k - 5, .6);
    EXPECT_NEAR(posterior.as<Dirichlet>(shares).mean()[k], 1. / 3, .02);
  }
}

// Labels known, shares known: the evidence of a gate is a sum over its cases.
TEST_P(ModelAlgorithms, AGateSumsItsCases) {
  Model model;
  const std::vector<Variable> means = {model.constant(-1), model.constant(2)};
  const std::vector<double> x = {0, 1.5, -2};
  double expected = 0;
  std::vector<Variable> selectors;
  for (const double value : x) {
    selectors.push_back(model.variable(Categorical::from_probabilities({.3, .7})));
    model.observe(model.pick_normal(selectors.back(), means, {model.constant(.5)}), value);
    expected += std::log(.3 * std::exp(Gaussian::from_mean_variance(-1, 2).log_density(value)) +
                         .7 * std::exp(Gaussian::from_mean_variance(2, 2).log_density(value)));
  }
  const Posterior posterior = model.infer(options());
  EXPECT_NEAR(posterior.log_evidence.value(), expected, 1e-11);
  const double odds = .7 / .3 * std::exp((1 - 4) / 4.);
  EXPECT_NEAR(posterior.as<Categorical>(selectors[0]).expected_statistics()[1], odds / (1 + odds), 1e-12);
}

// Variables to predict are added after inference, take one message, and change nothing else.
TEST_P(ModelAlgorithms, PredictionsAreAddedLater) {
  Model model;
  const Variable mean = model.gaussian({.mean = 0, .variance = 4}), precision = model.gamma(3, 2);
  for (const double value : {1., 2., 4.}) model.observe(model.normal(mean, precision), value);
  const Posterior before = model.infer(options());
  ASSERT_TRUE(before.has_converged);
  const Variable next = model.normal(mean, precision), is_large = model.greater_than(next, 3);
  InferenceOptions again = options();
  again.max_marginal_kl = 1e-9;
  const Posterior after = model.infer(again);
  EXPECT_TRUE(after.has_converged);
  EXPECT_LE(after.iterations, 2);
  EXPECT_TRUE(after.skipped.empty()) << after.brief();
  EXPECT_NEAR(after.log_evidence.value(), before.log_evidence.value(), 1e-9);
  EXPECT_LT(divergence(after[mean], before[mean]), 1e-12);
  const Gaussian m = after.as<Gaussian>(mean);
  const Gamma p = after.as<Gamma>(precision);
  EXPECT_NEAR(after.as<Gaussian>(next).mean(), m.mean(), 1e-9);
  EXPECT_NEAR(after.as<Gaussian>(next).variance(), m.variance() + p.rate() / (p.shape() - 1), 1e-6);
  const double z = (m.mean() - 3) / std::sqrt(after.as<Gaussian>(next).variance());
  EXPECT_NEAR(after.as<Bernoulli>(is_large).probability(), .5 * std::erfc(-z / std::sqrt(2)), 1e-9);
}

// A precision of shape 1 or less gives Student's t without a variance: no prediction, but a message once more is known,
// for which a stand-in starts.
TEST(ModelFactors, HeavyTailsWaitForWhatIsKnown) {
  Model model;
  const Variable mean = model.gaussian({.mean = 0, .variance = 1}), precision = model.gamma(.8, 1);
  const Variable y = model.normal(mean, precision);
  const Posterior nothing = model.infer(kToTheEnd);
  EXPECT_FALSE(is_proper(nothing[y]));
  EXPECT_GT(nothing.skipped.at("normal"), 0U);
  model.observe(model.linear({1}, {y}, 0, .5), 3);
  const Posterior posterior = model.infer(kToTheEnd);
  EXPECT_TRUE(posterior.has_converged) << posterior.brief();
  const LineMoments integral = integrate_line(
      [](double t) {
        return Gamma::from_shape_rate(.8, 1).log_density(std::exp(t)) + t +
               Gaussian::from_mean_variance(0, 1.5 + std::exp(-t)).log_density(3);
      },
      0, .3);
  EXPECT_NEAR(posterior.log_evidence.value(), integral.log_mass, 1e-9);
  EXPECT_NEAR(posterior.as<Gamma>(precision).expected_logarithm(), integral.mean, 1e-8);
}

/// The text of the exception that a call throws.
template <class Error, class F>
std::string complaint(const F& run) {
  try {
    run();
  } catch (const Error& error) {
    return error.what();
  }
  ADD_FAILURE() << "nothing was thrown";
  return {};
}

bool says(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

TEST(ModelFactors, RefuseWhatCannotBe) {
  Model model, other;
  const Variable x = model.gaussian({}), y = model.gaussian({}), rate = model.gamma(1, 1), p = model.beta(1, 1);
  const Variable w = model.vector({0, 0}, {1, 0, 0, 1}), shares = model.dirichlet({1, 1, 1});
  const Variable label = model.categorical(shares), count = model.poisson(rate), truth = model.bernoulli(p);
  const auto refuses = [](const auto& run, const std::string& part) {
    const std::string text = complaint<UsageError>(run);
    EXPECT_TRUE(says(text, part)) << text;
  };
  refuses([&] { model.max(x, rate); }, "max: needs a gaussian variable, not a gamma one");
  refuses([&] { model.max(x, x); }, "'max': one variable is its parent twice");
  refuses([&] { model.max(x, Variable{99}); }, "another model");
  refuses([&] { model.poisson(x); }, "poisson: needs a gamma variable");
  refuses([&] { model.poisson(model.constant(-1)); }, "cannot be -1");
  refuses([&] { model.categorical(p); }, "needs a dirichlet variable");
  refuses([&] { model.categorical(model.constant(1)); }, "needs a dirichlet variable");
  refuses([&] { model.normal(x, y); }, "the precision: needs a gamma variable");
  refuses([&] { model.dot({1, 2, 3}, w); }, "dot: 3 numbers for a vector of 2 dimensions");
  refuses([&] { model.dot({1, 2}, x); }, "needs a multivariate-gaussian variable");
  refuses([&] { model.dot({0, 0}, w); }, "all 0");
  refuses([&] { model.dot({1, NAN}, w); }, "finite");
  refuses([&] { model.dot({1, 2}, w, 0, -1); }, "0 or more");
  refuses([&] { model.vector({0, 0}, {1, 2, 2, 1}); }, "positive definite");
  refuses([&] { model.vector({0, 0}, {1, .5, .4, 1}); }, "symmetric");
  refuses([&] { model.vector({0, 0}, {1, 0, 0}); }, "needs a covariance of 4");
  refuses([&] { model.vector({}, {}); }, "vector");
  refuses([&] { model.dirichlet({1, 0}); }, "proper");
  refuses([&] { model.dirichlet({}); }, "proper");
  refuses([&] { model.variable(Categorical::from_probabilities({0, 1})); }, "positive");
  refuses([&] { model.constant(NAN); }, "finite");
  refuses([&] { model.pick(truth, {}); }, "pick: 0 options");
  refuses([&] { model.pick(truth, {x}); }, "pick: 1 options");
  refuses([&] { model.pick(label, {x, y}); }, "2 cases for a selector of 3 values");
  refuses([&] { model.pick(x, {x, y}); }, "the selector must be");
  refuses([&] { model.pick(model.constant(2), {x, y}); }, "the selector must be");
  refuses([&] { model.pick(truth, {x, rate}); }, "needs a gaussian variable, not a gamma one");
  refuses([&] { model.pick(truth, {shares, model.dirichlet({1, 1})}); }, "one number of dimensions");
  refuses([&] { model.pick_normal(truth, {x, y}, {}); }, "0 precisions for 2 means");
  refuses([&] { model.pick_normal(truth, {x}, {rate}); }, "1 means");
  refuses([&] { model.pick_normal(truth, {x, y}, {x}); }, "a precision: needs a gamma variable");
  refuses([&] { model.observe(label, 3); }, "cannot be 3");
  refuses([&] { model.observe(label, .5); }, "cannot be 0.5");
  refuses([&] { model.observe(count, -1); }, "cannot be -1");
  refuses([&] { model.observe(count, 1.5); }, "cannot be 1.5");
  refuses([&] { model.observe(w, 1); }, "observe a child of it");
  refuses([&] { model.observe(shares, .5); }, "observe a child of it");
  refuses([&] { model.observe(label, Categorical::uniform(2)); }, "2 parameters");
  const auto twice = [](double v) { return 2 * v; };
  refuses([&] { model.factor("twice", {.sample = twice}, {w}); }, "only sigma points have messages to a vector");
}

TEST(ModelFactors, ContradictionsNameTheirFactor) {
  Model model;
  const Variable a = model.gaussian({}), b = model.gaussian({});
  const Variable larger = model.max(a, b);
  model.observe(a, 2);
  model.observe(larger, 1);
  EXPECT_TRUE(says(complaint<InputError>([&] { model.infer(); }), "factor 'max'"));
}

}  // namespace
}  // namespace fovea::ep
