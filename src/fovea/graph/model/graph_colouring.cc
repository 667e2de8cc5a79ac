// SPDX-License-Identifier: Apache-2.0
#include "fovea/graph/model/graph_colouring.h"

#include <algorithm>
#include <numeric>

namespace fovea::graph {
namespace {

/// Variables by size of their blanket, largest first; a counting sort keeps ties in order.
std::vector<VariableId> by_blanket_size(const FactorGraph& graph) {
  std::size_t largest = 0;
  for (VariableId v = 0; v < graph.variable_count(); ++v) largest = std::max(largest, graph.markov_blanket(v).size());
  std::vector<std::size_t> next(largest + 2);
  for (VariableId v = 0; v < graph.variable_count(); ++v) ++next[largest - graph.markov_blanket(v).size() + 1];
  std::partial_sum(next.begin(), next.end(), next.begin());
  std::vector<VariableId> order(graph.variable_count());
  for (VariableId v = 0; v < graph.variable_count(); ++v) order[next[largest - graph.markov_blanket(v).size()]++] = v;
  return order;
}

/// [variable] -> class: the lowest that no neighbour has. Breadth first from each start, so that bipartite graphs get
/// two classes.
std::vector<std::uint32_t> classes_of(const FactorGraph& graph) {
  constexpr std::uint32_t kNone = -1;
  std::vector<std::uint32_t> classes(graph.variable_count(), kNone);
  std::vector<VariableId> taken_by;  // [class]: the last variable one of whose neighbours has it
  std::vector<VariableId> queue;
  std::vector<char> queued(graph.variable_count());
  const auto visit = [&](VariableId v) {
    for (const VariableId other : graph.markov_blanket(v)) {
      if (classes[other] != kNone) taken_by[classes[other]] = v;
      if (!queued[other]) {
        queued[other] = 1;
        queue.push_back(other);
      }
    }
    std::uint32_t lowest = 0;
    while (lowest < taken_by.size() && taken_by[lowest] == v) ++lowest;
    if (lowest == taken_by.size()) taken_by.push_back(static_cast<VariableId>(graph.variable_count()));
    classes[v] = lowest;
  };
  for (const VariableId start : by_blanket_size(graph)) {
    if (queued[start]) continue;
    queued[start] = 1;
    queue.assign(1, start);
    for (std::size_t i = 0; i < queue.size(); ++i) visit(queue[i]);
  }
  return classes;
}

}  // namespace

GraphColouring colour_graph(const FactorGraph& graph) {
  const std::vector<std::uint32_t> classes = classes_of(graph);
  GraphColouring colouring;
  colouring.begin.assign(1, 0);
  for (const std::uint32_t c : classes) {
    if (c + 2 > colouring.begin.size()) colouring.begin.resize(c + 2);
    ++colouring.begin[c + 1];
  }
  std::partial_sum(colouring.begin.begin(), colouring.begin.end(), colouring.begin.begin());
  colouring.order.resize(graph.variable_count());
  std::vector<std::uint32_t> next(colouring.begin.begin(), colouring.begin.end() - 1);
  for (VariableId v = 0; v < classes.size(); ++v) colouring.order[next[classes[v]]++] = v;
  return colouring;
}

}  // namespace fovea::graph
