// SPDX-License-Identifier: Apache-2.0
#include "fovea/graph/tree/combine_tables.h"

#include <algorithm>
#include <utility>

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

}  // namespace fovea::graph::internal
