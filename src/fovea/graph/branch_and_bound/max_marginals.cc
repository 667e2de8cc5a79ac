// SPDX-License-Identifier: Apache-2.0
#include "fovea/graph/branch_and_bound/max_marginals.h"

#include <algorithm>

#include "fovea/base/log_math.h"
#include "fovea/graph/tables/table_sum.h"

namespace fovea::graph {
namespace {

constexpr std::size_t kBlocksPerLook = 32;  // at the clock

}  // namespace

bool max_marginal(std::span<const ScopedTable* const> functions, std::span<const VariableId> scope,
                  std::span<const VariableId> onto, std::span<const std::uint32_t> cardinalities,
                  std::vector<double>& marginal, const Stop& stop) {
  std::vector<VariableId> reordered;
  for (const VariableId v : scope)
    if (std::ranges::find(onto, v) == onto.end()) reordered.push_back(v);
  reordered.insert(reordered.end(), onto.begin(), onto.end());
  std::size_t entries = 1;
  for (const VariableId v : onto) entries *= cardinalities[v];
  marginal.assign(entries, kImpossible);
  TableSum sum(reordered, cardinalities, onto.size());
  for (const ScopedTable* const function : functions) sum.add(function->scope, function->entries);
  std::size_t blocks = 0;
  bool is_complete = true;
  sum.for_each_block([&](std::size_t, std::span<const double> sums) {
    for (std::size_t row = 0; row < sums.size(); row += entries)
      for (std::size_t i = 0; i < entries; ++i) marginal[i] = std::max(marginal[i], sums[row + i]);
    return is_complete = ++blocks % kBlocksPerLook != 0 || !stop.requested();
  });
  return is_complete;
}

void gains_to_mean(std::vector<std::vector<double>>& marginals) {
  const auto count = static_cast<double>(marginals.size());
  for (std::size_t i = 0; i < marginals.front().size(); ++i) {
    double mean = 0;
    for (const std::vector<double>& marginal : marginals) mean += marginal[i] / count;
    for (std::vector<double>& marginal : marginals) marginal[i] = mean == kImpossible ? mean : mean - marginal[i];
  }
}

}  // namespace fovea::graph
