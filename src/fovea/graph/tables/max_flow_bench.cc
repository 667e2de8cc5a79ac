// SPDX-License-Identifier: Apache-2.0
// Minimum cuts of noisy pictures, by MaxFlow and by Boost.Graph's implementation of the same algorithm. Both must find
// a cut of the same cost before either is timed.
#include "fovea/graph/tables/max_flow.h"

#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"  // GCC 12 cannot follow Boost's iterators

#include <benchmark/benchmark.h>

#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/boykov_kolmogorov_max_flow.hpp>
#include <cmath>
#include <vector>

#include "fovea/base/error.h"
#include "fovea/base/random.h"

namespace fovea::graph {
namespace {

struct Edge {
  std::int32_t from = 0, to = 0;
  double capacity = 0;
};

/// A square picture: a capacity from or to a terminal for each pixel, and one between neighbours.
struct Picture {
  explicit Picture(int side) {
    Random random(7);
    for (std::int32_t n = 0; n < side * side; ++n) {
      terminals.push_back(random.normal() + (n % side < side / 2 ? .5 : -.5));
      if (n % side + 1 < side) edges.push_back({n, n + 1, .6});
      if (n + side < side * side) edges.push_back({n, n + side, .6});
    }
  }
  /// The cost of the cut that has the nodes with `is_inside` on the source's side.
  template <class Inside>
  double cut(Inside is_inside) const {
    double cost = 0;
    for (std::size_t n = 0; n < terminals.size(); ++n)
      if ((terminals[n] > 0) != is_inside(static_cast<std::int32_t>(n))) cost += std::abs(terminals[n]);
    for (const Edge& e : edges)
      if (is_inside(e.from) != is_inside(e.to)) cost += e.capacity;
    return cost;
  }

  std::vector<double> terminals;
  std::vector<Edge> edges;
};

double cut_by_fovea(const Picture& picture) {
  MaxFlow flow;
  flow.reset(picture.terminals.size());
  for (std::size_t n = 0; n < picture.terminals.size(); ++n)
    flow.add_terminal(static_cast<std::int32_t>(n), picture.terminals[n]);
  for (const Edge& e : picture.edges) flow.add_edge(e.from, e.to, e.capacity, e.capacity);
  flow.solve();
  return picture.cut([&](std::int32_t n) { return flow.is_on_source_side(n); });
}

using Traits = boost::adjacency_list_traits<boost::vecS, boost::vecS, boost::directedS>;
using BoostVertex =
    boost::property<boost::vertex_color_t, boost::default_color_type,
                    boost::property<boost::vertex_distance_t, long,
                                    boost::property<boost::vertex_predecessor_t, Traits::edge_descriptor>>>;
using BoostEdge = boost::property<boost::edge_capacity_t, double,
                                  boost::property<boost::edge_residual_capacity_t, double,
                                                  boost::property<boost::edge_reverse_t, Traits::edge_descriptor>>>;
using BoostGraph = boost::adjacency_list<boost::vecS, boost::vecS, boost::directedS, BoostVertex, BoostEdge>;

double cut_by_boost(const Picture& picture) {
  const std::size_t count = picture.terminals.size(), source = count, sink = count + 1;
  BoostGraph graph(count + 2);
  const auto add = [&](std::size_t from, std::size_t to, double capacity, double reverse_capacity) {
    const auto there = boost::add_edge(from, to, graph).first, back = boost::add_edge(to, from, graph).first;
    boost::put(boost::edge_capacity, graph, there, capacity);
    boost::put(boost::edge_capacity, graph, back, reverse_capacity);
    boost::put(boost::edge_reverse, graph, there, back);
    boost::put(boost::edge_reverse, graph, back, there);
  };
  for (std::size_t n = 0; n < count; ++n) {
    if (picture.terminals[n] > 0) add(source, n, picture.terminals[n], 0);
    else add(n, sink, -picture.terminals[n], 0);
  }
  for (const Edge& e : picture.edges)
    add(static_cast<std::size_t>(e.from), static_cast<std::size_t>(e.to), e.capacity, e.capacity);
  boost::boykov_kolmogorov_max_flow(graph, source, sink);
  const auto colours = boost::get(boost::vertex_color, graph);
  const auto of_source = boost::get(colours, source);
  return picture.cut([&](std::int32_t n) { return boost::get(colours, static_cast<std::size_t>(n)) == of_source; });
}

template <double (*Cut)(const Picture&)>
void MinimumCut(benchmark::State& state) {
  const Picture picture(static_cast<int>(state.range(0)));
  FOVEA_CHECK(std::abs(cut_by_fovea(picture) - cut_by_boost(picture)) < 1e-9 * cut_by_fovea(picture));
  for (auto _ : state) benchmark::DoNotOptimize(Cut(picture));
}
BENCHMARK(MinimumCut<cut_by_fovea>)->Name("MinimumCut/fovea")->Arg(64)->Arg(256)->Unit(benchmark::kMillisecond);
BENCHMARK(MinimumCut<cut_by_boost>)->Name("MinimumCut/boost_graph")->Arg(64)->Arg(256)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace fovea::graph
