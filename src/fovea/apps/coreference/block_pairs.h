// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "fovea/apps/coreference/comparison.h"
#include "fovea/learn/match/match_weights.h"
#include "fovea/sample/clustering/attribute_pairs.h"

namespace fovea {

/// Some rows, those that have the same value in every comparison taken together: no score tells them apart.
struct DistinctRecords {
  std::vector<std::uint32_t> rows;    ///< [record]: its first row
  std::vector<double> counts;         ///< [record]: its rows
  std::vector<std::uint32_t> record;  ///< [place among the given rows]
};

DistinctRecords distinct_records(std::span<const Comparison> comparisons, std::span<const std::uint32_t> rows);

/// weights[compare_values(i, j)] for all i and j < values.size(), [i][j]. `values` are distinct; kNoId may be one.
std::vector<float> value_scores(const Comparison& comparison, std::span<const double> weights,
                                std::span<const std::uint32_t> values);

/// The scores of all pairs of these rows, as mentions 0, 1, ...: values are compared once, however many rows hold them.
/// Memory, for each comparison: the square of the number of distinct values.
AttributePairs pairs_of_rows(std::span<const Comparison> comparisons, const MatchWeights& weights,
                             std::span<const std::uint32_t> rows);

}  // namespace fovea
