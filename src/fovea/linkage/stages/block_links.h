// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "fovea/base/run.h"
#include "fovea/io/table/table.h"
#include "fovea/linkage/stages/group_gatherer.h"
#include "fovea/linkage/stages/match_plan.h"

namespace fovea::linkage {

/// Two records that match, by their numbers in the whole table, first < second.
struct RecordPair {
  std::uint32_t first = 0, second = 0;
  float score = 0;  ///< log odds
};

/// Names of the columns that stages add to the columns of records.
struct StageColumns {
  static constexpr const char* kRow = "fovea_row";    ///< number in the whole table
  static constexpr const char* kRule = "fovea_rule";  ///< these four: see BlockKeys
  static constexpr const char* kKey = "fovea_key";
  static constexpr const char* kTile = "fovea_tile";
  static constexpr const char* kSide = "fovea_side";
  static constexpr const char* kComponent = "fovea_component";  ///< its first record
};

/// Scores the pairs of sorted blocks as their records come: records with the columns kRule, kKey, kTile, kSide and
/// kRow, sorted by these. A pair that several rules bring together is found once for each.
class BlockLinks {
 public:
  /// Finds pairs that score more than `floor`.
  BlockLinks(const MatchPlan& plan, double floor) : plan_(plan), floor_(floor) {}

  /// Adds records; returns the pairs of the blocks that are whole by then.
  std::vector<RecordPair> add(const io::Table& records, const Run& run = {});
  /// The pairs of the blocks that are left.
  std::vector<RecordPair> finish(const Run& run = {});

 private:
  void search(const GroupWindow& window, const Run& run, std::vector<RecordPair>& found) const;

  MatchPlan plan_;
  double floor_;
  GroupGatherer gatherer_{{StageColumns::kRule, StageColumns::kKey, StageColumns::kTile},
                          {StageColumns::kRule, StageColumns::kTile}};
};

}  // namespace fovea::linkage
