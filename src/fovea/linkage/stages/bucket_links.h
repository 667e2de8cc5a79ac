// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "fovea/base/run.h"
#include "fovea/linkage/stages/match_plan.h"
#include "fovea/linkage/stages/record_bucket.h"

namespace fovea::linkage {

/// Size of a block.
struct BlockSize {
  std::uint32_t rule = 0;
  std::string key = "";
  std::uint64_t records = 0;
};

/// The pairs of a bucket's blocks that match.
struct BucketLinks {
  std::vector<RecordPair> pairs = {};    ///< a pair that several rules bring together, once for each
  std::vector<BlockSize> left_out = {};  ///< blocks with too many records to be compared
};

/// Scores the pairs of all blocks of a bucket that fill_block_buckets() filled, and finds those that score more than
/// `floor`. bytes: as RecordGroups takes them, with the columns of the plan. Throws CancelledError or LimitError.
BucketLinks links_of_bucket(const MatchPlan& plan, std::span<const std::string_view> bytes, double floor,
                            const Run& run = {});

/// Blocks of a bucket without cells that have more records than least[rule].
std::vector<BlockSize> sizes_of_bucket(std::span<const std::string_view> bytes, std::span<const std::uint64_t> least);

}  // namespace fovea::linkage
