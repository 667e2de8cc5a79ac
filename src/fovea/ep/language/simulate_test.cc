// SPDX-License-Identifier: Apache-2.0
#include "fovea/ep/language/simulate.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <vector>

#include "fovea/base/error.h"
#include "fovea/ep/language/distribution.h"
#include "fovea/ep/language/distribution_draw.h"
#include "tests/support/data_table.h"

namespace fovea::ep {
namespace {

using fovea::testing::data_table;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::map<std::string, std::vector<double>> simulated(const std::string& model, const ModelData& data,
                                                     const NumbersByName& known = {}, std::uint64_t seed = 1,
                                                     const std::set<std::string>& redrawn = {}) {
  std::map<std::string, std::vector<double>> numbers;
  for (const SimulatedVariable& variable : simulate(parse_model(model, "m.fov"), data, known, redrawn, Random(seed)))
    numbers[variable.name] = variable.numbers;
  return numbers;
}

/// Mean and variance of x of the model over many draws.
std::pair<double, double> moments_of(const std::string& model) {
  const std::vector<double> x = simulated("many ~ plate(40000)\n" + model, {})["x"];
  double sum = 0, squares = 0;
  for (const double value : x) sum += value, squares += value * value;
  const double mean = sum / static_cast<double>(x.size());
  return {mean, squares / static_cast<double>(x.size()) - mean * mean};
}

struct Moments {
  const char* distribution;
  double mean, variance, error;  // five standard errors of the mean
};

class DrawsOf : public ::testing::TestWithParam<Moments> {};

TEST_P(DrawsOf, HaveTheMeanAndVarianceOfTheDistribution) {
  const Moments& expected = GetParam();
  const auto [mean, variance] = moments_of(std::string("x[many] ~ ") + expected.distribution);
  EXPECT_NEAR(mean, expected.mean, 5 * std::sqrt(expected.variance / 40000)) << expected.distribution;
  EXPECT_NEAR(variance / expected.variance, 1, expected.error) << expected.distribution;
}

// The moments are those of textbooks; errors of variances are five times sqrt((kurtosis - 1) / 40000).
INSTANTIATE_TEST_SUITE_P(
    Distributions, DrawsOf,
    ::testing::Values(Moments{"normal(3, 2)", 3, 4, .036}, Moments{"bernoulli(0.3)", .3, .21, .03},
                      Moments{"bernoulli_logit(0)", .5, .25, .01}, Moments{"beta(0.5, 1.5)", .25, .0625, .05},
                      Moments{"binomial(1000, 0.2)", 200, 160, .04}, Moments{"binomial_logit(7, 0)", 3.5, 1.75, .04},
                      Moments{"double_exponential(1, 2)", 1, 8, .06}, Moments{"exponential(4)", .25, .0625, .08},
                      Moments{"gamma(0.3, 2)", .15, .075, .13}, Moments{"half_normal(2)", 1.5957691, 1.4535209, .05},
                      Moments{"inverse_gamma(9, 8)", 1, 1. / 7, .09}, Moments{"logistic(1, 2)", 1, 13.159473, .06},
                      Moments{"lognormal(0, 0.3)", 1.0460279, .1030439, .07}, Moments{"poisson(3.5)", 3.5, 3.5, .04},
                      Moments{"poisson_log(0)", 1, 1, .05}, Moments{"negative_binomial(2, 3)", 2, 2 + 4. / 3, .06},
                      Moments{"negative_binomial_log(0, 2)", 1, 1.5, .08}, Moments{"student(12, 1, 2)", 1, 4.8, .05},
                      Moments{"weibull(2, 3)", 2.6586808, 1.9314167, .04}, Moments{"uniform(2, 5)", 3.5, .75, .03},
                      Moments{"half_student(12, 2)", 1.7030, 1.8998, .07},
                      // The tail: mean = phi(4) / Phi(-4), variance 1 + 4 mean - mean^2
                      Moments{"above(4, normal(0, 1))", 4.2256072, .0449, .09},
                      Moments{"between(-7, -6, normal(0, 1))", -6.1585, .0233, .09}));

TEST(Simulate, OneDistributionAfterTheOtherIsDrawn) {
  for (const std::string_view name : distribution_names())
    EXPECT_TRUE(can_draw_number(name) || name == "flat" || name == "dirichlet" || name == "multi_normal") << name;
}

TEST(Simulate, VariablesHangOnThoseAbove) {
  const auto numbers = simulated("many ~ plate(30000)\nm[many] ~ normal(0, 3)\nx[many] ~ normal(2 * m[many], 1)\n", {});
  double cross = 0;
  for (std::size_t i = 0; i < 30000; ++i) cross += numbers.at("m")[i] * numbers.at("x")[i];
  EXPECT_NEAR(cross / 30000, 18, .7);
}

TEST(Simulate, KnownNumbersStay) {
  const io::Table table = data_table({"school", "y", "x"}, {{"A", "1", ""}, {"B", "", "5"}, {"C", "3", "6"}});
  const auto numbers = simulated(
      "schools ~ plate(school)\nmu[schools] ~ normal(1000, 1)\nx ~ normal(-1000, 1)\ny ~ normal(mu[school], 0.001)\n",
      {.table = &table}, {{"mu", {{"mu[A]", 7}, {"mu[B]", 8}}}});
  EXPECT_EQ(numbers.at("mu")[0], 7);
  EXPECT_EQ(numbers.at("mu")[1], 8);
  EXPECT_NEAR(numbers.at("mu")[2], 1000, 6);
  EXPECT_EQ(numbers.at("y")[0], 1);
  EXPECT_NEAR(numbers.at("y")[1], 8, .01);
  EXPECT_NEAR(numbers.at("x")[0], -1000, 6);
  EXPECT_EQ(numbers.at("x")[1], 5);
}

TEST(Simulate, RedrawnColumnsForgetTheirCells) {
  const io::Table table = data_table({"y"}, {{"1"}, {"2"}});
  const auto numbers = simulated("y ~ normal(50, 0.001)\n", {.table = &table}, {}, 1, {"y"});
  EXPECT_NEAR(numbers.at("y")[0], 50, .01);
}

TEST(Simulate, ElementsMayHangOnThoseBefore) {
  const auto numbers = simulated("t ~ plate(5)\nx[1] ~ normal(10, 0.001)\nx[t] ~ normal(2 * x[t - 1], 0.001)\n", {});
  EXPECT_NEAR(numbers.at("x")[4], 160, .5);
}

// A chain of states that never stays: 1, 2, 1, 2, ...
TEST(Simulate, DrawnStatesAreIndicesAndNumbers) {
  const auto numbers = simulated(
      "state ~ plate(2)\nbefore ~ plate(state)\nt ~ plate(6)\nmiddle[state] ~ normal(state * 100, 0.001)\n"
      "z[1] ~ categorical(state, equal(state, 1))\n"
      "z[t] ~ categorical(state, 1 - equal(state, z[t - 1]))\n"
      "y[t] ~ normal(middle[z[t]] + z[t], 0.001)\n",
      {});
  EXPECT_THAT(numbers.at("z"), ElementsAre(1, 2, 1, 2, 1, 2));
  EXPECT_NEAR(numbers.at("y")[3], 202, .01);
}

TEST(Simulate, SimplexesAndOrderedNumbersComeTogether) {
  const auto numbers = simulated(
      "k ~ plate(3)\nj ~ plate(2)\ns[j, k] ~ dirichlet(0.01)\no[j, k] ~ ordered(normal(0, 1))\nother ~ plate(k)\n"
      "g[k] ~ multi_normal(other, 100, 0.0001 * equal(k, other) + 1)\n",
      {});
  const std::vector<double>& s = numbers.at("s");
  EXPECT_NEAR(s[0] + s[1] + s[2], 1, 1e-12);
  EXPECT_NEAR(s[3] + s[4] + s[5], 1, 1e-12);
  const std::vector<double>& o = numbers.at("o");
  EXPECT_TRUE(std::is_sorted(o.begin(), o.begin() + 3) && std::is_sorted(o.begin() + 3, o.end()));
  EXPECT_NEAR(numbers.at("g")[0], numbers.at("g")[2], .1);
  EXPECT_NEAR(numbers.at("g")[0], 100, 6);
}

TEST(Simulate, SaysWhatCannotBeDrawn) {
  const auto fault = [](const std::string& model) -> std::string {
    try {
      simulated(model, {});
      return "";
    } catch (const InputError& error) {
      return error.what();
    }
  };
  EXPECT_THAT(fault("x ~ flat()\n"), HasSubstr("m.fov:1:"));
  EXPECT_THAT(fault("x ~ flat()\n"), HasSubstr("flat() has no integral"));
  EXPECT_THAT(fault("s ~ normal(-5, 0.1)\nx ~ normal(0, s)\n"), HasSubstr("x cannot be drawn from normal"));
  EXPECT_THAT(fault("p ~ normal(5, 0.1)\nx ~ bernoulli(p)\n"), HasSubstr("x cannot be drawn from bernoulli"));
}

TEST(Simulate, SeesRowsThatHangOnOtherRows) {
  const auto subject = [](const std::string& model) -> std::string {
    const ModelSyntax syntax = parse_model(model, "m.fov");
    const Statement* statement = statement_across_rows(syntax);
    return statement == nullptr ? "" : text_of(statement->subject);
  };
  EXPECT_EQ(subject("g ~ plate(school)\nm[g] ~ normal(0, 1)\nm2[1] ~ normal(m[1], 1)\ny ~ normal(m[school], 1)\n"), "");
  EXPECT_EQ(subject("years ~ plate(year)\nx[1] ~ normal(0, 1)\nx[year] ~ normal(x[year - 1], 1)\n"
                    "y ~ normal(x[year], 1)\n"),
            "");
  EXPECT_EQ(subject("x[1] ~ normal(0, 1)\nx[row] ~ normal(x[row - 1], 1)\n"), "x[1]");
  EXPECT_EQ(subject("y[row] ~ normal(y[row - 1], 1)\n"), "y[row]");
  EXPECT_EQ(subject("other ~ plate(row)\n"), "other");
  EXPECT_EQ(subject("m ~ normal(sum(row, x), 1)\n"), "m");
  EXPECT_EQ(subject("y ~ dirichlet(1)\n"), "y");
  // The first row, and the number of a row, are others in another table.
  EXPECT_EQ(subject("y ~ normal(x - x[1], 1)\n"), "y");
  EXPECT_EQ(subject("y ~ normal(0, 1)\nz ~ normal(y[1], 1)\n"), "z");
  EXPECT_EQ(subject("b ~ normal(0, 1)\ny ~ normal(b * row, 1)\n"), "y");
  EXPECT_EQ(subject("years ~ plate(2)\nz[row, 1] ~ normal(0, 1)\nz[row, years] ~ normal(z[row, years - 1], 1)\n"
                    "y ~ normal(z[row, 2], 1)\n"),
            "");
}

}  // namespace
}  // namespace fovea::ep
