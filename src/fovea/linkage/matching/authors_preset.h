// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "fovea/io/table/table.h"

namespace fovea::linkage {

/// Lists as parse_comparisons and parse_blocking_rules take them.
struct MatchingPreset {
  std::string comparisons, blocking;
};

/// Preset for authors of papers, by the columns that the table has:
///
///   name          "Last, First M."; or two columns, first and last
///   coauthors     separated by |
///   title, venue, paper, affiliation
///
/// Made for weights that are learned. Two records are compared when the last word of the surname and the first initial
/// agree. How much an agreement of given names counts depends on how many authors there may be with that name. Throws
/// InputError for a table without names.
MatchingPreset authors_preset(const io::Table& table);

}  // namespace fovea::linkage
