// SPDX-License-Identifier: Apache-2.0
#include "fovea/graph/tree/cluster_tree.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "fovea/base/error.h"

namespace fovea::graph {
namespace {

constexpr std::uint32_t kNone = ClusterTree::kNoParent;

}  // namespace

ClusterTree::ClusterTree(const FactorGraph& graph, std::span<const VariableId> order, std::span<const char> maximised,
                         const Stop& stop)
    : cluster_of_(graph.variable_count(), kNone), position_(graph.variable_count(), kNone) {
  for (std::uint32_t i = 0; i < order.size(); ++i) position_[order[i]] = i;
  eliminate(graph, order, maximised, stop);
  measure_tables(graph);
  arrange();
  place_factors(graph);
  for (const Cluster& cluster : clusters_)
    operations_ += cluster.entries * static_cast<double>(1 + cluster.factors.size() + cluster.children.size());
}

/// Symbolic elimination: the scope of a variable's bucket is what its factors and its children's buckets mention. A
/// bucket that a child's bucket contains joins the child's cluster.
void ClusterTree::eliminate(const FactorGraph& graph, std::span<const VariableId> order,
                            std::span<const char> maximised, const Stop& stop) {
  const auto is_max = [&](VariableId v) { return !maximised.empty() && maximised[v] != 0; };
  std::vector<std::vector<std::uint32_t>> waiting(graph.variable_count());  // clusters whose separator starts here
  std::vector<std::uint32_t> seen(graph.variable_count(), kNone);
  std::vector<VariableId> bucket;
  std::size_t work = 0;
  for (std::uint32_t i = 0; i < order.size(); ++i) {
    const VariableId v = order[i];
    bucket.clear();
    const auto add = [&](VariableId u) {
      if (position_[u] == kNone || position_[u] < i || std::exchange(seen[u], i) == i) return;
      bucket.push_back(u);
    };
    add(v);
    for (const VariableId u : graph.markov_blanket(v)) add(u);
    for (const std::uint32_t c : waiting[v])
      for (const VariableId u : clusters_[c].variables) add(u);
    std::ranges::sort(bucket, {}, [&](VariableId u) { return position_[u]; });
    std::uint32_t home = kNone;
    for (const std::uint32_t c : waiting[v])
      if (home == kNone && clusters_[c].separator().size() == bucket.size() && clusters_[c].is_maximised == is_max(v))
        home = c;
    if (home == kNone) {
      home = static_cast<std::uint32_t>(clusters_.size());
      clusters_.push_back({.variables = bucket, .is_maximised = is_max(v)});
    }
    for (const std::uint32_t c : waiting[v])
      if (c != home) clusters_[c].parent = home;
    ++clusters_[home].own_count;
    cluster_of_[v] = home;
    if (bucket.size() > 1) waiting[bucket[1]].push_back(home);
    work += bucket.size() + graph.markov_blanket(v).size();
    if (work > 100000 && std::exchange(work, 0) && stop.requested())
      throw LimitError("no time was left to build a cluster tree");
  }
}

/// Fills the lists of children; returns the clusters, parents before children.
std::vector<std::uint32_t> ClusterTree::link_children() {
  std::vector<std::uint32_t> order;
  for (std::uint32_t c = 0; c < clusters_.size(); ++c)
    if (clusters_[c].parent == kNone) order.push_back(c);
    else clusters_[clusters_[c].parent].children.push_back(c);
  for (std::size_t i = 0; i < order.size(); ++i)
    order.insert(order.end(), clusters_[order[i]].children.begin(), clusters_[order[i]].children.end());
  return order;
}

/// Sorts siblings by what their subtrees free, then renumbers the clusters, children before parents.
void ClusterTree::arrange() {
  const std::vector<std::uint32_t> downward = link_children();
  std::vector<double> peak(clusters_.size());
  const auto freed = [&](std::uint32_t c) { return peak[c] - message_bytes_of(c); };
  const auto peak_of = [&](std::vector<std::uint32_t>& children) {
    std::ranges::stable_sort(children, std::ranges::greater(), freed);
    double held = 0, most = 0;
    for (const std::uint32_t c : children) {
      most = std::max(most, held + peak[c]);
      held += message_bytes_of(c);
    }
    return std::pair(held, most);
  };
  std::vector<std::uint32_t> roots;
  for (auto at = downward.rbegin(); at != downward.rend(); ++at) {
    const auto [held, most] = peak_of(clusters_[*at].children);
    peak[*at] = std::max(most, held + message_bytes_of(*at));
    marginal_bytes_ = std::max(marginal_bytes_, message_bytes_ + held);
    if (clusters_[*at].parent == kNone) roots.push_back(*at);
  }
  peak_bytes_ = peak_of(roots).second;

  std::vector<std::uint32_t> number(clusters_.size());
  auto next = static_cast<std::uint32_t>(clusters_.size());
  for (std::vector<std::uint32_t> stack = roots; !stack.empty();) {
    const std::uint32_t c = stack.back();
    stack.pop_back();
    number[c] = --next;
    stack.insert(stack.end(), clusters_[c].children.begin(), clusters_[c].children.end());
  }
  renumber(number);
}

void ClusterTree::renumber(std::span<const std::uint32_t> number) {
  std::vector<Cluster> arranged(clusters_.size());
  for (std::uint32_t c = 0; c < clusters_.size(); ++c) arranged[number[c]] = std::move(clusters_[c]);
  for (Cluster& cluster : arranged) {
    if (cluster.parent != kNone) cluster.parent = number[cluster.parent];
    for (std::uint32_t& child : cluster.children) child = number[child];
  }
  for (std::uint32_t& c : cluster_of_)
    if (c != kNone) c = number[c];
  clusters_ = std::move(arranged);
}

void ClusterTree::place_factors(const FactorGraph& graph) {
  for (FactorId f = 0; f < graph.factor_count(); ++f) {
    VariableId first = 0;
    std::uint32_t earliest = kNone;
    for (const VariableId v : graph.scope(f))
      if (position_[v] < earliest) earliest = position_[first = v];
    if (earliest == kNone) constants_.push_back(f);
    else clusters_[cluster_of_[first]].factors.push_back(f);
  }
}

void ClusterTree::measure_tables(const FactorGraph& graph) {
  for (Cluster& cluster : clusters_) {
    for (std::size_t i = 0; i < cluster.variables.size(); ++i) {
      const auto cardinality = static_cast<double>(graph.cardinality(cluster.variables[i]));
      cluster.entries *= cardinality;
      if (i >= cluster.own_count) cluster.message_entries *= cardinality;
    }
    log2_width_ = std::max(log2_width_, std::log2(cluster.entries));
    message_bytes_ += cluster.message_entries * sizeof(double);
  }
}

}  // namespace fovea::graph
