// SPDX-License-Identifier: Apache-2.0
#include "fovea/graph/tree/cluster_messages.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "fovea/base/error.h"
#include "fovea/base/log_math.h"
#include "fovea/graph/tree/log_sum_kernels.h"
#include "fovea/graph/tree/table_rows.h"

namespace fovea::graph::internal {
namespace {

constexpr std::size_t kMaxCombined = std::size_t{1} << 16;  // entries: half a megabyte, which stays in cache
constexpr std::size_t kShare = 32;                          // a combined table is this much smaller than the cluster

/// Tables to be added up, and the variables of the cluster that any of them depends on.
struct Group {
  std::vector<char> has_variable = {};
  std::size_t entries = 1;
  std::vector<StridedTable> tables = {};
};

std::size_t count_entries(std::span<const std::size_t> cardinalities, const std::vector<char>& has_variable) {
  std::size_t entries = 1;
  for (std::size_t i = 0; i < cardinalities.size() && entries <= kMaxCombined; ++i)
    if (has_variable[i]) entries *= cardinalities[i];
  return entries;
}

void join(std::span<const std::size_t> cardinalities, std::size_t max_entries, StridedTable table,
          std::vector<Group>& groups) {
  std::vector<char> own(cardinalities.size());
  for (std::size_t i = 0; i < own.size(); ++i) own[i] = table.strides[i] != 0;
  const std::size_t own_entries = count_entries(cardinalities, own);
  if (own_entries <= max_entries)
    for (Group& group : groups) {
      std::vector<char> both = own;
      for (std::size_t i = 0; i < both.size(); ++i) both[i] = own[i] || group.has_variable[i];
      const std::size_t entries = count_entries(cardinalities, both);
      if (entries > max_entries) continue;
      group.has_variable = std::move(both);
      group.entries = entries;
      group.tables.push_back(std::move(table));
      return;
    }
  groups.push_back({.has_variable = std::move(own), .entries = own_entries});
  groups.back().tables.push_back(std::move(table));
}

StridedTable add_up(std::span<const std::size_t> cardinalities, const Group& group,
                    std::vector<std::vector<double>>& storage) {
  std::vector<std::size_t> own;
  for (std::size_t i = 0; i < cardinalities.size(); ++i)
    if (group.has_variable[i]) own.push_back(cardinalities[i]);
  TableRows rows(own);
  for (const StridedTable& table : group.tables) {
    std::vector<std::size_t> strides;
    for (std::size_t i = 0; i < cardinalities.size(); ++i)
      if (group.has_variable[i]) strides.push_back(table.strides[i]);
    rows.add_source(table.table, std::move(strides));
  }
  std::vector<double> sum(group.entries);
  double* row = sum.data();
  do {
    rows.sum(row);
    row += rows.row_size();
  } while (rows.advance(0, rows.row_begin()));
  storage.push_back(std::move(sum));
  StridedTable result{.table = storage.back().data(), .strides = std::vector<std::size_t>(cardinalities.size(), 0)};
  for (std::size_t i = cardinalities.size(), stride = 1; i-- > 0;)
    if (group.has_variable[i]) result.strides[i] = std::exchange(stride, stride * cardinalities[i]);
  return result;
}

}  // namespace

std::vector<StridedTable> combine_tables(std::span<const std::size_t> cardinalities, std::vector<StridedTable> tables,
                                         std::vector<std::vector<double>>& storage) {
  double cluster_entries = 1;
  for (const std::size_t cardinality : cardinalities) cluster_entries *= static_cast<double>(cardinality);
  const auto max_entries = static_cast<std::size_t>(
      std::min(cluster_entries / static_cast<double>(kShare), static_cast<double>(kMaxCombined)));
  if (max_entries < kShare || tables.size() < 3) return tables;
  std::vector<Group> groups;
  for (StridedTable& table : tables) join(cardinalities, max_entries, std::move(table), groups);
  std::vector<StridedTable> result;
  for (Group& group : groups)
    result.push_back(group.tables.size() == 1 ? std::move(group.tables[0]) : add_up(cardinalities, group, storage));
  return result;
}

namespace {

/// Index of `v` in `variables`; their number if it is not among them.
std::size_t find_place(std::span<const VariableId> variables, VariableId v) {
  return static_cast<std::size_t>(std::ranges::find(variables, v) - variables.begin());
}

}  // namespace

ClusterMessages::ClusterMessages(const FactorGraph& graph, const ClusterTree& tree, std::span<const Value> conditions,
                                 const Stop& stop)
    : graph_(graph), tree_(tree), conditions_(conditions), stop_(stop), messages_(tree.clusters().size()) {}

void ClusterMessages::look_at_clock(std::size_t work) {
  constexpr std::size_t kWorkPerLook = 200000;  // entries; well below a millisecond each
  if ((work_ += work) < kWorkPerLook) return;
  work_ = 0;
  if (stop_.requested()) throw LimitError("time ran out in exact inference by messages between clusters");
}

std::vector<std::size_t> ClusterMessages::cardinalities_of(std::span<const VariableId> variables) const {
  std::vector<std::size_t> cardinalities;
  for (const VariableId v : variables) cardinalities.push_back(graph_.cardinality(v));
  return cardinalities;
}

/// Strides, per variable of `variables`, of a table over `scope` whose last variable varies fastest.
std::vector<std::size_t> ClusterMessages::strides_in(std::span<const VariableId> scope,
                                                     std::span<const VariableId> variables) const {
  std::vector<std::size_t> strides(variables.size(), 0);
  std::size_t stride = 1;
  for (std::size_t i = scope.size(); i-- > 0; stride *= graph_.cardinality(scope[i])) {
    const std::size_t place = find_place(variables, scope[i]);
    if (place < variables.size()) strides[place] = stride;
  }
  return strides;
}

/// The factors and the children's messages of a cluster, with `variables` left open and its others at `fixed` (empty if
/// there are no others).
std::vector<StridedTable> ClusterMessages::tables_of(const Cluster& cluster, std::span<const VariableId> variables,
                                                     std::span<const Value> fixed) const {
  std::vector<StridedTable> tables;
  const auto add = [&](std::span<const double> table, std::span<const VariableId> scope) {
    const double* first = table.data();
    std::size_t stride = 1;
    for (std::size_t i = scope.size(); i-- > 0; stride *= graph_.cardinality(scope[i])) {
      if (tree_.cluster_of(scope[i]) == ClusterTree::kNoParent) first += stride * conditions_[scope[i]];
      else if (find_place(variables, scope[i]) == variables.size()) first += stride * fixed[scope[i]];
    }
    tables.push_back({.table = first, .strides = strides_in(scope, variables)});
  };
  for (const FactorId f : cluster.factors) add(graph_.table(f), graph_.scope(f));
  for (const std::uint32_t child : cluster.children) add(messages_[child], tree_.clusters()[child].separator());
  return tables;
}

TableRows ClusterMessages::rows_of(const Cluster& cluster, std::vector<std::vector<double>>& storage) const {
  const std::vector<std::size_t> cardinalities = cardinalities_of(cluster.variables);
  TableRows rows(cardinalities);
  for (StridedTable& table : combine_tables(cardinalities, tables_of(cluster, cluster.variables, {}), storage))
    rows.add_source(table.table, std::move(table.strides));
  return rows;
}

double ClusterMessages::send_upward(Elimination elimination, bool keep) {
  double total = 0;
  for (const FactorId f : tree_.constants())
    total += graph_.scope(f).empty() ? graph_.table(f)[0] : graph_.factor_score(f, conditions_);
  for (std::size_t c = 0; c < messages_.size(); ++c) {
    const Cluster& cluster = tree_.clusters()[c];
    const bool is_max =
        elimination == Elimination::kMax || (elimination == Elimination::kAsMarked && cluster.is_maximised);
    messages_[c] = message_of(cluster, is_max);
    if (!keep)
      for (const std::uint32_t child : cluster.children) messages_[child] = {};
    if (cluster.parent == ClusterTree::kNoParent) total += messages_[c].front();
  }
  return total;
}

/// Computes the message of a cluster. Rows lie in the separator as far as it goes. A row that reaches into the own
/// variables is reduced to the separator at the end, when everything outside of rows is done.
std::vector<double> ClusterMessages::message_of(const Cluster& cluster, bool is_max) {
  std::vector<std::vector<double>> storage;
  TableRows rows = rows_of(cluster, storage);
  const std::size_t size = rows.row_size();
  const auto total = static_cast<std::size_t>(cluster.message_entries);
  const std::size_t kept = std::min(size, total);  // entries of the message that a row reaches
  const std::size_t own_outside = std::min(cluster.own_count, rows.row_begin());
  std::vector<double> message(total);
  row_.resize(size);
  highest_.resize(size);
  sum_.resize(size);
  for (std::size_t first = 0; first < total; first += kept) {
    std::fill_n(highest_.begin(), size, is_max ? kImpossible : kLowestScore);
    std::fill_n(sum_.begin(), size, 0.0);
    do {
      rows.sum(row_.data());
      if (is_max)
        for (std::size_t i = 0; i < size; ++i) highest_[i] = std::max(highest_[i], row_[i]);
      else add_exponentials(row_.data(), size, highest_.data(), sum_.data());
      look_at_clock(size * (2 + cluster.factors.size() + cluster.children.size()));
    } while (rows.advance(0, own_outside));
    if (!is_max) finish_log_sums(highest_.data(), sum_.data(), size, highest_.data());
    double* out = message.data() + first;
    std::fill_n(out, kept, is_max ? kImpossible : kLowestScore);
    std::fill_n(sum_.begin(), kept, 0.0);
    for (std::size_t at = 0; at < size; at += kept)
      if (is_max)
        for (std::size_t i = 0; i < kept; ++i) out[i] = std::max(out[i], highest_[at + i]);
      else add_exponentials(highest_.data() + at, kept, out, sum_.data());
    if (!is_max) finish_log_sums(out, sum_.data(), kept, out);
    rows.advance(cluster.own_count, std::max(cluster.own_count, rows.row_begin()));
  }
  return message;
}

Assignment ClusterMessages::trace_back(Elimination elimination) const {
  Assignment y(graph_.variable_count(), 0);
  for (VariableId v = 0; v < y.size(); ++v)
    if (tree_.cluster_of(v) == ClusterTree::kNoParent && !conditions_.empty()) y[v] = conditions_[v];
  for (std::size_t c = messages_.size(); c-- > 0;)
    if (elimination == Elimination::kMax || tree_.clusters()[c].is_maximised) find_best(tree_.clusters()[c], y);
  return y;
}

/// Sets the own variables to their best values, given those of the separator.
void ClusterMessages::find_best(const Cluster& cluster, Assignment& y) const {
  const std::span own = std::span(cluster.variables).first(cluster.own_count);
  const std::vector<std::size_t> cardinalities = cardinalities_of(own);
  TableRows rows(cardinalities);
  for (StridedTable& table : tables_of(cluster, own, y)) rows.add_source(table.table, std::move(table.strides));
  std::vector<double> row(rows.row_size());
  double best = kImpossible;
  std::size_t best_index = 0, first = 0;
  do {
    rows.sum(row.data());
    const auto highest = std::ranges::max_element(row);
    if (*highest > best) {
      best = *highest;
      best_index = first + static_cast<std::size_t>(highest - row.begin());
    }
    first += row.size();
  } while (rows.advance(0, rows.row_begin()));
  for (std::size_t i = own.size(); i-- > 0; best_index /= cardinalities[i])
    y[own[i]] = static_cast<Value>(best_index % cardinalities[i]);
}

void ClusterMessages::send_downward(std::span<const std::vector<Marginal>> marginals_of_cluster) {
  for (std::size_t c = messages_.size(); c-- > 0;) pass_down(c, marginals_of_cluster[c]);
}

/// Sends the messages of c to its children. messages_[c] is by now the message of c's parent, such that joint values of
/// c get their probabilities; a root only has to divide by its sum. The probabilities are added up over what each child
/// shares with c; divided by the child's message, that is the message of c to the child.
void ClusterMessages::pass_down(std::size_t c, std::span<const Marginal> marginals) {
  const Cluster& cluster = tree_.clusters()[c];
  std::vector<std::vector<double>> storage;
  TableRows rows = rows_of(cluster, storage);
  const bool is_root = cluster.parent == ClusterTree::kNoParent;
  if (!is_root) rows.add_source(messages_[c].data(), strides_in(cluster.separator(), cluster.variables));
  std::vector<std::vector<double>> shared;
  for (const std::uint32_t child : cluster.children) {
    shared.emplace_back(messages_[child].size(), 0.0);
    rows.add_target(shared.back().data(), strides_in(tree_.clusters()[child].separator(), cluster.variables));
  }
  for (const Marginal& marginal : marginals)
    rows.add_target(marginal.table->data(), strides_in(marginal.scope, cluster.variables));
  row_.resize(rows.row_size());
  do {
    rows.sum(row_.data());
    exponentiate_shifted(row_.data(), row_.size(), is_root ? messages_[c].front() : 0.0);
    rows.scatter(row_.data());
    look_at_clock(row_.size() * (2 + cluster.factors.size() + 2 * cluster.children.size()));
  } while (rows.advance(0, rows.row_begin()));
  for (std::size_t i = 0; i < cluster.children.size(); ++i) {
    std::vector<double>& message = messages_[cluster.children[i]];
    for (std::size_t s = 0; s < message.size(); ++s)
      message[s] = shared[i][s] > 0 ? std::log(shared[i][s]) - message[s] : kImpossible;
    look_at_clock(message.size() * 4);
  }
}

}  // namespace fovea::graph::internal
