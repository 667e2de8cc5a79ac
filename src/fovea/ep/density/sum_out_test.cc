// SPDX-License-Identifier: Apache-2.0
#include "fovea/ep/density/sum_out.h"

#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <vector>

#include "fovea/base/log_math.h"
#include "fovea/base/random.h"

namespace fovea::ep {
namespace {

using States = std::vector<std::uint32_t>;

/// Tables of random numbers over given categories.
struct Problem {
  States states;
  std::vector<CategoryTable> tables = {};
  std::vector<std::vector<double>> inputs = {};

  void add(std::vector<std::uint32_t> categories, Random& random) {
    std::size_t size = 1;
    for (const std::uint32_t category : categories) size *= states[category];
    std::vector<double> numbers(size + 1);
    for (double& x : numbers) x = 2 * random.normal();
    tables.push_back({.input = static_cast<std::uint32_t>(inputs.size()), .first = 1, .categories = categories});
    inputs.push_back(std::move(numbers));
  }

  /// By going through all states: the log of the sum, and the marginals.
  double by_hand(std::vector<double>& marginals) const {
    std::vector<std::size_t> first;
    std::size_t places = 0;
    for (const std::uint32_t count : states) {
      first.push_back(places);
      places += count;
    }
    marginals.assign(places, 0);
    double total = 0;
    States at(states.size());
    for (;;) {
      double log_weight = 0;
      for (const CategoryTable& table : tables) {
        std::size_t place = 0;
        for (const std::uint32_t category : table.categories) place = place * states[category] + at[category];
        log_weight += inputs[table.input][table.first + place];
      }
      const double weight = std::exp(log_weight);
      total += weight;
      for (std::size_t c = 0; c < at.size(); ++c) marginals[first[c] + at[c]] += weight;
      std::size_t c = 0;
      while (c < at.size() && ++at[c] == states[c]) at[c++] = 0;
      if (c == at.size()) break;
    }
    for (double& marginal : marginals) marginal /= total;
    return std::log(total);
  }
};

std::vector<Problem> problems() {
  Random random(3);
  Problem chain = {.states = {2, 3, 2, 3, 4}};
  for (std::uint32_t i = 0; i < 5; ++i) chain.add({i}, random);
  for (std::uint32_t i = 0; i + 1 < 5; ++i) chain.add({i + 1, i}, random);
  Problem loop = {.states = {2, 3, 2, 2}};
  for (const auto& [a, b] : std::vector<std::pair<std::uint32_t, std::uint32_t>>{{0, 1}, {1, 2}, {2, 3}, {3, 0}})
    loop.add({a, b}, random);
  Problem apart = {.states = {3, 2, 5}};
  apart.add({1}, random);
  apart.add({2}, random);
  apart.add({2}, random);
  Problem twice = {.states = {3, 2}};
  twice.add({0, 0, 1}, random);
  twice.add({0, 1, 0}, random);
  return {chain, loop, apart, twice};
}

std::vector<std::span<const double>> views(const Problem& problem) {
  return {problem.inputs.begin(), problem.inputs.end()};
}

TEST(SumOut, SumsOverAllStates) {
  for (const Problem& problem : problems()) {
    const SumOut sum_out(problem.states, problem.tables);
    std::vector<double> results(sum_out.result_count()), expected;
    sum_out.evaluate(views(problem), results);
    EXPECT_NEAR(results[0], problem.by_hand(expected), 1e-10);
    const std::vector<double> marginals = sum_out.marginals(results);
    ASSERT_EQ(marginals.size(), expected.size());
    for (std::size_t i = 0; i < expected.size(); ++i) EXPECT_NEAR(marginals[i], expected[i], 1e-12);
  }
}

TEST(SumOut, HasTheSlopesOfTheSum) {
  for (Problem problem : problems()) {
    const SumOut sum_out(problem.states, problem.tables);
    std::vector<double> results(sum_out.result_count()), slopes(results.size()), ignored;
    sum_out.evaluate(views(problem), results);
    slopes[0] = 2;
    std::vector<std::vector<double>> slopes_of;
    for (const auto& input : problem.inputs) slopes_of.emplace_back(input.size());
    const std::vector<std::span<double>> targets(slopes_of.begin(), slopes_of.end());
    sum_out.add_slopes(views(problem), results, slopes, targets);
    for (std::size_t t = 0; t < problem.inputs.size(); ++t)
      for (std::size_t i = 0; i < problem.inputs[t].size(); ++i) {
        constexpr double kStep = 1e-5;
        double& x = problem.inputs[t][i];
        x += kStep;
        const double above = problem.by_hand(ignored);
        x -= 2 * kStep;
        const double below = problem.by_hand(ignored);
        x += kStep;
        EXPECT_NEAR(slopes_of[t][i], (above - below) / kStep, 1e-8);
      }
  }
}

TEST(SumOut, KnowsWhatIsImpossible) {
  Problem problem = {.states = {2, 2}, .tables = {{.input = 0, .categories = {0, 1}}}, .inputs = {{}}};
  problem.inputs[0] = {-kInfinity, -kInfinity, 0, -kInfinity};
  const SumOut sum_out(problem.states, problem.tables);
  std::vector<double> results(sum_out.result_count());
  sum_out.evaluate(views(problem), results);
  EXPECT_EQ(results[0], 0);
  EXPECT_EQ(sum_out.marginals(results), (std::vector<double>{0, 1, 1, 0}));
  problem.inputs[0][2] = -kInfinity;
  sum_out.evaluate(views(problem), results);
  EXPECT_EQ(results[0], -kInfinity);
  for (const double marginal : sum_out.marginals(results)) EXPECT_EQ(marginal, 0);
}

TEST(SumOut, RefusesTablesThatAreTooLarge) {
  const States states(30, 2);
  std::vector<CategoryTable> pairs;
  for (std::uint32_t a = 0; a < 30; ++a)
    for (std::uint32_t b = 0; b < a; ++b) pairs.push_back({.categories = {a, b}});
  EXPECT_FALSE(SumOut(states, pairs).is_possible());
  std::vector<CategoryTable> chain;
  for (std::uint32_t a = 0; a + 1 < 30; ++a) chain.push_back({.categories = {a, a + 1}});
  EXPECT_TRUE(SumOut(states, chain).is_possible());
  EXPECT_LT(SumOut(states, chain).result_count(), 30U * 6 + 2);
}

}  // namespace
}  // namespace fovea::ep
