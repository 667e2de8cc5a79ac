// SPDX-License-Identifier: Apache-2.0
#include "fovea/ep/language/compile.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include "fovea/base/error.h"
#include "fovea/io/table/read_table.h"

namespace fovea::ep {
namespace {

using testing::HasSubstr;

io::Table table_of(const std::vector<std::string>& columns, const std::vector<std::vector<std::string>>& rows) {
  io::Table table("data.csv", columns);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    std::vector<std::string_view> cells(rows[i].begin(), rows[i].end());
    table.add_row(cells, static_cast<std::int64_t>(i) + 2);
  }
  return table;
}

const io::Table& schools() {
  static const io::Table table =
      table_of({"school", "y", "sigma"}, {{"A", "28", "15"}, {"B", "8", "10"}, {"C", "-3", "16"}});
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
  const io::Table table = table_of({"x", "y"}, {{"1", "2"}, {"", "3"}, {"4", ""}});
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
  const io::Table table = table_of({"g", "u", "y"}, {{"b", "2", "1"}, {"a", "1", "2"}, {"b", "2", "3"}});
  const CompiledModel model = compile("groups ~ plate(g)\nm[g] ~ normal(u[g], 1)\ny ~ normal(m[g], 1)", &table);
  const double a = .5, b = .7;
  EXPECT_NEAR(density(model, {a, b}),
              normal(a, 1, 1) + normal(b, 2, 1) + normal(1, b, 1) + normal(2, a, 1) + normal(3, b, 1), 1e-10);
  const io::Table differs = table_of({"g", "u", "y"}, {{"b", "2", "1"}, {"b", "3", "3"}});
  EXPECT_THAT(
      complaint("groups ~ plate(g)\nm[g] ~ normal(u[g], 1)", &differs),
      HasSubstr("data.csv:3: column 2: '3' in column 'u' differs from that of another row with g 'b', which is 2"));
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
              HasSubstr("'n' has values that are not known, and poisson is of whole numbers"));
  EXPECT_THAT(complaint("mu ~ normal(school, 1)"),
              HasSubstr("data.csv:2: column 1: 'A' in column 'school' is not a finite number"));
}

}  // namespace
}  // namespace fovea::ep
