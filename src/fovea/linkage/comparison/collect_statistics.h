// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "fovea/io/table/table.h"
#include "fovea/linkage/statistics/match_statistics.h"

namespace fovea::linkage {

/// Counts what these comparisons need to know of the table. `comparisons`: as parse_comparisons() takes them. Throws
/// what it throws.
MatchStatistics collect_statistics(std::string_view comparisons, const io::Table& table);

/// Counts the contexts of these comparisons alone. Throws what collect_statistics() throws.
MatchStatistics collect_context_statistics(std::string_view comparisons, const io::Table& table);

}  // namespace fovea::linkage
