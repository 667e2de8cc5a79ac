// SPDX-License-Identifier: Apache-2.0
#include "fovea/graph/tables/partition_guess.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>
#include <vector>

#include "fovea/base/log_math.h"

namespace fovea::graph {
namespace {

constexpr std::size_t kEntriesPerLook = 1 << 14, kFactorsPerLook = 1 << 12;  // at the clock

struct TableSummary {
  double highest = kImpossible, log_sum = kImpossible;
};

/// Returns nothing if stopped.
std::optional<TableSummary> summarise(std::span<const double> table, const Stop& stop) {
  TableSummary summary;
  double sum = 0;  // of exp(entry - highest)
  for (std::size_t begin = 0; begin < table.size(); begin += kEntriesPerLook) {
    if (begin > 0 && stop.requested()) return {};
    const auto block = table.subspan(begin, std::min(kEntriesPerLook, table.size() - begin));
    const double highest = std::max(summary.highest, *std::ranges::max_element(block));
    if (highest == kImpossible) continue;
    sum *= std::exp(summary.highest - highest);
    for (const double entry : block) sum += std::exp(entry - highest);
    summary.highest = highest;
  }
  if (sum > 0) summary.log_sum = summary.highest + std::log(sum);
  return summary;
}

/// Factors with large tables first: if those are summed, the fewest variables are left to count with all their values.
std::vector<FactorId> by_falling_size(const FactorGraph& graph) {
  std::vector<FactorId> order(graph.factor_count());
  std::iota(order.begin(), order.end(), FactorId{0});
  std::ranges::stable_sort(order, std::ranges::greater(), [&](FactorId f) { return graph.table(f).size(); });
  return order;
}

}  // namespace

std::optional<PartitionGuess> guess_partition(const FactorGraph& graph, const Stop& stop,
                                              std::span<const char> maximised) {
  const auto is_summed = [&](VariableId v) { return maximised.empty() || !maximised[v]; };
  std::vector<TableSummary> tables;
  tables.reserve(graph.table_count());
  for (TableId t = 0; t < graph.table_count(); ++t) {
    if (t % kFactorsPerLook == kFactorsPerLook - 1 && stop.requested()) return {};
    const std::optional<TableSummary> summary = summarise(graph.shared_table(t), stop);
    if (!summary) return {};
    tables.push_back(*summary);
  }
  PartitionGuess guess;
  std::vector<char> is_covered(graph.variable_count(), 0);
  std::size_t looked_at = 0;
  for (const FactorId f : by_falling_size(graph)) {
    if (++looked_at % kFactorsPerLook == 0 && stop.requested()) return {};
    const auto scope = graph.scope(f);
    const TableSummary& summary = tables[graph.table_id(f)];
    guess.log_z += summary.log_sum - std::log(static_cast<double>(graph.table(f).size()));
    const bool is_disjoint = std::ranges::none_of(scope, [&](VariableId v) { return is_covered[v] != 0; });
    const bool is_added_up = is_disjoint && std::ranges::any_of(scope, is_summed);
    guess.upper_bound += is_added_up ? summary.log_sum : summary.highest;
    if (is_added_up)
      for (const VariableId v : scope) is_covered[v] = 1;
  }
  for (VariableId v = 0; v < graph.variable_count(); ++v) {
    const double log_values = std::log(static_cast<double>(graph.cardinality(v)));
    guess.log_z += log_values;
    if (!is_covered[v] && is_summed(v)) guess.upper_bound += log_values;
  }
  return guess;
}

}  // namespace fovea::graph
