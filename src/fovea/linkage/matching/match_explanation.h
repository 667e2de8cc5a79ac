// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <string>
#include <string_view>

#include "fovea/io/table/table.h"
#include "fovea/linkage/matching/match_model.h"

namespace fovea::linkage {

/// What the records of a pair are called.
using IdPair = std::array<std::string_view, 2>;

/// Why two records are together or apart: the score's terms, one for each comparison, with both values and the level.
/// A table with a bar for each term (a waterfall), which ends with the sum and its probability.
std::string explain_match(const MatchModel& model, const io::Table& table, RowPair pair, const IdPair& ids);

/// The same as one JSON object.
std::string explain_match_json(const MatchModel& model, const io::Table& table, RowPair pair, const IdPair& ids);

}  // namespace fovea::linkage
