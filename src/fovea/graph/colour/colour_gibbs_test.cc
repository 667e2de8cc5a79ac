// SPDX-License-Identifier: Apache-2.0
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "fovea/graph/colour/colour_gibbs_test.cc"
#include "hwy/foreach_target.h"  // must come before highway.h
// Compiled once per target from here on.
#include "fovea/base/log_math.h"
#include "fovea/graph/colour/colour_gibbs-inl.h"
#include "tests/support/enumerating_random.h"

HWY_BEFORE_NAMESPACE();
namespace fovea::graph::HWY_NAMESPACE {

/// Visits one block with random choices replayed.
void enumerated_block(const LaneTables& tables, const LaneTables::Block& block, const FactorGraph& graph,
                      LaneValues& values, testing::EnumeratingRandom& random) {
  for (std::size_t at = 0; at < LaneTables::kLanes; at += hn::Lanes(Tag()))
    visit_lanes(tables, block, at, graph, values, random);
  publish(tables, block, values);
}

}  // namespace fovea::graph::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <set>

#include "fovea/graph/model/graph_colouring.h"
#include "tests/support/enumerate_graph.h"
#include "tests/support/instruction_sets.h"
#include "tests/support/random_graphs.h"
#include "tests/support/statistics.h"

namespace fovea::graph {
namespace {

HWY_EXPORT(enumerated_block);

static_assert(std::same_as<ColourGibbs::TargetLaw, mcmc::Invariant>);

// Weights are float: the gap is of the order of their rounding.
constexpr double kFloatRounding = 2e-6;

LaneTables lane_tables(const FactorGraph& graph) {
  const AccessRule rule(graph);
  const std::optional<LaneOrder> order = order_lanes(rule, colour_graph(graph));
  return LaneTables::build(rule, *order).value();
}

std::set<FactorAccess> accesses_of(const FactorGraph& graph) {
  std::set<FactorAccess> accesses;
  for (const LaneTables::Slot& slot : lane_tables(graph).slots) accesses.insert(slot.access);
  return accesses;
}

LaneValues values_at(const LaneTables& tables, const Assignment& y) {
  LaneValues values = {.sites = AlignedVector<std::int32_t>(tables.site_count), .assignment = y};
  for (const LaneTables::Block& block : tables.blocks)
    for (std::size_t site = block.first_site; site < block.first_site + block.lane_count; ++site)
      values.sites[site] = y[tables.variables[site]];
  return values;
}

/// The largest difference between what a visit of the block at y draws and p(block | rest) of `graph`, over all that
/// it can draw. The tables may be those of another graph.
double conditional_gap(const FactorGraph& graph, const LaneTables& tables, const LaneTables::Block& block,
                       const Assignment& y) {
  std::map<Assignment, double> drawn;
  LaneValues values;
  testing::EnumeratingRandom random;
  random.enumerate(
      [&](testing::EnumeratingRandom& r) {
        values = values_at(tables, y);
        HWY_DYNAMIC_DISPATCH(enumerated_block)(tables, block, graph, values, r);
      },
      [&](double p) { drawn[values.assignment] += p; });
  double total = 0, gap = 0;
  for (const auto& entry : drawn) total += std::exp(graph.log_score(entry.first) - graph.log_score(y));
  for (const auto& [after, p] : drawn)
    gap = std::max(gap, std::abs(p - std::exp(graph.log_score(after) - graph.log_score(y)) / total));
  return gap;
}

/// Checks every block under every instruction set, at a few assignments of positive probability.
void expect_exact(const FactorGraph& graph) {
  const LaneTables tables = lane_tables(graph);
  std::vector<Assignment> starts;
  testing::for_each_assignment(graph, [&](const Assignment& y, double score) {
    if (score > kImpossible) starts.push_back(y);
  });
  ASSERT_FALSE(starts.empty());
  testing::for_each_instruction_set([&] {
    for (std::size_t i = 0; i < starts.size(); i += starts.size() / 8 + 1)
      for (const LaneTables::Block& block : tables.blocks)
        EXPECT_LT(conditional_gap(graph, tables, block, starts[i]), kFloatRounding) << i;
  });
}

/// `leaves` variables, each with `edges` factors to a hub; with tables of their own, or two for all.
FactorGraph star(std::size_t leaves, std::size_t edges, std::size_t hub_values, std::size_t leaf_values,
                 bool has_own_tables, double scale = 1) {
  std::mt19937 engine(3);
  std::normal_distribution<double> normal(0, scale);
  FactorGraph::Builder builder;
  const VariableId hub = builder.add_variable(hub_values);
  std::vector<double> scores(hub_values * leaf_values);
  const auto add_table = [&] {
    for (double& score : scores) score = normal(engine);
    return builder.add_table(scores);
  };
  const TableId forward = add_table();
  for (std::size_t leaf = 0; leaf < leaves; ++leaf) {
    const VariableId v = builder.add_variable(leaf_values);
    for (std::size_t e = 0; e < edges; ++e)
      builder.add_factor(std::vector{hub, v}, has_own_tables ? add_table() : forward);
    builder.add_factor(std::vector{v}, std::vector<double>(leaf_values, normal(engine)));
  }
  return builder.build();
}

TEST(ColourGibbs, DrawsFromTheConditionalLaw) {
  for (std::uint32_t seed = 0; seed < 10; ++seed)
    expect_exact(testing::random_graph(
        {.variable_count = 5, .factor_count = 8, .max_cardinality = 4, .max_arity = 4, .shared_tables = 0.3}, seed));
}

TEST(ColourGibbs, DrawsFromTheConditionalLawUnderHardConstraints) {
  for (std::uint32_t seed = 0; seed < 10; ++seed)
    expect_exact(
        testing::random_graph({.variable_count = 5, .factor_count = 7, .forbidden = 0.3, .is_feasible = true}, seed));
}

TEST(ColourGibbs, ReadsSharedTablesAndTablesOfTheirOwn) {
  using enum FactorAccess;
  const FactorGraph shared = star(8, 4, 3, 2, false), own = star(8, 2, 3, 2, true), wild = star(8, 2, 3, 2, true, 30);
  EXPECT_TRUE(accesses_of(shared).contains(kShared));
  EXPECT_TRUE(accesses_of(own).contains(kStreamed));
  EXPECT_TRUE(accesses_of(own).contains(kGathered));
  EXPECT_TRUE(lane_tables(own).blocks[0].is_relative || lane_tables(own).blocks[1].is_relative);
  EXPECT_FALSE(lane_tables(wild).blocks[0].is_relative || lane_tables(wild).blocks[1].is_relative);
  for (const FactorGraph* graph : {&shared, &own, &wild}) expect_exact(*graph);
}

TEST(ColourGibbs, ReadsRowsLongerThanShortVectors) {
  expect_exact(star(8, 4, 9, 2, false));
  expect_exact(star(8, 2, 9, 2, true));
}

TEST(ColourGibbs, TheTestCatchesTheTablesOfAnotherModel) {
  const FactorGraph graph = star(8, 2, 3, 2, true), other = star(8, 2, 3, 2, true, 1.1);
  const LaneTables tables = lane_tables(other);
  double gap = 0;
  for (const LaneTables::Block& block : tables.blocks)
    gap = std::max(gap, conditional_gap(graph, tables, block, Assignment(9)));
  EXPECT_GT(gap, 1e-3);
}

TEST(ColourGibbs, ProductsBeyondTheRangeOfFloatAreComputedAgain) {
  FactorGraph::Builder builder;
  const VariableId v = builder.add_variable(2), other = builder.add_variable(2);
  for (int i = 0; i < 4; ++i)  // values 0 and 1 are likely by turns: each product is e^-120 or less
    builder.add_factor(std::vector{v, other},
                       i % 2 == 0 ? std::vector<double>{0, -60, 0, -60} : std::vector<double>{-60, 1, -60, 1});
  expect_exact(builder.build());
}

TEST(ColourGibbs, AVariableWithoutAnyPossibleValueKeepsItsOwn) {
  FactorGraph::Builder builder;
  const VariableId v = builder.add_variable(2), other = builder.add_variable(2);
  builder.add_factor(std::vector{v, other}, std::vector<double>{0, kImpossible, 0, kImpossible});
  builder.add_factor(std::vector{other}, std::vector<double>{kImpossible, 0});
  const FactorGraph graph = builder.build();
  const ColourGibbs gibbs = ColourGibbs::build(graph).value();
  ColourChain chain(gibbs, {1, 1}, Random(1));
  chain.sweep(5);
  EXPECT_EQ(chain.values(), (Assignment{1, 1}));
}

/// p(y_v = . | rest).
std::vector<double> conditional(const FactorGraph& graph, VariableId v, Assignment y) {
  std::vector<double> p(graph.cardinality(v));
  double total = 0;
  for (std::size_t k = 0; k < p.size(); ++k) {
    y[v] = static_cast<Value>(k);
    total += p[k] = std::exp(graph.log_score(y));
  }
  for (double& x : p) x /= total;
  return p;
}

TEST(ColourGibbs, OneSweepHasTheLawOfItsOrderWithWideVariablesToo) {
  for (const std::size_t hub_values : {3u, 20u}) {
    const FactorGraph graph = star(1, 2, hub_values, 2, true, 0.5);
    const std::vector<VariableId> order = colour_graph(graph).order;
    const VariableId first = order[0], second = order[1];
    std::vector<double> law(2 * hub_values);
    Assignment y = {1, 1};
    const std::vector<double> p_first = conditional(graph, first, y);
    for (std::size_t k = 0; k < p_first.size(); ++k) {
      y[first] = static_cast<Value>(k);
      const std::vector<double> p_second = conditional(graph, second, y);
      for (std::size_t j = 0; j < p_second.size(); ++j) {
        y[second] = static_cast<Value>(j);
        law[y[0] * 2u + y[1]] += p_first[k] * p_second[j];
      }
    }
    const ColourGibbs gibbs = ColourGibbs::build(graph).value();
    std::uint64_t draw = 0;
    EXPECT_TRUE(testing::draws_follow(law, 20'000, [&] {
      ColourChain chain(gibbs, {1, 1}, Random(7).child("draw", draw++));
      chain.sweep();
      return chain.values()[0] * 2u + chain.values()[1];
    })) << hub_values;
  }
}

TEST(ColourGibbs, ChainsDependOnTheirSeedAlone) {
  const FactorGraph graph = testing::random_grid(50, 60, 5, 1);
  const ColourGibbs gibbs = ColourGibbs::build(graph).value();
  const auto after = [&](int threads) {
    ColourChain chain(gibbs, Assignment(graph.variable_count()), Random(4));
    EXPECT_TRUE(chain.sweep(4, threads));
    return chain.values();
  };
  const Assignment expected = after(1);
  EXPECT_EQ(after(2), expected);
  EXPECT_EQ(after(3), expected);
  testing::for_each_instruction_set([&] { EXPECT_EQ(after(1), expected); });
}

TEST(ColourGibbs, StopsWhenAsked) {
  const FactorGraph graph = testing::random_grid(20, 20, 3, 1);
  CancelToken cancel;
  cancel.cancel();
  EXPECT_FALSE(ColourGibbs::build(graph, {.cancel = &cancel}));
  const ColourGibbs gibbs = ColourGibbs::build(graph).value();
  ColourChain chain(gibbs, Assignment(graph.variable_count()), Random(4));
  EXPECT_FALSE(chain.sweep(1000, 2, {.cancel = &cancel}));
}

}  // namespace
}  // namespace fovea::graph
#endif
