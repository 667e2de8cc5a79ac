// SPDX-License-Identifier: Apache-2.0
#include "fovea/graph/propagation/join_graph.h"

#include <algorithm>
#include <limits>
#include <numeric>

#include "fovea/base/error.h"

namespace fovea::graph {
namespace {

constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();

}  // namespace

/// Eliminates the variables one by one.
class JoinGraphBuilder {
 public:
  JoinGraphBuilder(JoinGraph& result, const FactorGraph& graph, std::span<const VariableId> order, double max_entries)
      : result_(result),
        graph_(graph),
        order_(order),
        max_entries_(max_entries),
        position_(graph.variable_count()),
        buckets_(graph.variable_count()) {
    FOVEA_CHECK(order.size() == graph.variable_count());
    for (std::uint32_t i = 0; i < order.size(); ++i) position_[order[i]] = i;
  }

  void build(const Stop& stop) {
    constexpr std::size_t kBucketsBetweenLooks = 64;
    for (FactorId f = 0; f < graph_.factor_count(); ++f) place_factor(f);
    for (std::size_t i = 0; i < order_.size(); ++i) {
      if (i % kBucketsBetweenLooks == 0 && stop.requested()) throw LimitError("time ran out while joining clusters");
      process_bucket(order_[i], std::move(buckets_[i]));
    }
    arrange();
    represent_variables();
  }

 private:
  /// Entry of a bucket: a factor, or the message of a cluster.
  struct Item {
    std::vector<VariableId> scope = {};  // in elimination order
    FactorId factor = kNone;
    std::uint32_t cluster = kNone;
  };

  /// Items of a bucket that share a cluster.
  struct Group {
    std::vector<VariableId> scope = {};
    std::vector<std::size_t> items = {};
  };

  bool comes_before(VariableId u, VariableId v) const { return position_[u] < position_[v]; }

  double entries_of(std::span<const VariableId> scope) const {
    return std::accumulate(scope.begin(), scope.end(), 1.0, [&](double product, VariableId v) {
      return product * static_cast<double>(graph_.cardinality(v));
    });
  }

  void place_factor(FactorId f) {
    const std::span<const VariableId> scope = graph_.scope(f);
    if (scope.empty()) return;
    Item item{{scope.begin(), scope.end()}, f, kNone};
    std::ranges::sort(item.scope, [&](VariableId u, VariableId v) { return comes_before(u, v); });
    buckets_[position_[item.scope[0]]].push_back(std::move(item));
  }

  void process_bucket(VariableId v, std::vector<Item> items) {
    if (items.empty()) items.push_back({{v}, kNone, kNone});
    std::ranges::stable_sort(items, [&](const Item& a, const Item& b) { return a.scope.size() > b.scope.size(); });
    std::vector<Group> groups;
    for (std::size_t i = 0; i < items.size(); ++i) add_to_best_group(items[i].scope, i, groups);
    if (groups.size() > 1) result_.is_tree_ = false;
    std::uint32_t previous = kNone;
    for (const Group& group : groups) {
      const std::uint32_t cluster = place_group(group, items);
      if (previous != kNone) join(previous, cluster, {v});
      previous = cluster;
    }
  }

  // Adds the item to the group that grows by the smallest factor within the bound; if none fits, to a new group.
  void add_to_best_group(const std::vector<VariableId>& scope, std::size_t item, std::vector<Group>& groups) const {
    Group* best = nullptr;
    double best_growth = std::numeric_limits<double>::infinity();
    std::vector<VariableId> best_scope;
    for (Group& group : groups) {
      std::vector<VariableId> together;
      std::ranges::set_union(group.scope, scope, std::back_inserter(together),
                             [&](VariableId u, VariableId v) { return comes_before(u, v); });
      const double entries = entries_of(together), growth = entries / entries_of(group.scope);
      const bool fits = entries <= max_entries_ || together.size() == group.scope.size();
      if (!fits || growth >= best_growth) continue;
      best = &group;
      best_growth = growth;
      best_scope = std::move(together);
    }
    if (!best) {
      groups.push_back({scope, {item}});
      return;
    }
    best->scope = std::move(best_scope);
    best->items.push_back(item);
  }

  std::uint32_t place_group(const Group& group, std::span<const Item> items) {
    const auto whole = std::ranges::find_if(group.items, [&](std::size_t i) {
      return items[i].cluster != kNone && items[i].scope.size() == group.scope.size();
    });
    const std::uint32_t cluster = whole != group.items.end() ? items[*whole].cluster : add_cluster(group.scope);
    for (const std::size_t i : group.items) {
      if (items[i].factor != kNone) result_.clusters_[cluster].factors.push_back(items[i].factor);
      else if (items[i].cluster != kNone && items[i].cluster != cluster)
        join(items[i].cluster, cluster, items[i].scope);
    }
    rank_[cluster] = next_rank_++;
    if (group.scope.size() == 1) return cluster;
    Item rest{{group.scope.begin() + 1, group.scope.end()}, kNone, cluster};
    buckets_[position_[rest.scope[0]]].push_back(std::move(rest));
    return cluster;
  }

  std::uint32_t add_cluster(const std::vector<VariableId>& scope) {
    JoinGraph::Cluster cluster;
    cluster.variables = scope;
    cluster.entries = entries_of(scope);
    result_.clusters_.push_back(std::move(cluster));
    rank_.push_back(0);
    return static_cast<std::uint32_t>(rank_.size() - 1);
  }

  void join(std::uint32_t a, std::uint32_t b, std::vector<VariableId> separator) {
    const double entries = entries_of(separator);
    result_.edges_.push_back({a, b, std::move(separator), entries});
  }

  // Sorts clusters by the time at which they last took a group, so that in a tree children come before parents.
  void arrange() {
    std::vector<std::uint32_t> by_rank(rank_.size()), number(rank_.size());
    std::iota(by_rank.begin(), by_rank.end(), 0u);
    std::ranges::sort(by_rank, [&](std::uint32_t a, std::uint32_t b) { return rank_[a] < rank_[b]; });
    std::vector<JoinGraph::Cluster> arranged;
    for (const std::uint32_t c : by_rank) {
      number[c] = static_cast<std::uint32_t>(arranged.size());
      arranged.push_back(std::move(result_.clusters_[c]));
    }
    result_.clusters_ = std::move(arranged);
    for (std::uint32_t e = 0; e < result_.edges_.size(); ++e) {
      JoinGraph::Edge& edge = result_.edges_[e];
      const auto [earlier, later] = std::minmax(number[edge.earlier], number[edge.later]);
      edge.earlier = earlier;
      edge.later = later;
      result_.clusters_[earlier].edges.push_back(e);
      result_.clusters_[later].edges.push_back(e);
    }
  }

  void represent_variables() {
    std::vector<std::uint32_t> largest(graph_.variable_count(), kNone);
    for (std::uint32_t c = 0; c < result_.clusters_.size(); ++c)
      for (const VariableId v : result_.clusters_[c].variables)
        if (largest[v] == kNone || result_.clusters_[c].entries > result_.clusters_[largest[v]].entries) largest[v] = c;
    for (VariableId v = 0; v < largest.size(); ++v) result_.clusters_[largest[v]].represented.push_back(v);
  }

  JoinGraph& result_;
  const FactorGraph& graph_;
  std::span<const VariableId> order_;
  double max_entries_;
  std::vector<std::uint32_t> position_;     // [variable]
  std::vector<std::vector<Item>> buckets_;  // [position]
  std::vector<std::uint32_t> rank_;         // [cluster]: when it last took a group
  std::uint32_t next_rank_ = 0;
};

JoinGraph::JoinGraph(const FactorGraph& graph, std::span<const VariableId> order, double max_entries,
                     const Stop& stop) {
  JoinGraphBuilder(*this, graph, order, max_entries).build(stop);
}

double JoinGraph::max_cluster_entries() const {
  double largest = 0;
  for (const Cluster& cluster : clusters_) largest = std::max(largest, cluster.entries);
  return largest;
}

double JoinGraph::operations() const {
  double operations = 0;
  for (const Cluster& cluster : clusters_) {
    const std::size_t read = cluster.factors.size() + cluster.edges.size();
    operations += cluster.entries * static_cast<double>(2 * read + cluster.edges.size() + cluster.represented.size());
  }
  return operations;
}

double JoinGraph::message_bytes() const {
  double numbers = 0;
  for (const Edge& edge : edges_) numbers += 2 * edge.entries;
  return numbers * sizeof(double);
}

}  // namespace fovea::graph
