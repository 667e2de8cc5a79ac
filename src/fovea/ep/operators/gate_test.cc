// SPDX-License-Identifier: Apache-2.0
// Operators on variables of any family against weighted draws from their definitions, in all slots.
#include "fovea/ep/operators/gate.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "fovea/base/error.h"
#include "fovea/ep/operators/dot.h"
#include "fovea/ep/operators/observations.h"
#include "fovea/ep/operators/pick.h"

namespace fovea::ep {
namespace {

using Drawn = std::vector<double>;  // of a variable: one number, but for vectors

/// Definition of a factor: how a child is drawn, or its probability given its parents.
struct Meaning {
  std::function<double(std::span<const Drawn>, Random&)> sample = {};
  std::function<double(double, std::span<const Drawn>)> log_density = {};
};

Drawn draw_value(const Message& message, Random& random) {
  if (const auto* labels = std::get_if<Categorical>(&message))
    return {static_cast<double>(random.categorical(std::span<const double>(labels->expected_statistics())))};
  if (const auto* dirichlet = std::get_if<Dirichlet>(&message)) {
    Drawn value;
    double total = 0;
    for (std::size_t k = 0; k < dirichlet->natural.size(); ++k) {
      value.push_back(draw(Gamma::from_shape_rate(dirichlet->count(k), 1), random));
      total += value.back();
    }
    for (double& p : value) p /= total;
    return value;
  }
  if (const auto* vector = std::get_if<MultivariateGaussian>(&message)) {  // of two dimensions
    const Drawn mean = vector->mean(), covariance = vector->covariance();
    const double a = std::sqrt(covariance[0]), b = covariance[1] / a, first = random.normal();
    return {mean[0] + a * first, mean[1] + b * first + std::sqrt(covariance[3] - b * b) * random.normal()};
  }
  return {draw(message, random)};
}

/// T(x) of the message's family.
Drawn statistics_at(const Message& message, const Drawn& x) {
  if (const auto* labels = std::get_if<Categorical>(&message)) {
    Drawn indicators(labels->natural.size());
    indicators[static_cast<std::size_t>(x[0])] = 1;
    return indicators;
  }
  if (std::holds_alternative<Dirichlet>(message)) {
    Drawn logarithms;
    for (const double p : x) logarithms.push_back(std::log(p));
    return logarithms;
  }
  if (std::holds_alternative<MultivariateGaussian>(message))
    return {x[0], x[1], -x[0] * x[0] / 2, -x[0] * x[1], -x[1] * x[1] / 2};
  if (std::holds_alternative<Gaussian>(message)) return {x[0], -x[0] * x[0] / 2};
  if (std::holds_alternative<Gamma>(message)) return {std::log(x[0]), -x[0]};
  return {x[0]};
}

Drawn expected_statistics(const Message& message) {
  return std::visit(
      []<class F>(const F& p) -> Drawn {
        if constexpr (Family<F>) {
          const auto statistics = p.expected_statistics();
          return Drawn(statistics.begin(), statistics.end());
        } else return {};
      },
      message);
}

/// Expected statistics of every slot lie within six standard errors: a false failure in 5e8 comparisons.
void expect_means(const Operator& op, const Meaning& meaning, const std::vector<Message>& incoming) {
  constexpr int kDraws = 100'000;
  Random random(1);
  std::vector<std::vector<Drawn>> draws;  // [draw][slot]
  std::vector<double> weights;
  double mass = 0;
  const bool draws_child = !meaning.sample;
  for (int i = 0; i < kDraws; ++i) {
    std::vector<Drawn> values;
    for (const Message& message : incoming) values.push_back(draw_value(message, random));
    const std::span<const Drawn> parents = std::span(values).subspan(1);
    if (!draws_child) values[0] = {meaning.sample(parents, random)};
    weights.push_back(std::exp(draws_child ? meaning.log_density(values[0][0], parents)
                                           : log_kernel(incoming[0], values[0][0]) - log_normalizer(incoming[0])));
    mass += weights.back();
    draws.push_back(std::move(values));
  }
  for (std::size_t slot = 0; slot < incoming.size(); ++slot) {
    const Tilted tilted = op.tilted(slot, incoming, random);
    EXPECT_NEAR(tilted.log_mass, std::log(mass / kDraws), .02) << op.name() << " slot " << slot;
    const Drawn expected = expected_statistics(tilted.marginal);
    for (std::size_t k = 0; k < expected.size(); ++k) {
      double first = 0, second = 0;
      for (int i = 0; i < kDraws; ++i) {
        const double gap = statistics_at(tilted.marginal, draws[i][slot])[k] - expected[k];
        first += weights[i] * gap;
        second += weights[i] * weights[i] * gap * gap;
      }
      EXPECT_LT(std::abs(first), 6 * std::sqrt(second) + 1e-9 * mass)
          << op.name() << " slot " << slot << " [" << k << ']';
    }
  }
}

const Gaussian kA = Gaussian::from_mean_variance(-1, .5), kB = Gaussian::from_mean_variance(2, 1.5),
               kC = Gaussian::from_mean_variance(.5, .2), kSeen = Gaussian::from_mean_variance(.6, .8);

TEST(Gates, LabelsTellOfTheirProbabilities) {
  const Meaning meaning = {.sample = {}, .log_density = [](double y, std::span<const Drawn> parents) {
                             return std::log(parents[0][static_cast<std::size_t>(y)]);
                           }};
  const Dirichlet p = Dirichlet::from_counts({1.5, 2, .7});
  expect_means(CategoricalOperator(), meaning, {Categorical::from_probabilities({.2, .3, .5}), p});
  expect_means(CategoricalOperator(), meaning, {Point{2}, p});
}

// A count more; what says nothing says nothing on.
TEST(Gates, LabelsAreConjugate) {
  Random random;
  const std::vector<Message> seen = {Point{1}, Dirichlet::from_counts({1, 2, 3})};
  const Tilted tilted = CategoricalOperator().tilted(1, seen, random);
  EXPECT_EQ(tilted.marginal, Message(Dirichlet::from_counts({1, 3, 3})));
  EXPECT_NEAR(tilted.log_mass, std::log(2. / 6), 1e-14);
  const std::vector<Message> unseen = {Categorical::uniform(3), Dirichlet::from_counts({1, 2, 3})};
  EXPECT_LT(divergence(CategoricalOperator().tilted(1, unseen, random).marginal, unseen[1]), 1e-12);
}

TEST(Gates, InnerProductsAreExact) {
  const Meaning meaning = {.sample = {}, .log_density = [](double y, std::span<const Drawn> parents) {
                             const double gap = y - (2 * parents[0][0] - parents[0][1] + .5);
                             return -.5 * (gap * gap / .7 + std::log(2 * M_PI * .7));
                           }};
  const Message w = MultivariateGaussian::from_mean_covariance(std::array{1., -.5}, std::array{1., .4, .4, .6});
  expect_means(DotOperator({2, -1}, .5, .7), meaning, {kSeen, w});
  expect_means(DotOperator({2, -1}, .5, .7), meaning, {Point{2}, w});
}

// w ~ N(0, I), x = (1, 2): y ~ N(0, 5 + .5). To w by Woodbury's identity.
TEST(Gates, InnerProductsHaveClosedForms) {
  Random random;
  const Message w = MultivariateGaussian::from_mean_covariance(std::array{0., 0.}, std::array{1., 0., 0., 1.});
  const DotOperator dot({1, 2}, 1, .5);
  const std::vector<Message> seen = {Point{4}, w}, unseen = {Gaussian(), w};
  const Gaussian predicted = std::get<Gaussian>(dot.tilted(0, unseen, random).marginal);
  EXPECT_NEAR(predicted.mean(), 1, 1e-14);
  EXPECT_NEAR(predicted.variance(), 5.5, 1e-13);
  const Tilted told = dot.tilted(1, seen, random);
  const std::vector<double> mean = std::get<MultivariateGaussian>(told.marginal).mean();
  EXPECT_NEAR(mean[0], 3 / 5.5, 1e-13);
  EXPECT_NEAR(mean[1], 6 / 5.5, 1e-13);
  EXPECT_NEAR(std::get<MultivariateGaussian>(told.marginal).covariance()[1], -2 / 5.5, 1e-13);
  EXPECT_NEAR(told.log_mass, Gaussian::from_mean_variance(1, 5.5).log_density(4), 1e-13);
  EXPECT_THROW(DotOperator({1, 2}, 1, 0).tilted(1, seen, random), InputError);
}

TEST(Gates, PicksAreMixtures) {
  const Meaning meaning = {.sample = [](std::span<const Drawn> parents, Random&) {
    return parents[1 + static_cast<std::size_t>(parents[0][0])][0];
  }};
  const Categorical labels = Categorical::from_probabilities({.2, .5, .3});
  expect_means(PickOperator(Gaussian(), 2), meaning, {kSeen, Bernoulli::from_probability(.3), kA, kB});
  expect_means(PickOperator(Gaussian(), 3), meaning, {kSeen, labels, kA, kB, kC});
  expect_means(PickOperator(Gaussian(), 3), meaning, {kSeen, Point{1}, kA, kB, kC});
  expect_means(PickOperator(Gaussian(), 3), meaning, {kSeen, labels, kA, Point{.9}, kC});
  expect_means(PickOperator(Gaussian(), 2), meaning, {kSeen, Bernoulli::from_probability(.3), Point{1}, Point{-1}});
  const Gamma one = Gamma::from_shape_rate(2, 3), other = Gamma::from_shape_rate(5, 2);
  expect_means(PickOperator(Gamma(), 2), meaning, {Gamma::from_shape_rate(3, 1), Bernoulli(), one, other});
  expect_means(PickOperator(Bernoulli(), 2), meaning,
               {Bernoulli::from_probability(.7), Bernoulli(), Bernoulli::from_probability(.1), Bernoulli()});
  const Categorical p = Categorical::from_probabilities({.1, .2, .7}),
                    q = Categorical::from_probabilities({.6, .3, .1});
  expect_means(PickOperator(Categorical::uniform(3), 2), meaning, {labels, Bernoulli::from_probability(.4), p, q});
}

// A known child is the limit of a child that is known ever better.
TEST(Gates, PicksOfAKnownChild) {
  Random random;
  const Bernoulli selector = Bernoulli::from_probability(.3);
  const std::vector<Message> known = {Point{.6}, selector, kA, kB},
                             nearly = {Gaussian::from_mean_variance(.6, 1e-10), selector, kA, kB};
  for (std::size_t slot = 1; slot < 4; ++slot) {
    const Tilted a = PickOperator(Gaussian(), 2).tilted(slot, known, random);
    const Tilted b = PickOperator(Gaussian(), 2).tilted(slot, nearly, random);
    EXPECT_LT(divergence(a.marginal, b.marginal), 1e-10) << slot;
    EXPECT_NEAR(a.log_mass, b.log_mass, 1e-8);
  }
  const std::vector<Message> impossible = {Point{2}, selector, Point{0}, Point{1}};
  EXPECT_THROW(PickOperator(Gaussian(), 2).tilted(1, impossible, random), InputError);
}

// An improper message of a child works if its products are proper: the child's marginal, and the unnormalised mass.
TEST(Gates, ChildrenMayBeToldWhatIsNotProper) {
  Random random;
  const Message told = Gaussian::from_natural(.3, -.2),
                known = MultivariateGaussian::from_mean_covariance(std::array{1., 0.}, std::array{1., 0., 0., 1.});
  const Gaussian one = Gaussian::from_mean_variance(0, 1), other = Gaussian::from_mean_variance(4, 2);
  const auto mass = [&](const Gaussian& p) {  // of p exp(.3 x + .1 x^2)
    const Gaussian both = p * std::get<Gaussian>(told);
    return std::exp(both.log_normalizer() - p.log_normalizer());
  };
  const std::vector<Message> picked = {told, Bernoulli::from_probability(.3), one, other};
  const Tilted pick = PickOperator(Gaussian(), 2).tilted(0, picked, random);
  const double total = .7 * mass(one) + .3 * mass(other);
  EXPECT_NEAR(pick.log_mass, std::log(total), 1e-12);
  EXPECT_NEAR(mean_of(pick.marginal),
              (.7 * mass(one) * mean_of(product(one, told)) + .3 * mass(other) * mean_of(product(other, told))) / total,
              1e-12);
  const std::vector<Message> seen = {told, known};
  const Tilted dot = DotOperator({2, 1}, 0, .5).tilted(0, seen, random);  // N(2, 5.5): too wide for it
  EXPECT_FALSE(is_proper(dot.marginal));
  const Tilted narrow = DotOperator({1, 0}, 0, .5).tilted(0, seen, random);
  EXPECT_NEAR(narrow.log_mass, std::log(mass(Gaussian::from_mean_variance(1, 1.5))), 1e-12);
}

// N(0, 1) or N(4, 1), observed at 1: odds exp((9 - 1) / 2) for the first. Each option is at 1 with its probability.
TEST(Gates, PicksHaveClosedForms) {
  Random random;
  const std::vector<Message> incoming = {Point{1}, Bernoulli(), Gaussian::from_mean_variance(0, 1),
                                         Gaussian::from_mean_variance(4, 1)};
  const PickOperator pick(Gaussian(), 2);
  EXPECT_NEAR(std::get<Bernoulli>(pick.tilted(1, incoming, random).marginal).log_odds(), -4, 1e-13);
  const double first = 1 / (1 + std::exp(-4));
  EXPECT_NEAR(mean_of(pick.tilted(2, incoming, random).marginal), first, 1e-13);
  EXPECT_NEAR(std::get<Gaussian>(pick.tilted(2, incoming, random).marginal).variance(), (1 - first) * (1 + first),
              1e-13);
  EXPECT_NEAR(mean_of(pick.tilted(3, incoming, random).marginal), 4 - 3 * (1 - first), 1e-13);
}

TEST(Gates, PickedNormalsAreMixtures) {
  const Meaning meaning = {.sample = {}, .log_density = [](double y, std::span<const Drawn> parents) {
                             const auto k = static_cast<std::size_t>(parents[0][0]);
                             const double precision = parents.size() == 5 ? parents[3 + k][0] : parents[3][0];
                             const double gap = y - parents[1 + k][0];
                             return .5 * (std::log(precision / (2 * M_PI)) - precision * gap * gap);
                           }};
  const Gamma rough = Gamma::from_shape_rate(2.5, 4), fine = Gamma::from_shape_rate(4, 1);
  const Bernoulli selector = Bernoulli::from_probability(.3);
  expect_means(PickNormalOperator(2, 2), meaning, {kSeen, selector, kA, kB, rough, fine});
  expect_means(PickNormalOperator(2, 2), meaning, {Point{.5}, selector, kA, kB, rough, fine});
  expect_means(PickNormalOperator(2, 2), meaning, {Point{.5}, Point{1}, kA, Point{1}, rough, fine});
  expect_means(PickNormalOperator(2, 1), meaning, {Point{.5}, selector, kA, kB, rough});
  expect_means(PickNormalOperator(2, 1), meaning, {kSeen, selector, kA, kB, Point{2}});
}

TEST(Gates, PickedLabelsAreMixtures) {
  const Meaning meaning = {.sample = {}, .log_density = [](double y, std::span<const Drawn> parents) {
                             const auto k = static_cast<std::size_t>(parents[0][0]);
                             return std::log(parents[1 + k][static_cast<std::size_t>(y)]);
                           }};
  const Dirichlet one = Dirichlet::from_counts({1.5, 2, .7}), other = Dirichlet::from_counts({.8, 1, 3});
  const Categorical seen = Categorical::from_probabilities({.2, .3, .5});
  expect_means(PickCategoricalOperator(2), meaning, {seen, Bernoulli::from_probability(.3), one, other});
  expect_means(PickCategoricalOperator(2), meaning, {Point{2}, Bernoulli::from_probability(.3), one, other});
  expect_means(PickCategoricalOperator(2), meaning, {Point{0}, Point{1}, one, other});
}

}  // namespace
}  // namespace fovea::ep
