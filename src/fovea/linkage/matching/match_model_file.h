// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "fovea/base/words.h"
#include "fovea/linkage/matching/match_model.h"
#include "fovea/linkage/statistics/match_statistics.h"

namespace fovea::linkage {

/// Name of the stream of random draws of a group of records: the row of its first record, or that record's id.
enum class DrawBy { kRow, kId };
constexpr auto words_of(DrawBy) { return std::array{Word{DrawBy::kRow, "row"}, Word{DrawBy::kId, "id"}}; }

/// Description of a model without its table: how the records of similar tables are compared and scored.
struct MatchModelDescription {
  std::vector<std::string> comparisons;  ///< as --compare takes them
  std::vector<std::string> rules;        ///< as --block takes them
  int max_block = 5000;                  ///< as --max-block takes it
  MatchParameters parameters;
  /// Reduced ones of the table that it was learned from; null for models of Fovea before 0.1, which score every table
  /// by its own.
  std::shared_ptr<const MatchStatistics> statistics = {};

  DrawBy draw_by = DrawBy::kRow;  ///< as --draw-by takes it

  /// The lists in the form that options take.
  std::string compare() const;
  std::string block() const;
};

/// Writes the model as JSON, which people can read and change except for the statistics: they are the bytes of
/// MatchStatistics::save() in base 64. Throws InputError.
void write_match_model(const std::string& path, const MatchModelDescription& model);

/// Reads what write_match_model() wrote. Throws InputError, which names the file and what is wrong: it is not such a
/// model, or it has impossible numbers.
MatchModelDescription read_match_model(const std::string& path);

/// The JSON that these two write and read; errors call it `name`.
std::string match_model_json(const MatchModelDescription& model);
MatchModelDescription parse_match_model(std::string_view json, const std::string& name);

/// Throws InputError, naming `path`, unless there is a weight for every level of the comparisons.
void check_levels(const MatchParameters& parameters, std::span<const Comparison> comparisons, const std::string& path);

}  // namespace fovea::linkage
