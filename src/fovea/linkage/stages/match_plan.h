// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "fovea/base/dictionary.h"
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
///   1. count_plan_contexts()   how many namesakes records have, if the model asks for it; counts add up
///   2. sizes_of_bucket()       blocks that are left out or cut, if some may be large
///   3. fill_block_buckets()    records that may match, brought together
///   4. links_of_bucket()       the pairs that match; of these, LinkForest keeps those that connect
///   5. RecordForest            the components that they connect
///   6. clusters_of_bucket()    the clusters of whole components, which fill_component_buckets() brought together
///
/// Carrying buckets about is the caller's: a cluster engine, or files on a disk. The clusters are those that
/// dedupe() finds in the whole table with the same model, record by record. If two tables are linked, stages 1 to 4
/// find the links that link() finds.
struct MatchPlan {
  std::string compare, block;  ///< as MatchingOptions has them, with names quoted
  std::size_t max_block = MatchingOptions::kMaxBlock;
  double least_score = 0;  ///< two records match if they score more
  MatchParameters parameters;
  std::shared_ptr<const MatchStatistics> statistics;  ///< reduced
  DrawBy draw_by = DrawBy::kRow;
  std::string id = "";  ///< column of ids, or ""
  /// Number of the second table's first record, where two tables are linked, laid end to end. kNoId: there is one
  /// table, whose records are matched with each other.
  std::uint32_t second_table = kNoId;

  std::vector<std::string> columns = {};      ///< those that stages read, in the order of the table
  std::vector<std::string> rules = {};        ///< the blocking rules
  std::vector<std::uint64_t> most_rows = {};  ///< [rule] records of a block above which it is left out
  /// The most records that each block may have so that whole blocks are the components, and no links need to be found;
  /// 0 if the rules or the scores do not allow it.
  std::uint64_t most_rows_of_components = 0;

  /// Plans for tables with the columns of `table`, whose rows do not matter. Of `options`, the threshold and the format
  /// of dates count. Throws InputError for a model that lacks statistics or is of other columns, UsageError for a wrong
  /// date format, or if the model draws by id and `id` is empty.
  static MatchPlan of_model(MatchModelDescription model, const io::Table& table, const MatchingOptions& options = {},
                            const std::string& id = "");
  /// The same for a model as JSON. Throws InputError if it is malformed, too.
  static MatchPlan of_model(const std::string& model_json, const io::Table& table, const MatchingOptions& options = {},
                            const std::string& id = "");

  bool has_two_tables() const { return second_table != kNoId; }
  bool is_additive() const { return !parameters.mixture.has_related(); }

 private:
  void read_lists(const io::Table& empty);
};

/// Adds what is counted of a table's namesakes to the statistics of a plan: a key's context is taken from whichever of
/// the two has more rows with it, as if the table were whole. `counted`: what count_plan_contexts() counted in all
/// parts, merged.
void use_contexts(const MatchStatistics& counted, MatchPlan& plan);

/// Counts the contexts of a plan's comparisons in a part of the table; complete statistics of contexts alone, to be
/// merged.
MatchStatistics count_plan_contexts(const MatchPlan& plan, const io::Table& part);

}  // namespace fovea::linkage
