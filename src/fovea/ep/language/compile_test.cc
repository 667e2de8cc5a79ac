// SPDX-License-Identifier: Apache-2.0
#include "fovea/ep/language/compile.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include "fovea/base/error.h"
#include "fovea/base/log_math.h"
#include "fovea/io/table/read_table.h"
#include "tests/support/data_table.h"

namespace fovea::ep {
namespace {

using fovea::testing::data_table;
using ::testing::HasSubstr;

const io::Table& schools() {
  static const io::Table table =
      data_table({"school", "y", "sigma"}, {{"A", "28", "15"}, {"B", "8", "10"}, {"C", "-3", "16"}});
  return table;
}

CompiledModel compile(const std::string& text, const io::Table* table = nullptr) {
  return compile_model(parse_model(text, "m.fov"), {.table = table, .numbers = {{"two", 2}}});
}

double density(const CompiledModel& model, const std::vector<double>& parameters) {
  Program::Workspace workspace(model.program);
  return workspace.evaluate(parameters);
}

double normal(double x, double mean, double sd) {
  return -.5 * std::pow((x - mean) / sd, 2) - std::log(sd) - .5 * std::log(2 * std::numbers::pi);
}

std::string complaint(const std::string& text, const io::Table* table = &schools()) {
  try {
    compile(text, table);
  } catch (const InputError& error) {
    return error.what();
  }
  ADD_FAILURE() << "nothing was thrown by " << text;
  return {};
}

TEST(Compile, HasTheDensityOfAHierarchicalModel) {
  const CompiledModel model = compile(
      "schools ~ plate(school); mu ~ normal(0, 10); tau ~ half_cauchy(5)\n"
      "theta[school] ~ normal(mu, tau); y[row] ~ normal(theta[school[row]], sigma[row])",
      &schools());
  ASSERT_EQ(model.program.parameter_count(), 5U);
  ASSERT_EQ(model.variables.size(), 3U);
  EXPECT_EQ(model.element_name(model.variables[2], 1), "theta[B]");
  const double mu = 3, log_tau = .7, tau = std::exp(log_tau), theta[] = {1, -2, 4};
  double expected = normal(mu, 0, 10) + std::log(2 / (std::numbers::pi * 5 * (1 + tau * tau / 25))) + log_tau;
  const double y[] = {28, 8, -3}, sigma[] = {15, 10, 16};
  for (int i = 0; i < 3; ++i) expected += normal(theta[i], mu, tau) + normal(y[i], theta[i], sigma[i]);
  EXPECT_NEAR(density(model, {mu, log_tau, 1, -2, 4}), expected, 1e-10);
}

TEST(Compile, TakesElementsOfTheirOwnAndThoseBefore) {
  const CompiledModel walk =
      compile("x[1] ~ normal(0, 10)\nx[row] ~ normal(x[row - 1], two)\ny ~ normal(x[row], 1)", &schools());
  const double x[] = {1, 2, 5}, y[] = {28, 8, -3};
  double expected = normal(1, 0, 10) + normal(2, 1, 2) + normal(5, 2, 2);
  for (int i = 0; i < 3; ++i) expected += normal(y[i], x[i], 1);
  EXPECT_NEAR(density(walk, {1, 2, 5}), expected, 1e-10);

  const CompiledModel recursion =
      compile("a ~ normal(0, 1)\ns[1] = 1\ns[row] = a * s[row - 1] + y[row - 1]\ny ~ normal(s[row], 1)", &schools());
  const double s[] = {1, .5 + 28, .5 * 28.5 + 8};
  expected = normal(.5, 0, 1);
  for (int i = 0; i < 3; ++i) expected += normal(y[i], s[i], 1);
  EXPECT_NEAR(density(recursion, {.5}), expected, 1e-10);
}

TEST(Compile, TakesOneNumberForAllRows) {
  const CompiledModel model = compile(
      "k ~ plate(2)\nb[k] ~ normal(0, 10)\nmean[row] = b[1] + b[2] * sigma\ny ~ normal(mean[row], 1)", &schools());
  const double y[] = {28, 8, -3}, sigma[] = {15, 10, 16};
  double expected = normal(.5, 0, 10) + normal(-.2, 0, 10);
  for (int i = 0; i < 3; ++i) expected += normal(y[i], .5 - .2 * sigma[i], 1);
  EXPECT_NEAR(density(model, {.5, -.2}), expected, 1e-10);
}

TEST(Compile, SumsOverPlates) {
  const CompiledModel model =
      compile("k ~ plate(4)\nw[k] ~ normal(0, 1)\nz[row] = sum(k, w[k] * row ^ k)\ny ~ normal(z[row], 1)", &schools());
  const double w[] = {.1, -.2, .3, .4}, y[] = {28, 8, -3};
  double expected = 0;
  for (const double weight : w) expected += normal(weight, 0, 1);
  for (int i = 0; i < 3; ++i) {
    double z = 0;
    for (int k = 0; k < 4; ++k) z += w[k] * std::pow(i + 1, k + 1);
    expected += normal(y[i], z, 1);
  }
  EXPECT_NEAR(density(model, {.1, -.2, .3, .4}), expected, 1e-9);
}

TEST(Compile, GuessesMissingCells) {
  const io::Table table = data_table({"x", "y"}, {{"1", "2"}, {"", "3"}, {"4", ""}});
  const CompiledModel model = compile("m ~ normal(0, 5)\nx ~ normal(m, 1)\ny ~ normal(x, 2)", &table);
  ASSERT_EQ(model.program.parameter_count(), 3U);
  ASSERT_EQ(model.variables.size(), 3U);
  const double expected = normal(.5, 0, 5) + normal(1, .5, 1) + normal(.7, .5, 1) + normal(4, .5, 1) + normal(2, 1, 2) +
                          normal(3, .7, 2) + normal(-1, 4, 2);
  EXPECT_NEAR(density(model, {.5, .7, -1}), expected, 1e-10);
}

TEST(Compile, TakesElementsThatAreSet) {
  const CompiledModel model =
      compile("schools ~ plate(school)\nb[1] = 0\nb[school] ~ normal(0, 3)\ny ~ normal(b[school], sigma)", &schools());
  ASSERT_EQ(model.program.parameter_count(), 2U);
  const double expected =
      normal(.5, 0, 3) + normal(-1, 0, 3) + normal(28, 0, 15) + normal(8, .5, 10) + normal(-3, -1, 16);
  EXPECT_NEAR(density(model, {.5, -1}), expected, 1e-10);
}

TEST(Compile, TakesNumbersOfMembers) {
  const io::Table table = data_table({"g", "u", "y"}, {{"b", "2", "1"}, {"a", "1", "2"}, {"b", "2", "3"}});
  const CompiledModel model = compile("groups ~ plate(g)\nm[g] ~ normal(u[g], 1)\ny ~ normal(m[g], 1)", &table);
  const double a = .5, b = .7;
  EXPECT_NEAR(density(model, {a, b}),
              normal(a, 1, 1) + normal(b, 2, 1) + normal(1, b, 1) + normal(2, a, 1) + normal(3, b, 1), 1e-10);
  const io::Table differs = data_table({"g", "u", "y"}, {{"b", "2", "1"}, {"b", "3", "3"}});
  EXPECT_THAT(
      complaint("groups ~ plate(g)\nm[g] ~ normal(u[g], 1)", &differs),
      HasSubstr("data.csv:3: column 2: '3' in column 'u' differs from that of another row with g 'b', which is 2"));
}

/// log of the sum of exp(numbers).
double log_sum_of(std::vector<double> numbers) { return log_sum(numbers); }

TEST(Compile, SumsMixturesOut) {
  const CompiledModel model = compile(
      "k ~ plate(2)\nw[k] ~ dirichlet(two)\nm[k] ~ normal(0, 10)\nz[row] ~ categorical(k, w[k])\n"
      "y ~ normal(m[z[row]], sigma)",
      &schools());
  ASSERT_EQ(model.program.parameter_count(), 3U);
  const double share = sigmoid(.3), m[] = {5, -4}, y[] = {28, 8, -3}, sigma[] = {15, 10, 16};
  // The log of the determinant of the simplex, and Dirichlet(2, 2): 6 w (1 - w).
  double expected = 2 * std::log(share) + 2 * std::log(1 - share) + std::log(6) + normal(5, 0, 10) + normal(-4, 0, 10);
  for (int i = 0; i < 3; ++i)
    expected += log_sum_of(
        {std::log(share) + normal(y[i], m[0], sigma[i]), std::log(1 - share) + normal(y[i], m[1], sigma[i])});
  EXPECT_NEAR(density(model, {.3, 5, -4}), expected, 1e-10);
}

TEST(Compile, SumsChainsOut) {
  // Weights need not sum to 1; formulas of what is not known stand in their lines.
  const CompiledModel model = compile(
      "s ~ plate(2)\nm ~ normal(0, 10)\nz[1] ~ categorical(s, 1)\nz[row] ~ categorical(s, 1 + 2 * equal(s, z[row - "
      "1]))\n"
      "mean[row] = m * z[row]\ny ~ normal(mean[row], sigma)",
      &schools());
  const double y[] = {28, 8, -3}, sigma[] = {15, 10, 16};
  std::vector<double> paths;
  for (int path = 0; path < 8; ++path) {
    double sum = std::log(.5);
    for (int i = 0; i < 3; ++i) {
      const int now = path >> i & 1;
      if (i > 0) sum += std::log(now == (path >> (i - 1) & 1) ? .75 : .25);
      sum += normal(y[i], 2.5 * (now + 1), sigma[i]);
    }
    paths.push_back(sum);
  }
  EXPECT_NEAR(density(model, {2.5}), normal(2.5, 0, 10) + log_sum_of(paths), 1e-10);
  ASSERT_EQ(model.categories.size(), 1U);
  EXPECT_EQ(model.variables.size(), 1U);
}

TEST(Compile, KnowsTheCategoriesThatAreGiven) {
  const io::Table table = data_table({"colour", "sick", "y"}, {{"red", "1", "2"}, {"", "0", "3"}, {"blue", "", "1"}});
  const CompiledModel model = compile(
      "colours ~ plate(colour)\nm ~ normal(0, 1)\ncolour ~ categorical(colours, colours)\n"
      "sick ~ bernoulli(0.25)\ny ~ normal(m * colour + sick, 1)",
      &table);
  // blue is 1, with probability 1/3; red is 2.
  const double m = .7;
  const double expected = normal(m, 0, 1) + std::log(2. / 3) + std::log(.25) + normal(2, 2 * m + 1, 1) + std::log(.75) +
                          log_sum_of({std::log(1. / 3) + normal(3, m, 1), std::log(2. / 3) + normal(3, 2 * m, 1)}) +
                          std::log(1. / 3) +
                          log_sum_of({std::log(.75) + normal(1, m, 1), std::log(.25) + normal(1, m + 1, 1)});
  EXPECT_NEAR(density(model, {m}), expected, 1e-10);
  EXPECT_EQ(model.categories[0].variable.unknown, (std::vector<std::uint32_t>{1}));
}

TEST(Compile, TakesOneCategoryForManyRows) {
  const io::Table table = data_table({"y"}, {{"1"}, {"2"}, {"7"}, {"9"}});
  const CompiledModel model = compile(
      "at ~ plate(4)\na ~ gamma(2, 1)\nb ~ gamma(2, 1)\nchange ~ categorical(at, 1)\n"
      "y ~ poisson(a + (b - a) * step(row - change))",
      &table);
  const double a = std::exp(.4), b = std::exp(2), y[] = {1, 2, 7, 9};
  std::vector<double> changes;
  for (int change = 0; change < 4; ++change) {
    double sum = -std::log(4);
    for (int i = 0; i < 4; ++i) {
      const double mean = i >= change ? b : a;
      sum += y[i] * std::log(mean) - mean - std::lgamma(y[i] + 1);
    }
    changes.push_back(sum);
  }
  const double prior = std::log(a) - a + std::log(b) - b + .4 + 2;
  EXPECT_NEAR(density(model, {.4, 2}), prior + log_sum_of(changes), 1e-10);
}

TEST(Compile, TakesBoundsAndOrders) {
  const CompiledModel model = compile(
      "u ~ uniform(2, 6)\nm ~ above(1, normal(0, 3))\nk ~ plate(3)\n"
      "c[k] ~ ordered(normal(k, 2))\np[k] ~ ordered(above(0, flat()))");
  const double m = 1 + std::exp(.2), c[] = {-1, -1 + std::exp(.1), -1 + std::exp(.1) + std::exp(.3)};
  double expected = std::log(sigmoid(.5)) + std::log(1 - sigmoid(.5)) + normal(m, 0, 3) + .2 + .1 + .3;
  for (int k = 0; k < 3; ++k) expected += normal(c[k], k + 1, 2);
  expected -= std::log(.5 * std::erfc(1 / (3 * std::numbers::sqrt2)));
  EXPECT_NEAR(density(model, {.5, .2, -1, .1, .3, -2, -1, .5}), expected - 2 - 1 + .5, 1e-10);
  EXPECT_FALSE(model.has_evidence);
  // With unknown arguments, the probability of the bounds matters.
  const io::Table table = data_table({"y"}, {{"1"}, {"2"}});
  const CompiledModel cut = compile("m ~ normal(0, 1)\ny ~ above(0, normal(m, 1))", &table);
  const double mass = .5 * std::erfc(-.4 / std::numbers::sqrt2);
  EXPECT_NEAR(density(cut, {.4}), normal(.4, 0, 1) + normal(1, .4, 1) + normal(2, .4, 1) - 2 * std::log(mass), 1e-10);
}

TEST(Compile, TakesCensoredNumbers) {
  const io::Table table = data_table({"time", "seen"}, {{"2", "1"}, {"3", "0"}});
  const CompiledModel model = compile("rate ~ gamma(2, 1)\ntime ~ censored(exponential(rate), seen)", &table);
  const double rate = std::exp(-.5);
  EXPECT_NEAR(density(model, {-.5}), std::log(rate) - rate - .5 + std::log(rate) - 2 * rate - 3 * rate, 1e-10);
}

TEST(Compile, TakesNumbersThatAreNormalTogether) {
  const io::Table table = data_table({"x", "y"}, {{"1", "2"}, {"2", "2.5"}});
  const CompiledModel model = compile(
      "other ~ plate(row)\na ~ half_normal(1)\n"
      "y ~ multi_normal(other, 1, a^2 * exp(-square(x[row] - x[other]) / 2) + 0.1 * equal(row, other))",
      &table);
  const double a = std::exp(.2), on = a * a + .1, off = a * a * std::exp(-.5), determinant = on * on - off * off;
  const double u = 1, v = 1.5;
  const double expected = std::log(2) + normal(a, 0, 1) + .2 -
                          .5 * (on * u * u - 2 * off * u * v + on * v * v) / determinant - .5 * std::log(determinant) -
                          std::log(2 * std::numbers::pi);
  EXPECT_NEAR(density(model, {.2}), expected, 1e-10);
}

TEST(Compile, TakesRanks) {
  const io::Table table = data_table({"rank"}, {{"1"}, {"3"}});
  const CompiledModel model =
      compile("cut ~ plate(2)\nc[cut] ~ ordered(normal(0, 2))\nrank ~ ordered_logistic(cut, 0.5, c[cut])", &table);
  const double c[] = {-1, -1 + std::exp(.3)};
  EXPECT_NEAR(
      density(model, {-1, .3}),
      normal(c[0], 0, 2) + normal(c[1], 0, 2) + .3 + std::log(sigmoid(c[0] - .5)) + std::log(1 - sigmoid(c[1] - .5)),
      1e-10);
}

TEST(Compile, SaysWhatCannotBeSummedOut) {
  const std::string mixture = "k ~ plate(2)\nj ~ plate(3)\nm[j] ~ normal(0, 1)\nz[row] ~ categorical(k, 1)\n";
  EXPECT_THAT(complaint(mixture + "y ~ normal(m[z[row]], 1)"), HasSubstr("'z[row]' is a member of 'k', not of 'j'"));
  EXPECT_THAT(complaint(mixture + "y ~ normal(sum(row, z[row]), 1)"), HasSubstr("is summed over 'row'"));
  EXPECT_THAT(complaint(mixture + "v ~ normal(z, 1)"), HasSubstr("'z' has 1 indices, not 0"));
  EXPECT_THAT(complaint(mixture + "a[row] = 2 * z[row]\ny ~ normal(a[1], 1)"),
              HasSubstr("'a[1]' depends on whole numbers that are not known, and is defined as 'a[row]'"));
  EXPECT_THAT(complaint("k ~ plate(2)\nz[row] ~ categorical(k, z[row])"), HasSubstr("z[1] depends on itself"));
  EXPECT_THAT(complaint("z[row] ~ categorical(nothing, 1)"), HasSubstr("'nothing' is not a plate"));
  EXPECT_THAT(complaint("k ~ plate(2)\nw ~ dirichlet(1)"),
              HasSubstr("dirichlet is of all members of a plate together"));
  EXPECT_THAT(complaint("k ~ plate(300000)\nz[k] ~ bernoulli(0.5)"), HasSubstr("'z' has more than 200000 unknown"));
  EXPECT_THAT(complaint("a ~ uniform(2, 1)"), HasSubstr("no number lies between 2 and 1"));
  EXPECT_THAT(complaint("a ~ normal(0, 1)\nb ~ uniform(0, a)"), HasSubstr("the bound 'a' is not a known number"));
  EXPECT_THAT(complaint("a ~ normal(0, 1)\nb ~ above(0, cauchy(a, 1))"),
              HasSubstr("the arguments of cauchy are not known"));
  EXPECT_THAT(complaint("y ~ censored(gamma(1, 1), 1)"), HasSubstr("gamma cannot be censored"));
  EXPECT_THAT(complaint("k ~ plate(2)\nc[k] ~ ordered(beta(1, 1))"), HasSubstr("numbers of beta cannot be ordered"));
}

TEST(Compile, SaysWhatIsWrong) {
  EXPECT_THAT(complaint("mu ~ normal(0, sigm)"), HasSubstr("m.fov:1: column 16: 'sigm' is not known here"));
  EXPECT_THAT(complaint("mu ~ normal(0, sigm)"), HasSubstr("Did you mean 'sigma'?"));
  EXPECT_THAT(complaint("mu ~ normal(tau, 1)\ntau ~ normal(0, 1)"), HasSubstr("It is defined further down"));
  EXPECT_THAT(complaint("mu ~ norml(0, 1)"), HasSubstr("Did you mean 'normal'?"));
  EXPECT_THAT(complaint("mu ~ normal(0)"), HasSubstr("normal takes 2 arguments, not 1. Write normal(mean, sd)"));
  EXPECT_THAT(complaint("mu = expp(1)"), HasSubstr("Did you mean 'exp'?"));
  EXPECT_THAT(complaint("mu = normal(0, 1)"), HasSubstr("A distribution stands after ~"));
  EXPECT_THAT(complaint("t[k] ~ normal(0, 1)"), HasSubstr("'k' is not a plate"));
  EXPECT_THAT(complaint("k ~ plate(3)\nt[k] ~ normal(0, 1)\nt[4] ~ normal(0, 1)"),
              HasSubstr("4 is out of range: 'k' has 3 members"));
  EXPECT_THAT(complaint("x[row] ~ normal(x[row - 1], 1)"), HasSubstr("(row - 1) is out of range at row 1"));
  EXPECT_THAT(complaint("k ~ plate(3)\nx[1] ~ normal(0, 1)\nx[2] ~ normal(0, 1)\nz = x[1]\nw[k] = 1"),
              HasSubstr("'1' is not a plate"));
  EXPECT_THAT(complaint("x = 1\nx ~ normal(0, 1)"), HasSubstr("'x' is defined above"));
  EXPECT_THAT(complaint("m ~ normal(0, 1)\nk ~ plate(3)\nx[1] = m\nx[k] ~ normal(0, 1)"),
              HasSubstr("'x' has both a distribution and a formula"));
  EXPECT_THAT(complaint("x[1] = 0\nz = x[1]\nx[row] ~ normal(0, 1)"), HasSubstr("'x' is used above its distribution"));
  EXPECT_THAT(complaint("x ~ normal(x, 1)"), HasSubstr("x depends on itself"));
  EXPECT_THAT(complaint("y ~ normal(y[row], 1)"), HasSubstr("y[1] depends on itself"));
  EXPECT_THAT(complaint("x = 1\nx = 2"), HasSubstr("'x' is defined above"));
  EXPECT_THAT(complaint("y ~ poisson(3)"),
              HasSubstr("y[3] is -3, which poisson cannot be. Its values are 0, 1, 2, ..."));
  EXPECT_THAT(complaint("y ~ gamma(3, 1)"), HasSubstr("which gamma cannot be. Its values lie between 0 and inf"));
  EXPECT_THAT(complaint("n ~ poisson(3)"),
              HasSubstr("'n' has values that are not known, and poisson has more values than can be summed out"));
  EXPECT_THAT(complaint("mu ~ normal(school, 1)"),
              HasSubstr("data.csv:2: column 1: 'A' in column 'school' is not a finite number"));
}

// Certain and impossible events have densities: 0 log 0 is 0.
TEST(Compile, CertainEventsHaveADensity) {
  const io::Table table = data_table({"y", "n", "k"}, {{"0", "0", "0"}});
  EXPECT_NEAR(density(compile("p ~ uniform(0, 1)\ny ~ bernoulli(0 * p)\n", &table), {0}), std::log(.25), 1e-12);
  EXPECT_NEAR(density(compile("p ~ uniform(0, 1)\nk ~ binomial(3, 0 * p)\n", &table), {0}), std::log(.25), 1e-12);
  EXPECT_NEAR(density(compile("p ~ uniform(0, 1)\nn ~ poisson(0 * p)\n", &table), {0}), std::log(.25), 1e-12);
}

// An animal that was seen in the second year was alive in the first: p (1 - f) p f.
TEST(Compile, StatesThatAreImpossibleHaveNoWeight) {
  const io::Table table = data_table({"a", "b"}, {{"0", "1"}});
  const CompiledModel model = compile(
      "years ~ plate(2)\np ~ uniform(0, 1)\nf ~ uniform(0, 1)\nalive[row, 1] ~ bernoulli(p)\n"
      "alive[row, years] ~ bernoulli(p * alive[row, years - 1])\na ~ bernoulli(f * alive[row, 1])\n"
      "b ~ bernoulli(f * alive[row, 2])\n",
      &table);
  const double p = 1 / (1 + std::exp(-.3)), f = 1 / (1 + std::exp(.4));
  Program::Workspace workspace(model.program);
  std::vector<double> gradient(2);
  const double at = workspace.evaluate(std::vector<double>{.3, -.4}, gradient);
  EXPECT_NEAR(at, 3 * std::log(p) + std::log(1 - p) + 2 * std::log(f * (1 - f)), 1e-9);
  EXPECT_NEAR(gradient[0], 3 - 4 * p, 1e-9);
}

}  // namespace
}  // namespace fovea::ep
