// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>

#include "fovea/apps/coreference/scored_pairs.h"
#include "fovea/io/table/table_writer.h"

namespace fovea {

/// Throws what write_pairs would throw for this path.
void check_pairs_can_be_written(const std::string& path, const TableWriteOptions& options = {});

/// Writes a row for each pair: first_id, second_id, score, probability. `id_of` names rows; `probabilities`, if there
/// are any, are [pair], else those of the scores. In the order of `pairs`.
void write_pairs(const std::string& path, std::span<const ScoredPair> pairs,
                 const std::function<std::string_view(std::uint32_t row)>& id_of, std::span<const double> probabilities,
                 const TableWriteOptions& options = {});

}  // namespace fovea
