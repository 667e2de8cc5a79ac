// SPDX-License-Identifier: Apache-2.0
#include "fovea/graph/branch_and_bound/join_graph_shifting.h"

#include <algorithm>
#include <utility>

#include "fovea/base/log_math.h"
#include "fovea/graph/tables/table_sum.h"

namespace fovea::graph {

JoinGraphShifting::JoinGraphShifting(const PseudoTree& tree, const std::vector<ScopedTable>& factors,
                                     std::size_t max_entries)
    : tree_(&tree) {
  MiniBuckets buckets(tree, factors, max_entries);
  buckets.plan({});
  const auto& messages = buckets.messages();
  std::size_t bucket_begin = 0;
  for (std::size_t m = 0; m < messages.size(); ++m) {
    const VariableId v = messages[m].from;
    if (messages[bucket_begin].from != v) bucket_begin = m;
    ScopedTable cluster{.scope = messages[m].table.scope};
    cluster.scope.push_back(v);
    TableSum sum(cluster.scope, tree.cardinalities());
    for (const std::size_t f : buckets.members(m))
      if (f < factors.size()) sum.add(factors[f].scope, factors[f].entries);
      else separators_.push_back({messages[f - factors.size()].table.scope, {f - factors.size(), m}, true});
    cluster.entries = sum.entries();
    clusters_.push_back(std::move(cluster));
    const bool is_last = m + 1 == messages.size() || messages[m + 1].from != v;
    if (!is_last || bucket_begin == m) continue;
    separators_.push_back({.scope = {v}});
    for (std::size_t peer = bucket_begin; peer <= m; ++peer) separators_.back().clusters.push_back(peer);
  }
  for (const ScopedTable& factor : factors)
    if (factor.scope.empty()) clusters_.push_back(factor);
}

bool JoinGraphShifting::sweep(const Stop& stop) {
  for (const Separator& separator : separators_)
    if (stop.requested() || !(separator.goes_up ? push_up(separator, stop) : balance(separator, stop))) return false;
  for (auto separator = separators_.rbegin(); separator != separators_.rend(); ++separator)
    if (stop.requested() || !balance(*separator, stop)) return false;
  return true;
}

bool JoinGraphShifting::push_up(const Separator& separator, const Stop& stop) {
  const ScopedTable& below = clusters_[separator.clusters[0]];
  std::vector<double> gains;
  if (!max_marginal(std::vector{&below}, below.scope, separator.scope, tree_->cardinalities(), gains, stop))
    return false;
  add(separator, 1, gains);
  for (double& gain : gains) gain = gain == kImpossible ? 0 : -gain;
  add(separator, 0, gains);
  return true;
}

bool JoinGraphShifting::balance(const Separator& separator, const Stop& stop) {
  std::vector<std::vector<double>> gains(separator.clusters.size());
  for (std::size_t i = 0; i < gains.size(); ++i) {
    const ScopedTable& cluster = clusters_[separator.clusters[i]];
    if (!max_marginal(std::vector{&cluster}, cluster.scope, separator.scope, tree_->cardinalities(), gains[i], stop))
      return false;
  }
  gains_to_mean(gains);
  for (std::size_t i = 0; i < gains.size(); ++i) add(separator, i, gains[i]);
  return true;
}

void JoinGraphShifting::add(const Separator& separator, std::size_t i, const std::vector<double>& gains) {
  ScopedTable& cluster = clusters_[separator.clusters[i]];
  TableSum sum(cluster.scope, tree_->cardinalities());
  sum.add(cluster.scope, cluster.entries);
  sum.add(separator.scope, gains);
  cluster.entries = sum.entries();
}

double JoinGraphShifting::bound() const {
  double sum = 0;
  for (const ScopedTable& cluster : clusters_) sum += *std::ranges::max_element(cluster.entries);
  return sum;
}

}  // namespace fovea::graph
