// SPDX-License-Identifier: Apache-2.0
// Sums over chains, on every instruction set, against recursions in the log domain that derive themselves.
#include "fovea/gp/likelihood/chain_sums.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "fovea/base/random.h"
#include "fovea/gp/likelihood/density_likelihood.h"
#include "tests/support/instruction_sets.h"

namespace fovea::gp {
namespace {

/// - log Z, whose derivatives are minus what is expected.
struct NegativeLogZ {
  template <class T>
  T operator()(Matrix<const T> unary, Matrix<const T> pairwise, Labels) const {
    std::vector<T> alpha(unary.row(0).begin(), unary.row(0).end()), next = alpha, terms = alpha;
    for (std::size_t t = 1; t < unary.rows(); ++t) {
      for (std::size_t j = 0; j < alpha.size(); ++j) {
        for (std::size_t i = 0; i < alpha.size(); ++i) terms[i] = alpha[i] + pairwise(i, j);
        next[j] = unary(t, j) + math::log_sum_exp(std::span<const T>(terms));
      }
      alpha.swap(next);
    }
    return -math::log_sum_exp(std::span<const T>(alpha));
  }
};

struct Scores {
  Scores(std::size_t length, std::size_t labels) : unary(length * labels), pairwise(labels * labels) {
    Random random(length * 100 + labels);
    for (double& score : unary) score = 3 * random.normal();
    for (double& score : pairwise) score = 3 * random.normal();
  }
  std::vector<double> unary, pairwise;
};

void expect_sums_are_right(std::size_t length, std::size_t labels, const Scores& scores, ChainSums& sums) {
  SCOPED_TRACE(::testing::Message() << length << " items, " << labels << " labels");
  const Matrix<const double> unary(scores.unary.data(), length, labels);
  const Matrix<const double> pairwise(scores.pairwise.data(), labels, labels);
  std::vector<double> marginals(length * labels), pairs(labels * labels);
  const double log_z = -reverse_mode_gradients(NegativeLogZ(), unary, pairwise, {}, {marginals.data(), length, labels},
                                               {pairs.data(), labels, labels});
  ASSERT_TRUE(sum_forward(unary, pairwise, sums));
  EXPECT_NEAR(sums.log_z, log_z, 1e-12 * (1 + std::abs(log_z)));
  sum_backward(true, sums);
  // In the log domain a share is the exponential of a difference of numbers as large as log Z, each of them rounded.
  const double rounding = 1e-12 + 4 * std::numeric_limits<double>::epsilon() * std::abs(log_z);
  for (std::size_t t = 0; t < length; ++t)
    for (std::size_t j = 0; j < labels; ++j)
      ASSERT_NEAR(sums.marginals[t * sums.stride + j], -marginals[t * labels + j], rounding);
  for (std::size_t i = 0; i < labels; ++i)
    for (std::size_t j = 0; j < labels; ++j)
      ASSERT_NEAR(sums.pairs[i * sums.stride + j], -pairs[i * labels + j], rounding * static_cast<double>(length));
}

/// From the widest down, so that what the last chain left behind is in the way.
TEST(ChainSumsTest, AreThoseOfTheLogDomain) {
  fovea::testing::for_each_instruction_set([] {
    ChainSums sums;
    for (const std::size_t labels : {41u, 33u, 32u, 25u, 17u, 9u, 8u, 7u, 3u, 2u, 1u})
      for (const std::size_t length : {9u, 2u, 1u}) expect_sums_are_right(length, labels, Scores(length, labels), sums);
  });
}

TEST(ChainSumsTest, HoldAlmostToWhereTheyRefuse) {
  fovea::testing::for_each_instruction_set([] {
    ChainSums sums;
    Scores scores(40, 9);
    for (double& score : scores.unary) score *= 200;
    for (std::size_t e = 0; e < scores.pairwise.size(); ++e) scores.pairwise[e] = e % 2 == 0 ? 199 : 0;
    expect_sums_are_right(40, 9, scores, sums);
  });
}

TEST(ChainSumsTest, AScoreThatIsNoNumberMakesNone) {
  fovea::testing::for_each_instruction_set([] {
    ChainSums sums;
    for (const std::size_t labels : {2u, 9u})
      for (std::size_t place = 0; place < 3 * labels; ++place) {
        Scores scores(3, labels);
        scores.unary[place] = std::numeric_limits<double>::quiet_NaN();
        ASSERT_TRUE(sum_forward({scores.unary.data(), 3, labels}, {scores.pairwise.data(), labels, labels}, sums));
        EXPECT_TRUE(std::isnan(sums.log_z)) << place << " of " << labels << " labels";
      }
  });
}

TEST(ChainSumsTest, RefusesPairScoresFarApartOrNotFinite) {
  fovea::testing::for_each_instruction_set([] {
    ChainSums sums;
    for (const double score : {310.0, std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity(),
                               -std::numeric_limits<double>::infinity()})
      for (std::size_t place = 0; place < 81; ++place) {
        Scores scores(2, 9);
        scores.pairwise[place] = score;
        EXPECT_FALSE(sum_forward({scores.unary.data(), 2, 9}, {scores.pairwise.data(), 9, 9}, sums))
            << score << " at " << place;
        EXPECT_TRUE(sum_forward({scores.unary.data(), 1, 9}, {scores.pairwise.data(), 9, 9}, sums));  // not looked at
      }
  });
}

}  // namespace
}  // namespace fovea::gp
