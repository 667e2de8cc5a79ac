// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "fovea/linkage/matching/match_model_file.h"
#include "fovea/linkage/statistics/match_statistics.h"

namespace fovea::linkage {

/// True if the file begins as JSON does: it may be a match model, and cannot be another file of Fovea. Throws
/// InputError if it cannot be read.
bool may_be_match_model(const std::string& path);

/// A model for people: blocking rules, prior, statistics, and the weight of each level of each comparison.
std::string model_text(const MatchModelDescription& model);
/// The same as one JSON object, with the levels in words.
std::string model_json(const MatchModelDescription& model);

/// Statistics for people: how many records, values and words were counted for each comparison, and how many keys of two
/// records or more for each context.
std::string statistics_text(const MatchStatistics& statistics);
/// The same as one JSON object.
std::string statistics_json(const MatchStatistics& statistics);

}  // namespace fovea::linkage
