// SPDX-License-Identifier: Apache-2.0
#include "fovea/graph/tree/cluster_cut.h"

#include <algorithm>
#include <optional>
#include <utility>

namespace fovea::graph::internal {

ClusterCut ClusterCut::find(std::span<const std::size_t> cardinalities, std::size_t outside,
                            std::span<const AddedTable> tables, std::size_t wanted, double most_copied) {
  ClusterCut cut;
  const auto copied = [&](const ClusterCut& c) { return static_cast<double>(c.parts * c.count_copied(tables)); };
  while (cut.parts < wanted) {
    std::optional<ClusterCut> best;
    for (std::size_t place = 0; place < outside; ++place) {
      if (std::ranges::count(cut.places, place) > 0 || cardinalities[place] == 1) continue;
      ClusterCut next = cut;
      next.places.push_back(place);
      next.parts *= cardinalities[place];
      if (!best || copied(next) < copied(*best)) best = std::move(next);
    }
    if (!best || copied(*best) > most_copied) break;
    cut = std::move(*best);
  }
  return cut;
}

bool ClusterCut::is_apart(const AddedTable& table) const {
  return std::ranges::all_of(places, [&](std::size_t place) { return table.strides[place] != 0; });
}

std::size_t ClusterCut::count_copied(std::span<const AddedTable> tables) const {
  std::size_t entries = 0;
  for (const AddedTable& table : tables)
    if (!is_apart(table)) entries += table.entries;
  return entries;
}

std::vector<std::size_t> ClusterCut::in_order(std::span<const std::size_t> of_variables) const {
  std::vector<std::size_t> ordered;
  for (const std::size_t place : places) ordered.push_back(of_variables[place]);
  for (std::size_t i = 0; i < of_variables.size(); ++i)
    if (std::ranges::count(places, i) == 0) ordered.push_back(of_variables[i]);
  return ordered;
}

}  // namespace fovea::graph::internal
