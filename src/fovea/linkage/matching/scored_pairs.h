// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "fovea/io/table/table_writer.h"
#include "fovea/linkage/blocking/candidate_pairs.h"

namespace fovea::linkage {

struct ScoredPair {
  RowPair rows;
  float score;  ///< log odds
};

/// Finds the groups of at least two rows that pairs connect.
Blocks connected_components(std::size_t rows, std::span<const ScoredPair> pairs);

/// Throws what write_pairs would throw for this path.
void check_pairs_can_be_written(const std::string& path, const io::TableWriteOptions& options = {},
                                bool with_tables = false);

/// A pair and the probability that it matches.
struct ProbablePair {
  ScoredPair pair;
  double probability;
};

/// Pairs with these probabilities, [pair], or with those of their scores if `probabilities` is empty or NaN. Sorted by
/// distance from one half.
std::vector<ProbablePair> most_doubtful_first(std::span<const ScoredPair> pairs, std::span<const double> probabilities);

/// Writes a row for each pair, in their order: first_id, second_id, score, probability. `id_of` names rows; table_of,
/// if given, their tables, for the columns first_table and second_table.
void write_pairs(const std::string& path, std::span<const ProbablePair> pairs,
                 const std::function<std::string_view(std::uint32_t row)>& id_of,
                 const io::TableWriteOptions& options = {},
                 const std::function<std::size_t(std::uint32_t row)>& table_of = {});

}  // namespace fovea::linkage
