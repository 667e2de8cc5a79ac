// SPDX-License-Identifier: Apache-2.0
#include "fovea/graph/format/bif/bif.h"

#include <algorithm>

namespace fovea::graph {
namespace {

/// For each variable, the number of its parents (with repetition) that are on a cycle or have an ancestor on one: those
/// left after roots have been removed repeatedly (Kahn 1962).
std::vector<std::size_t> parents_left(const FactorGraph& graph) {
  std::vector<std::size_t> parents(graph.variable_count());
  for (FactorId f = 0; f < graph.factor_count(); ++f)
    if (!graph.scope(f).empty()) parents[graph.scope(f).back()] += graph.scope(f).size() - 1;
  std::vector<VariableId> roots;
  for (VariableId v = 0; v < parents.size(); ++v)
    if (parents[v] == 0) roots.push_back(v);
  while (!roots.empty()) {
    const VariableId parent = roots.back();
    roots.pop_back();
    for (const FactorGraph::Incidence& incidence : graph.incidences(parent)) {
      const VariableId child = graph.scope(incidence.factor).back();
      if (child != parent && --parents[child] == 0) roots.push_back(child);
    }
  }
  return parents;
}

VariableId a_parent_left(const FactorGraph& graph, VariableId v, const std::vector<std::size_t>& left) {
  for (const FactorGraph::Incidence& incidence : graph.incidences(v))
    if (graph.scope(incidence.factor).back() == v)
      for (const VariableId parent : graph.scope(incidence.factor))
        if (parent != v && left[parent] > 0) return parent;
  return v;
}

}  // namespace

std::vector<VariableId> find_directed_cycle(const FactorGraph& graph) {
  const std::vector<std::size_t> left = parents_left(graph);
  const auto start = std::ranges::find_if(left, [](std::size_t parents) { return parents > 0; });
  if (start == left.end()) return {};
  // A walk from child to parent among those left never ends, so it returns to a variable that it has visited.
  std::vector<VariableId> path{static_cast<VariableId>(start - left.begin())};
  std::vector<bool> is_seen(graph.variable_count());
  while (!is_seen[path.back()]) {
    is_seen[path.back()] = true;
    path.push_back(a_parent_left(graph, path.back(), left));
  }
  path.erase(path.begin(), std::ranges::find(path, path.back()));
  path.pop_back();
  std::ranges::reverse(path);
  return path;
}

}  // namespace fovea::graph
