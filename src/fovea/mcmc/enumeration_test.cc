// SPDX-License-Identifier: Apache-2.0
#include "fovea/mcmc/enumeration.h"

#include <gtest/gtest.h>

#include "tests/support/random_sequences.h"

namespace fovea::mcmc {
namespace {

// Two coins with p(heads) = .8 and .4, unnormalised by a factor of 3.
struct Coins {
  std::size_t variable_count() const { return 2; }
  std::size_t cardinality(VariableId) const { return 2; }
  void conditional_scores(VariableId v, const Assignment&, std::span<float> scores) const {
    for (Value k = 0; k < 2; ++k) scores[k] = static_cast<float>(std::log(p[v][k]));
  }
  std::vector<VariableId> markov_blanket(VariableId) const { return {}; }
  double log_score(const Assignment& y) const { return std::log(3 * p[0][y[0]] * p[1][y[1]]); }

  double p[2][2] = {{.2, .8}, {.6, .4}};
};

TEST(Enumeration, coins) {
  const EnumerationResult result = enumerate(Coins());
  EXPECT_NEAR(result.log_z, std::log(3), 1e-15);
  EXPECT_EQ(result.best.values, (Assignment{1, 0}));
  EXPECT_NEAR(result.best.score, std::log(3 * .48), 1e-15);
  EXPECT_NEAR(result.marginals[0][1], .8, 1e-15);
  EXPECT_NEAR(result.marginals[1][0], .6, 1e-15);
}

TEST(Enumeration, n_best_of_coins_in_order) {
  const std::vector<ScoredAssignment> best = enumerate_n_best(Coins(), 3);
  ASSERT_EQ(best.size(), 3u);
  EXPECT_EQ(best[0].values, (Assignment{1, 0}));
  EXPECT_EQ(best[1].values, (Assignment{1, 1}));
  EXPECT_EQ(best[2].values, (Assignment{0, 0}));
  EXPECT_EQ(enumerate_n_best(Coins(), 9).size(), 4u);
  EXPECT_TRUE(enumerate_n_best(Coins(), 0).empty());
}

TEST(Enumeration, forbidden_values_have_probability_zero) {
  Coins coins;
  coins.p[0][1] = 0;
  EXPECT_EQ(enumerate(coins).marginals[0][1], 0);
  EXPECT_EQ(enumerate_n_best(coins, 9).size(), 2u);
  coins.p[0][0] = 0;
  const EnumerationResult infeasible = enumerate(coins);
  EXPECT_EQ(infeasible.log_z, -INFINITY);
  EXPECT_EQ(infeasible.marginals[1][0], 0);
}

TEST(Enumeration, refuses_ten_million_and_more) {
  const testing::RandomSequences random = testing::random_sequences({.label_count = 5, .lengths = {11}}, 1);
  EXPECT_THROW(enumerate(sequence::SequenceView(*random.sequences, 0)), LimitError);
}

}  // namespace
}  // namespace fovea::mcmc
