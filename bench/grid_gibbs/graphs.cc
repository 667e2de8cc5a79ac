// SPDX-License-Identifier: Apache-2.0
// Gibbs updates a second of ColourGibbs on a 256 x 256 torus of five labels that is given as any factor graph: with one
// Potts table for all edges, or with a table of its own for each; and of GraphGibbs in the same order. Before it times
// anything it compares the sampler with a junction tree. Prints one JSON line for each model.
#include <cmath>
#include <iostream>
#include <nlohmann/json.hpp>
#include <random>
#include <string>
#include <vector>

#include "bench/support/measure.h"
#include "fovea/graph/colour/colour_gibbs.h"
#include "fovea/graph/model/graph_colouring.h"
#include "fovea/graph/tree/cluster_tree.h"
#include "fovea/graph/tree/elimination_order.h"
#include "fovea/graph/tree/junction_tree.h"

namespace fovea::bench {
namespace {

constexpr std::size_t kLabels = 5;
constexpr double kCoupling = 0.8;

/// All scores times `scale`. Own tables: standard normal scores.
graph::FactorGraph torus(std::size_t rows, std::size_t columns, bool has_own_tables, double scale = 1) {
  graph::FactorGraph::Builder builder;
  for (std::size_t v = 0; v < rows * columns; ++v) builder.add_variable(kLabels);
  std::vector<double> table(kLabels * kLabels);
  for (std::size_t k = 0; k < kLabels; ++k) table[k * (kLabels + 1)] = kCoupling * scale;
  const graph::TableId shared = builder.add_table(table);
  std::mt19937 engine(1);
  std::normal_distribution<double> normal;
  const auto add_edge = [&](std::size_t a, std::size_t b) {
    const std::vector<VariableId> scope = {static_cast<VariableId>(a), static_cast<VariableId>(b)};
    if (has_own_tables)
      for (double& score : table) score = normal(engine) * scale;
    builder.add_factor(scope, has_own_tables ? builder.add_table(table) : shared);
  };
  for (std::size_t row = 0; row < rows; ++row)
    for (std::size_t column = 0; column < columns; ++column) {
      add_edge(row * columns + column, row * columns + (column + 1) % columns);
      add_edge(row * columns + column, (row + 1) % rows * columns + column);
    }
  return builder.build();
}

double log_partition(const graph::FactorGraph& graph) {
  const graph::ClusterTree tree(graph, graph::find_elimination_order(graph, {.tries = 1}, Random(1)).order);
  return graph::JunctionTree(graph, tree).log_partition();
}

/// How far the mean score of a small torus lies from d log Z / d scale, in standard errors.
double deviation_from_exact(bool has_own_tables) {
  constexpr std::size_t kRows = 3, kColumns = 40;
  constexpr double kStep = 1e-4;
  const double expected = (log_partition(torus(kRows, kColumns, has_own_tables, 1 + kStep)) -
                           log_partition(torus(kRows, kColumns, has_own_tables, 1 - kStep))) /
                          (2 * kStep);
  const graph::FactorGraph graph = torus(kRows, kColumns, has_own_tables);
  const graph::ColourGibbs gibbs = graph::ColourGibbs::build(graph).value();
  graph::ColourChain chain(gibbs, Assignment(graph.variable_count()), Random(1));
  chain.sweep(1000);
  return deviation_in_standard_errors(expected, [&] {
    chain.sweep();
    return graph.log_score(chain.values());
  });
}

nlohmann::ordered_json measure(bool has_own_tables, int rounds) {
  constexpr std::size_t kSweeps = 300, kSlowSweeps = 30;
  nlohmann::ordered_json record = {{"tables", has_own_tables ? "own" : "shared"},
                                   {"deviation", deviation_from_exact(has_own_tables)}};
  const graph::FactorGraph graph = torus(256, 256, has_own_tables);
  const std::size_t count = graph.variable_count();
  const auto updates = static_cast<double>(kSweeps * count), slow_updates = static_cast<double>(kSlowSweeps * count);
  const graph::ColourGibbs gibbs = graph::ColourGibbs::build(graph).value();
  graph::ColourChain chain(gibbs, Assignment(count), Random(2));
  chain.sweep(kSweeps);
  const graph::GraphGibbs one_by_one(graph);
  const graph::GraphColouring colouring = graph::colour_graph(graph);
  Assignment values = chain.values();
  Random random(3);
  for (int round = 0; round < rounds; ++round) {
    record["one_thread"].push_back(rate(updates, [&] { chain.sweep(kSweeps); }));
    record["two_threads"].push_back(rate(updates, [&] { chain.sweep(kSweeps, 2); }));
    record["one_by_one"].push_back(rate(slow_updates, [&] {
      for (std::size_t sweep = 0; sweep < kSlowSweeps; ++sweep) one_by_one.step(values, colouring.order, random);
    }));
  }
  return record;
}

}  // namespace
}  // namespace fovea::bench

int main(int argc, char** argv) {
  if (!fovea::bench::has_arguments(argc, 1, "grid_gibbs_graphs ROUNDS")) return 2;
  for (const bool has_own_tables : {false, true})
    std::cout << fovea::bench::measure(has_own_tables, std::stoi(argv[1])).dump() << '\n';
}
