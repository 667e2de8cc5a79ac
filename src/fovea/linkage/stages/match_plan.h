// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "fovea/io/table/table.h"
#include "fovea/linkage/blocking/blocking.h"
#include "fovea/linkage/matching/match_model.h"
#include "fovea/linkage/matching/match_model_file.h"
#include "fovea/linkage/matching/record_matching.h"
#include "fovea/linkage/statistics/match_statistics.h"

namespace fovea::linkage {

/// Way to match records of a table that is too large for one machine, of which no stage sees more than a part. With
/// the statistics of the model, any part of the table is scored as the whole table is:
///
///   1. count_plan_contexts()     how many namesakes records have, if the model asks for it; counts add up
///   2. block_keys()              the keys of each record; sorted by them, records that may match are neighbours
///   3. BlockLinks                the pairs of sorted blocks that match
///   4. LinkForest, RecordForest  the components that these pairs connect
///   5. ComponentClusters         the clusters of whole components
///
/// Sorting and bringing together is the caller's: a cluster engine, or files on a disk. The clusters are those that
/// dedupe() finds in the whole table with the same model, record by record.
struct MatchPlan {
  std::string compare, block;  ///< as MatchingOptions has them, with names quoted
  std::size_t max_block = MatchingOptions::kMaxBlock;
  double least_score = 0;  ///< two records match if they score more
  MatchParameters parameters;
  std::shared_ptr<const MatchStatistics> statistics;  ///< reduced
  DrawBy draw_by = DrawBy::kRow;
  std::size_t rule_count = 0;

  /// Plans for tables with the columns of `columns`, whose rows do not matter, by a match model as JSON. Of `options`,
  /// the threshold and the format of dates count. Throws InputError for a model that lacks statistics, that is of other
  /// columns or malformed, UsageError for a wrong date format.
  static MatchPlan of_model(const std::string& model_json, const io::Table& columns,
                            const MatchingOptions& options = {});

  bool is_additive() const { return !parameters.mixture.has_related(); }
};

/// Adds what is counted of a table's namesakes to the statistics of a plan: a key's context is taken from whichever of
/// the two has more rows with it, as if the table were whole. `counted`: what count_plan_contexts() counted in all
/// parts, merged.
void use_contexts(const MatchStatistics& counted, MatchPlan& plan);

/// Counts the contexts of a plan's comparisons in a part of the table; complete statistics of contexts alone, to be
/// merged.
MatchStatistics count_plan_contexts(const MatchPlan& plan, const io::Table& part);

/// Columns that a plan reads, in the order of the table.
std::vector<std::string> columns_of(const MatchPlan& plan, const io::Table& columns);

/// The blocking rules as texts, [rule].
std::vector<std::string> rules_of(const MatchPlan& plan, const io::Table& columns);

/// [rule] the most records that a block may have: larger ones are left out.
std::vector<std::uint64_t> most_rows_of_blocks(const MatchPlan& plan, const io::Table& columns);

/// The most records that each block may have so that whole blocks are the components, and no links need to be found; 0
/// if the plan's rules or scores do not allow it.
std::uint64_t most_rows_of_components(const MatchPlan& plan, const io::Table& columns);

}  // namespace fovea::linkage
