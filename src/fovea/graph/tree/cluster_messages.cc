// SPDX-License-Identifier: Apache-2.0
#include "fovea/graph/tree/cluster_messages.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "fovea/base/error.h"
#include "fovea/base/log_math.h"
#include "fovea/base/parallel.h"
#include "fovea/graph/tree/cluster_cut.h"
#include "fovea/graph/tree/log_sum_kernels.h"
#include "fovea/graph/tree/table_rows.h"

namespace fovea::graph::internal {
namespace {

/// Work, in table entries, that is worth a task: well below a millisecond.
constexpr double kTaskWork = 200'000;
/// A cluster is cut into at most this many parts.
constexpr double kMostParts = 64;

/// Table entries that are read for a message of the cluster.
double work_of(const ClusterTree::Cluster& cluster) {
  return cluster.entries * static_cast<double>(2 + cluster.factors.size() + cluster.children.size());
}

TaskForest forest_of(const ClusterTree& tree) {
  std::vector<std::uint32_t> parents;
  std::vector<double> work;
  for (const ClusterTree::Cluster& cluster : tree.clusters()) {
    parents.push_back(cluster.parent);
    work.push_back(work_of(cluster));
  }
  return TaskForest(parents, work, kTaskWork);
}

/// Number of parts that `steps` steps of equal work are cut into.
std::size_t count_parts(double work, std::size_t steps) {
  return static_cast<std::size_t>(std::clamp(std::floor(work / kTaskWork), 1., std::min(kMostParts, double(steps))));
}

/// First step of a part.
std::size_t first_step(std::size_t part, std::size_t parts, std::size_t steps) { return steps * part / parts; }

/// Index of `v` in `variables`; their number if it is not among them.
std::size_t find_place(std::span<const VariableId> variables, VariableId v) {
  return static_cast<std::size_t>(std::ranges::find(variables, v) - variables.begin());
}

}  // namespace

ClusterMessages::ClusterMessages(const FactorGraph& graph, const ClusterTree& tree, std::span<const Value> conditions,
                                 const Stop& stop, int threads)
    : graph_(graph),
      tree_(tree),
      conditions_(conditions),
      stop_(stop),
      threads_(threads),
      messages_(tree.clusters().size()) {
  if (resolve_threads(threads) > 1) forest_.emplace(forest_of(tree));
}

void ClusterMessages::check_clock() const {
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
  const auto send = [&](std::size_t c) {
    const Cluster& cluster = tree_.clusters()[c];
    const bool is_max =
        elimination == Elimination::kMax || (elimination == Elimination::kAsMarked && cluster.is_maximised);
    messages_[c] = message_of(cluster, is_max);
    if (!keep)
      for (const std::uint32_t child : cluster.children) messages_[child] = {};
  };
  if (forest_ && keep) forest_->visit_upward(threads_, send);
  else
    for (std::size_t c = 0; c < messages_.size(); ++c) send(c);
  for (std::size_t c = 0; c < messages_.size(); ++c)
    if (tree_.clusters()[c].parent == ClusterTree::kNoParent) total += messages_[c].front();
  return total;
}

namespace {

/// Sums, or maxima, of a row over the values of variables outside of it, in the log domain.
class RowReduction {
 public:
  RowReduction(std::size_t size, bool is_max) : is_max_(is_max), highest_(size), sums_(is_max ? 0 : size) { clear(); }

  void clear() {
    std::ranges::fill(highest_, is_max_ ? kImpossible : kLowestScore);
    std::ranges::fill(sums_, 0.0);
  }

  void add(const double* row) {
    if (is_max_)
      for (std::size_t i = 0; i < highest_.size(); ++i) highest_[i] = std::max(highest_[i], row[i]);
    else add_exponentials(row, highest_.size(), highest_.data(), sums_.data());
  }

  /// The result; before more is added, clear().
  std::span<const double> finish() {
    if (!is_max_) finish_log_sums(highest_.data(), sums_.data(), highest_.size(), highest_.data());
    return highest_;
  }

 private:
  bool is_max_;
  std::vector<double> highest_, sums_;
};

}  // namespace

/// Computes the message of a cluster. Rows lie in the separator as far as it goes. A row that reaches into the own
/// variables is reduced to the separator at the end, when everything outside of rows is done.
///
/// A step is a value of the part of the separator outside of rows; within it, rows run through the own variables
/// outside of them. Large clusters are cut by steps and, where these are few, by rows.
std::vector<double> ClusterMessages::message_of(const Cluster& cluster, bool is_max) const {
  std::vector<std::vector<double>> storage;
  const TableRows rows = rows_of(cluster, storage);
  const std::size_t size = rows.row_size(), own_outside = std::min(cluster.own_count, rows.row_begin());
  const auto total = static_cast<std::size_t>(cluster.message_entries);
  const std::size_t kept = std::min(size, total);  // entries of the message that a row reaches
  const std::size_t steps = total / kept, inner = rows.count(0, own_outside);
  const std::size_t parts = count_parts(work_of(cluster), steps * inner);
  const std::size_t cuts = (parts + steps - 1) / steps;  // of each step
  std::vector<double> message(total), reduced(cuts > 1 ? steps * cuts * size : 0);
  const auto reduce = [&](std::size_t step, std::size_t cut, TableRows& at, std::vector<double>& row,
                          RowReduction& reduction) {
    reduction.clear();
    const std::size_t first = first_step(cut, cuts, inner), end = first_step(cut + 1, cuts, inner);
    at.move_to(0, own_outside, first);
    at.move_to(cluster.own_count, std::max(cluster.own_count, rows.row_begin()), step);
    std::size_t work = 0;
    for (std::size_t i = first; i < end; ++i, at.advance(0, own_outside)) {
      at.sum(row.data());
      reduction.add(row.data());
      if ((work += size) > kTaskWork) {
        check_clock();
        work = 0;
      }
    }
    return reduction.finish();
  };
  const auto keep = [&](std::size_t step, std::span<const double> row, RowReduction& whole) {
    whole.clear();
    for (std::size_t at = 0; at < size; at += kept) whole.add(row.data() + at);
    std::ranges::copy(whole.finish(), message.begin() + static_cast<std::ptrdiff_t>(step * kept));
  };
  const std::size_t grain = (steps * cuts + parts - 1) / parts;
  parallel_for(steps * cuts, grain, threads_, [&](std::size_t begin, std::size_t end) {
    TableRows at = rows;
    std::vector<double> row(size);
    RowReduction over_rows(size, is_max), whole(kept, is_max);
    for (std::size_t i = begin; i < end; ++i) {
      const std::span<const double> result = reduce(i / cuts, i % cuts, at, row, over_rows);
      if (cuts == 1) keep(i, result, whole);
      else std::ranges::copy(result, reduced.begin() + static_cast<std::ptrdiff_t>(i * size));
    }
    check_clock();
  });
  RowReduction over_cuts(size, is_max), whole(kept, is_max);
  for (std::size_t step = 0; cuts > 1 && step < steps; ++step) {
    over_cuts.clear();
    for (std::size_t cut = 0; cut < cuts; ++cut) over_cuts.add(reduced.data() + (step * cuts + cut) * size);
    keep(step, over_cuts.finish(), whole);
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
  TableRows rows(cardinalities_of(own));
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
  set_own(cluster, best_index, y);
}

/// Sets the own variables to a joint value, of which the last varies fastest.
void ClusterMessages::set_own(const Cluster& cluster, std::size_t joint_value, Assignment& y) const {
  for (std::size_t i = cluster.own_count; i-- > 0;) {
    const std::size_t cardinality = graph_.cardinality(cluster.variables[i]);
    y[cluster.variables[i]] = static_cast<Value>(joint_value % cardinality);
    joint_value /= cardinality;
  }
}

Assignment ClusterMessages::draw(Random& random) const {
  Assignment y(graph_.variable_count());
  for (VariableId v = 0; v < y.size(); ++v)
    if (tree_.cluster_of(v) == ClusterTree::kNoParent && !conditions_.empty()) y[v] = conditions_[v];
  for (std::size_t c = messages_.size(); c-- > 0;) draw_own(tree_.clusters()[c], random, y);
  return y;
}

/// Draws the own variables, given those of the separator: row by row, each row taking the place of the earlier ones
/// with its share of the weight so far, then a value within the row that is left.
void ClusterMessages::draw_own(const Cluster& cluster, Random& random, Assignment& y) const {
  const std::span own = std::span(cluster.variables).first(cluster.own_count);
  TableRows rows(cardinalities_of(own));
  for (StridedTable& table : tables_of(cluster, own, y)) rows.add_source(table.table, std::move(table.strides));
  std::vector<double> row(rows.row_size()), chosen(rows.row_size());
  double largest = kImpossible, total = 0;  // total: relative to exp(largest)
  std::size_t chosen_first = 0, first = 0;
  do {
    rows.sum(row.data());
    const double best = *std::ranges::max_element(row);
    if (best > largest) {
      total *= std::exp(largest - best);
      largest = best;
    }
    double weight = 0;
    if (best > kImpossible)
      for (double& score : row) weight += score = std::exp(score - largest);
    total += weight;
    if (weight > 0 && random.threshold(total) < weight) {
      chosen.swap(row);
      chosen_first = first;
    }
    first += row.size();
  } while (rows.advance(0, rows.row_begin()));
  set_own(cluster, chosen_first + random.categorical(std::span<const double>(chosen)), y);
}

void ClusterMessages::send_downward(std::span<const std::vector<Marginal>> marginals_of_cluster) {
  const auto send = [&](std::size_t c) { pass_down(c, marginals_of_cluster[c]); };
  if (forest_) return forest_->visit_downward(threads_, send);
  for (std::size_t c = messages_.size(); c-- > 0;) send(c);
}

/// Sends the messages of c to its children. messages_[c] is by now the message of c's parent, such that joint values of
/// c get their probabilities; a root only has to divide by its sum. The probabilities are added up over what each child
/// shares with c; divided by the child's message, that is the message of c to the child.
void ClusterMessages::pass_down(std::size_t c, std::span<const Marginal> marginals) {
  const Cluster& cluster = tree_.clusters()[c];
  std::vector<std::vector<double>> shared;
  std::vector<AddedTable> targets;
  const auto add_target = [&](std::vector<double>& table, std::span<const VariableId> scope) {
    targets.push_back({table.data(), table.size(), strides_in(scope, cluster.variables)});
  };
  for (const std::uint32_t child : cluster.children)
    add_target(shared.emplace_back(messages_[child].size(), 0.0), tree_.clusters()[child].separator());
  for (const Marginal& marginal : marginals) add_target(*marginal.table, marginal.scope);
  add_probabilities(c, targets);
  constexpr std::size_t kEntries = 1 << 14;
  for (std::size_t i = 0; i < cluster.children.size(); ++i) {
    std::vector<double>& message = messages_[cluster.children[i]];
    parallel_for(message.size(), kEntries, threads_, [&](std::size_t begin, std::size_t end) {
      for (std::size_t s = begin; s < end; ++s)
        message[s] = shared[i][s] > 0 ? std::log(shared[i][s]) - message[s] : kImpossible;
      check_clock();
    });
  }
}

/// Adds the probabilities of the cluster's joint values to the targets. Parts of a large cluster add to different
/// entries, or to copies, which are then added up in order.
void ClusterMessages::add_probabilities(std::size_t c, std::span<const AddedTable> targets) const {
  constexpr double kMostCopied = 1 << 21;  // entries
  const Cluster& cluster = tree_.clusters()[c];
  const bool is_root = cluster.parent == ClusterTree::kNoParent;
  const double shift = is_root ? messages_[c].front() : 0.0;
  const std::vector<std::size_t> cardinalities = cardinalities_of(cluster.variables);
  const std::size_t outside = TableRows(cardinalities).row_begin();
  const std::size_t wanted = count_parts(work_of(cluster), static_cast<std::size_t>(cluster.entries));
  const ClusterCut cut =
      ClusterCut::find(cardinalities, outside, targets, wanted, std::min(kMostCopied, cluster.entries / 2));

  std::vector<std::vector<double>> storage;
  TableRows rows(cut.in_order(cardinalities));
  for (const StridedTable& table : combine_tables(cardinalities, tables_of(cluster, cluster.variables, {}), storage))
    rows.add_source(table.table, cut.in_order(table.strides));
  if (!is_root) rows.add_source(messages_[c].data(), cut.in_order(strides_in(cluster.separator(), cluster.variables)));
  for (const AddedTable& target : targets) rows.add_target(target.table, cut.in_order(target.strides));

  const std::size_t copied = cut.count_copied(targets);
  std::vector<double> copies(cut.parts * copied);
  parallel_for(cut.parts, 1, threads_, [&](std::size_t part, std::size_t) {
    TableRows at = rows;
    double* copy = copies.data() + part * copied;
    for (std::size_t i = 0; i < targets.size(); ++i) {
      if (cut.is_apart(targets[i])) continue;
      at.set_target(i, copy);
      copy += targets[i].entries;
    }
    at.move_to(0, cut.places.size(), part);
    std::vector<double> row(at.row_size());
    std::size_t work = 0;
    do {
      at.sum(row.data());
      exponentiate_shifted(row.data(), row.size(), shift);
      at.scatter(row.data());
      if ((work += row.size()) > kTaskWork) {
        check_clock();
        work = 0;
      }
    } while (at.advance(cut.places.size(), at.row_begin()));
    check_clock();
  });
  const double* copy = copies.data();
  for (std::size_t part = 0; part < cut.parts; ++part)
    for (const AddedTable& target : targets)
      for (std::size_t e = 0; e < target.entries && !cut.is_apart(target); ++e) target.table[e] += *copy++;
}

}  // namespace fovea::graph::internal
