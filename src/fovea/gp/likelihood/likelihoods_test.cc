// SPDX-License-Identifier: Apache-2.0
// Likelihoods against enumeration and differences.
#include <gtest/gtest.h>

#include <limits>

#include "fovea/base/random.h"
#include "fovea/gp/likelihood/chain_likelihood.h"
#include "fovea/gp/likelihood/density_likelihood.h"
#include "tests/support/gradient_check.h"

namespace fovea::gp {
namespace {

/// Scores of a sequence as one vector: T x |V| unary, then |V| x |V| pairwise.
struct RandomScores {
  RandomScores(std::size_t items, std::size_t label_count, double spread, std::uint64_t seed)
      : length(items), labels(label_count), values(items * labels + labels * labels) {
    Random random(seed);
    for (double& value : values) value = spread * random.normal();
    for (std::size_t t = 0; t < length; ++t)
      gold.push_back(static_cast<Value>(random.uniform_index(static_cast<std::uint32_t>(labels))));
  }

  Matrix<const double> unary(const std::vector<double>& x) const { return {x.data(), length, labels}; }
  Matrix<const double> pairwise(const std::vector<double>& x) const {
    return {x.data() + length * labels, labels, labels};
  }

  std::size_t length, labels;
  std::vector<double> values;
  std::vector<Value> gold;
};

template <class Visit>
void for_each_labeling(std::size_t length, std::size_t labels, const Visit& visit) {
  std::vector<Value> y(length, 0);
  for (;;) {
    visit(y);
    std::size_t t = 0;
    while (t < length && ++y[t] == labels) y[t++] = 0;
    if (t == length) return;
  }
}

void expect_gradients_match(const Likelihood& likelihood, const RandomScores& scores, double tolerance = 1e-7) {
  const std::vector<double>& x = scores.values;
  std::vector<double> slopes(x.size()), curvatures(scores.length * scores.labels);
  const Likelihood::Gradients out = {
      .unary = {slopes.data(), scores.length, scores.labels},
      .pairwise = {slopes.data() + scores.length * scores.labels, scores.labels, scores.labels},
      .curvature = {curvatures.data(), scores.length, scores.labels}};
  const double value = likelihood.gradients(scores.unary(x), scores.pairwise(x), scores.gold, out);
  EXPECT_NEAR(value, likelihood.log_density(scores.unary(x), scores.pairwise(x), scores.gold), 1e-9);
  EXPECT_TRUE(fovea::testing::gradient_matches(
      [&](const std::vector<double>& at) {
        return likelihood.log_density(scores.unary(at), scores.pairwise(at), scores.gold);
      },
      x, slopes, tolerance));
  if (!likelihood.has_curvature()) return;
  for (std::size_t i = 0; i < curvatures.size(); ++i) {  // minus the slope's own derivative
    std::vector<double> moved = x, more(x.size()), less(x.size()), ignored(curvatures.size());
    const auto slope_at = [&](double shift, std::vector<double>& to) {
      moved[i] = x[i] + shift;
      likelihood.gradients(scores.unary(moved), scores.pairwise(moved), scores.gold,
                           {.unary = {to.data(), scores.length, scores.labels}, .pairwise = {}, .curvature = {}});
      return to[i];
    };
    EXPECT_NEAR(curvatures[i], -(slope_at(1e-5, more) - slope_at(-1e-5, less)) / 2e-5, 1e-8);
  }
}

TEST(ChainLikelihoodTest, IsTheShareOfOneLabelingAmongAll) {
  for (const std::size_t length : {1u, 2u, 5u})
    for (const std::size_t labels : {1u, 2u, 3u}) {
      const RandomScores scores(length, labels, 2, length * 10 + labels);
      const auto unary = scores.unary(scores.values), pairwise = scores.pairwise(scores.values);
      double total = 0;
      std::vector<double> expected(length * labels), marginals(length * labels);
      for_each_labeling(length, labels, [&](const std::vector<Value>& y) {
        const double p = std::exp(ChainLikelihood().log_density(unary, pairwise, y));
        total += p;
        for (std::size_t t = 0; t < length; ++t) expected[t * labels + y[t]] += p;
      });
      EXPECT_NEAR(total, 1, 1e-12);
      ChainLikelihood().marginals(unary, pairwise, {marginals.data(), length, labels});
      for (std::size_t i = 0; i < marginals.size(); ++i) EXPECT_NEAR(marginals[i], expected[i], 1e-12);
    }
}

TEST(ChainLikelihoodTest, GradientsMatchDifferences) {
  for (const std::size_t length : {1u, 2u, 6u})
    expect_gradients_match(ChainLikelihood(), RandomScores(length, 3, 1, 5));
}

TEST(ChainLikelihoodTest, ScoresFarApartAreNoTrouble) {
  RandomScores scores(4, 3, 300, 8);  // beyond what exponentials can hold
  expect_gradients_match(ChainLikelihood(), scores, 1e-4);
  std::vector<double> marginals(12);
  ChainLikelihood().marginals(scores.unary(scores.values), scores.pairwise(scores.values), {marginals.data(), 4, 3});
  for (std::size_t t = 0; t < 4; ++t)
    EXPECT_NEAR(marginals[3 * t] + marginals[3 * t + 1] + marginals[3 * t + 2], 1, 1e-9);
}

TEST(PseudoLikelihoodTest, GradientsMatchDifferences) {
  for (const std::size_t length : {1u, 2u, 6u})
    expect_gradients_match(PseudoLikelihood(), RandomScores(length, 3, 1, 6));
}

TEST(PseudoLikelihoodTest, AScoreThatIsNoNumberMakesNone) {
  for (std::size_t place = 0; place < 9; ++place) {
    RandomScores scores(3, 3, 1, 6);
    scores.values[place] = std::numeric_limits<double>::quiet_NaN();
    EXPECT_TRUE(std::isnan(
        PseudoLikelihood().log_density(scores.unary(scores.values), scores.pairwise(scores.values), scores.gold)));
  }
}

// Shared exponentials hold moderate scores only.
TEST(PseudoLikelihoodTest, IsTheSameWithAndWithoutGradientsHoweverLargeScoresAre) {
  for (const double scale : {1.0, 30.0, 300.0, 3000.0})
    for (const std::size_t length : {1u, 2u, 40u}) {
      RandomScores scores(length, 5, scale, 8);
      const auto unary = scores.unary(scores.values), pairwise = scores.pairwise(scores.values);
      std::vector<double> slopes(length * 5);
      const double expected = PseudoLikelihood().gradients(
          unary, pairwise, scores.gold, {.unary = {slopes.data(), length, 5}, .pairwise = {}, .curvature = {}});
      EXPECT_NEAR(PseudoLikelihood().log_density(unary, pairwise, scores.gold), expected,
                  1e-12 * (1 + std::abs(expected)))
          << scale;
    }
}

TEST(PseudoLikelihoodTest, OfOneItemIsThatOfTheChain) {
  const RandomScores scores(1, 4, 1, 7);
  const auto unary = scores.unary(scores.values), pairwise = scores.pairwise(scores.values);
  EXPECT_NEAR(PseudoLikelihood().log_density(unary, pairwise, scores.gold),
              ChainLikelihood().log_density(unary, pairwise, scores.gold), 1e-12);
}

// Both conditionals of each pair see both items' scores (Sutton and McCallum 2007).
TEST(PseudoLikelihoodTest, IsTheProductOfThePairsConditionals) {
  const RandomScores scores(3, 3, 1, 9);
  const auto unary = scores.unary(scores.values), pairwise = scores.pairwise(scores.values);
  const std::vector<Value> y = {2, 0, 1};
  const auto of_pair = [&](std::size_t t, Value a, Value b) {
    return std::exp(unary(t - 1, a) + unary(t, b) + pairwise(a, b));
  };
  double expected = std::exp(unary(0, y[0])) / (std::exp(unary(0, 0)) + std::exp(unary(0, 1)) + std::exp(unary(0, 2)));
  for (std::size_t t = 1; t < 3; ++t) {
    double of_right = 0, of_left = 0;
    for (Value k = 0; k < 3; ++k) {
      of_right += of_pair(t, y[t - 1], k);
      of_left += of_pair(t, k, y[t]);
    }
    const double pair = of_pair(t, y[t - 1], y[t]);
    expected *= pair / of_right * pair / of_left;
  }
  EXPECT_NEAR(PseudoLikelihood().log_density(unary, pairwise, y), std::log(expected), 1e-12);
}

/// An ordinal chain: labels are steps of one latent level, pulled towards their neighbours.
struct OrdinalChain {
  template <class T>
  T operator()(Matrix<const T> unary, Matrix<const T> pairwise, Labels labels) const {
    using namespace math;
    T sum = 0;
    for (std::size_t t = 0; t < labels.size(); ++t) {
      std::vector<T> scores;
      for (std::size_t j = 0; j < unary.columns(); ++j) {
        const T away = unary(t, 0) - static_cast<double>(j);
        scores.push_back(-away * away / 2 + (t > 0 ? pairwise(labels[t - 1], j) : T(0)));
      }
      sum += scores[labels[t]] - log_sum_exp(std::span<const T>(scores));
    }
    return sum;
  }
};

TEST(DensityLikelihoodTest, DifferentiatesATemplate) {
  static_assert(DifferentiableDensity<OrdinalChain>);
  expect_gradients_match(DensityLikelihood(OrdinalChain()), RandomScores(4, 3, 1, 11));
}

struct EveryFunction {
  template <class T>
  T operator()(Matrix<const T> unary, Matrix<const T> pairwise, Labels) const {
    using namespace math;
    const T a = unary(0, 0), b = pairwise(0, 0);
    T c = log(1.0 + exp(a)) * sqrt(a * a + 2.0) - abs(b) / (1.5 + b * b) + log1p(b * b);
    c += a;
    c *= b;
    c -= a * b;
    c /= 2.0 + a * a;
    return max(c, a) + min(b, a) - (-c);
  }
};

TEST(DensityLikelihoodTest, DifferentiatesEveryFunction) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed)
    expect_gradients_match(DensityLikelihood(EveryFunction()), RandomScores(1, 1, 2, seed));
}

/// Values alone, and marginals left to the default.
struct ValuesOfTheChain {
  double operator()(Matrix<const double> unary, Matrix<const double> pairwise, Labels labels) const {
    return ChainLikelihood().log_density(unary, pairwise, labels);
  }
};

TEST(DensityLikelihoodTest, GibbsMarginalsAreNearTheExactOnes) {
  const RandomScores scores(4, 3, 1, 12);
  const DensityLikelihood likelihood{ValuesOfTheChain()};
  EXPECT_FALSE(likelihood.has_gradients());
  std::vector<double> exact(12), sampled(12);
  const auto unary = scores.unary(scores.values), pairwise = scores.pairwise(scores.values);
  ChainLikelihood().marginals(unary, pairwise, {exact.data(), 4, 3});
  likelihood.marginals(unary, pairwise, {sampled.data(), 4, 3});
  for (std::size_t i = 0; i < exact.size(); ++i) EXPECT_NEAR(sampled[i], exact[i], .1);
}

TEST(ReverseModeTest, LogSumExpTakesInfinities) {
  const double infinity = std::numeric_limits<double>::infinity();
  EXPECT_EQ(math::log_sum_exp(std::vector<double>{}), -infinity);
  EXPECT_EQ(math::log_sum_exp(std::vector<double>{-infinity, -infinity}), -infinity);
  EXPECT_NEAR(math::log_sum_exp(std::vector<double>{1000, 1000}), 1000 + std::log(2), 1e-9);
}

}  // namespace
}  // namespace fovea::gp
