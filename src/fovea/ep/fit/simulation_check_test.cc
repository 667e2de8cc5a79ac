// SPDX-License-Identifier: Apache-2.0
#include "fovea/ep/fit/simulation_check.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include "fovea/base/error.h"
#include "fovea/ep/fit/fit_model.h"
#include "tests/support/data_table.h"

namespace fovea::ep {
namespace {

using fovea::testing::data_table;
using ::testing::HasSubstr;

/// Ranks of true numbers, drawn from normal(0, 1), among posteriors that say normal(shift, sd).
std::vector<double> ranks_under(double shift, double sd) {
  Random random(7);
  std::vector<double> ranks;
  for (int i = 0; i < 400; ++i) ranks.push_back(.5 * std::erfc((shift - random.normal()) / sd / std::numbers::sqrt2));
  return ranks;
}

TEST(TestRanks, SeesBiasAndWrongWidths) {
  EXPECT_GT(test_ranks(ranks_under(0, 1)).p_value, .05);
  EXPECT_LT(test_ranks(ranks_under(.5, 1)).bias_z, -5);
  EXPECT_GT(test_ranks(ranks_under(-.5, 1)).bias_z, 5);
  EXPECT_GT(test_ranks(ranks_under(0, .6)).spread_z, 5);
  EXPECT_LT(test_ranks(ranks_under(0, 2)).spread_z, -5);
  EXPECT_LT(test_ranks(ranks_under(0, .6)).p_value, 1e-5);
}

// Four ranks by hand: mean .3, (.4^2 + .3^2 + .1^2 + 0) / 4 = .065 for a twelfth.
TEST(TestRanks, HasTheFiguresByHand) {
  const RankTest test = test_ranks(std::vector<double>{.1, .2, .4, .5});
  EXPECT_NEAR(test.mean, .3, 1e-12);
  EXPECT_NEAR(test.bias_z, -.2 * std::sqrt(48), 1e-12);
  EXPECT_NEAR(test.spread_z, (.065 - 1. / 12) * std::sqrt(720), 1e-12);
  EXPECT_NEAR(test.p_value, 2 * std::erfc(.2 * std::sqrt(24)), 1e-9);
}

ModelDrawOptions short_chains() {
  ModelDrawOptions options;
  options.chains = 2;
  options.warm_up = options.draws = 150;
  return options;
}

TEST(CheckModel, PassesAModelThatIsFittedRightly) {
  const io::Table table = data_table(
      {"g", "x", "y", "k"},
      {{"a", "1", "0", "1"}, {"a", "2", "0", "0"}, {"b", "3", "", "1"}, {"b", "4", "0", ""}, {"c", "5", "0", "1"}});
  const ModelProblem problem = {.model =
                                    "g ~ plate(g)\nm[g] ~ normal(0, 2)\ns ~ above(1, normal(1, 1))\n"
                                    "y ~ normal(m[g] + x, s)\nk ~ bernoulli(0.5 + 0.3 * tanh(m[g]))\n",
                                .table = &table};
  const SimulationCheck check = check_model(problem, 30, short_chains(), {});
  EXPECT_EQ(check.data_sets, 30);
  ASSERT_EQ(check.quantities.size(), 5);  // m[a], m[b], m[c], s, y[3]
  EXPECT_EQ(check.quantities[0].name, "m[a]");
  for (const CheckedQuantity& quantity : check.quantities) EXPECT_EQ(quantity.test.count, 30) << quantity.name;
  EXPECT_NE(check.verdict, CheckVerdict::kWrong) << table_of(check);
}

// A sampler that is stopped after a few draws of a hard posterior is not right, and the check says so.
TEST(CheckModel, FindsChainsThatDoNotReachThePosterior) {
  const io::Table table = data_table({"y"}, std::vector<std::vector<std::string>>(3, {"0"}));
  ModelDrawOptions options = short_chains();
  options.warm_up = 20;
  options.draws = 4;
  options.deepest_tree = 1;
  const SimulationCheck check = check_model(
      {.model = "s ~ half_normal(5)\nm[row] ~ normal(0, s)\ny ~ normal(m[row]^2 * s, 0.01)\n", .table = &table}, 60,
      options, {});
  EXPECT_EQ(check.verdict, CheckVerdict::kWrong) << table_of(check);
  EXPECT_GT(check.not_mixed, 50);
}

TEST(CheckModel, SaysWhatCannotBeSimulated) {
  const io::Table table = data_table({"t", "seen"}, {{"1", "1"}, {"2", "0"}});
  const auto fault = [&](const std::string& model) -> std::string {
    try {
      check_model({.model = model, .table = &table}, 10, short_chains(), {});
      return "";
    } catch (const InputError& error) {
      return error.what();
    }
  };
  EXPECT_THAT(fault("rate ~ exponential(1)\nt ~ censored(exponential(rate), seen)\n"),
              HasSubstr("cannot be checked by simulation"));
  EXPECT_THAT(fault("m ~ flat()\nt ~ normal(m, 1)\n"), HasSubstr("m cannot be drawn from flat"));
}

TEST(CheckModel, TheNumberOfThreadsDoesNotMatter) {
  const io::Table table = data_table({"y"}, {{"1"}, {"2"}});
  const ModelProblem problem = {.model = "m ~ normal(0, 1)\ny ~ normal(m, 1)\n", .table = &table};
  EXPECT_EQ(json_of(check_model(problem, 10, short_chains(), {.threads = 1})),
            json_of(check_model(problem, 10, short_chains(), {.threads = 2})));
}

}  // namespace
}  // namespace fovea::ep
