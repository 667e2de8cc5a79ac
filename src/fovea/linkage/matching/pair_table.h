// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "fovea/io/table/table_writer.h"
#include "fovea/linkage/matching/scored_pairs.h"

namespace fovea::linkage {

/// Throws what write_pairs would throw for this path.
void check_pairs_can_be_written(const std::string& path, const io::TableWriteOptions& options = {});

/// A pair and the probability that it matches.
struct ProbablePair {
  ScoredPair pair;
  double probability;
};

/// With these probabilities, [pair], or those of the scores where there are none or they are not a number. Sorted by
/// nearness to one half.
std::vector<ProbablePair> most_doubtful_first(std::span<const ScoredPair> pairs, std::span<const double> probabilities);

/// Writes a row for each pair, in their order: first_id, second_id, score, probability. `id_of` names rows.
void write_pairs(const std::string& path, std::span<const ProbablePair> pairs,
                 const std::function<std::string_view(std::uint32_t row)>& id_of,
                 const io::TableWriteOptions& options = {});

}  // namespace fovea::linkage
