// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>

#include "fovea/io/table/table.h"
#include "fovea/linkage/matching/match_explanation.h"

namespace fovea::linkage {

/// A record in memory, and what to call it.
struct NamedRecord {
  const io::Table& table;
  std::size_t row = 0;
  std::string name = {};
};

/// Explains the score of two records, of one table or of two, by a match model as DedupeResult and LinkResult have it.
/// A model that carries statistics scores them without a look at the other records, in the time that two take. Throws
/// InputError for a table that lacks a column of the model.
MatchExplanation explain(const NamedRecord& first, const NamedRecord& second, const std::string& model_json);

}  // namespace fovea::linkage
