// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "fovea/io/table/table.h"
#include "fovea/linkage/golden/golden_rule.h"
#include "fovea/linkage/similarity/date_format.h"

namespace fovea::linkage {

/// One record for each cluster: the best that its records know together.
struct GoldenRecords {
  io::Table table;                    ///< the columns of the records, and cluster_size; a row for each cluster
  std::vector<std::uint32_t> first;   ///< [row of `table`] first row of the cluster
  std::vector<std::string> warnings;  ///< cells that are neither dates nor numbers where rules choose by them
};

/// An empty table with the columns of golden records. Throws InputError if the table has a column cluster_size.
io::Table golden_header(const io::Table& table);

/// Throws what golden_records() would throw for rules that choose by a column.
void check_golden_rules(const io::Table& table, std::span<const GoldenRule> rules, const DateFormat& dates = {});

/// Makes golden records by `rules`, [column]. `clusters`: [row] the first row of its cluster; golden records are in the
/// order of these rows. Dates are read by `dates`. Throws InputError where a rule chooses by a column of which most
/// cells are neither dates nor numbers.
GoldenRecords golden_records(const io::Table& table, std::span<const std::uint32_t> clusters,
                             std::span<const GoldenRule> rules, const DateFormat& dates = {});

/// [cluster, in the order of first rows] the least of its records' confidences; NaN where none is known.
std::vector<double> least_confidence(std::span<const std::uint32_t> clusters, std::span<const double> confidence);

}  // namespace fovea::linkage
