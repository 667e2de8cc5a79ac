// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "fovea/io/table/table.h"
#include "fovea/linkage/stages/match_plan.h"
#include "fovea/linkage/stages/record_bucket.h"

namespace fovea::linkage {

/// Blocks that are not handled whole, by rule and key.
class SpecialBlocks {
 public:
  /// Says that a block has too many records to be compared.
  void leave_out(std::uint32_t rule, const std::string& key) { set(rule, key, 0); }
  /// Says that a block's records are dealt to `parts` parts, from 2 on, whose pairs are compared tile by tile.
  void cut(std::uint32_t rule, const std::string& key, std::uint32_t parts) { set(rule, key, parts); }

  /// Number of parts: 1 for a block that is handled whole, 0 for one that is left out.
  std::uint32_t parts(std::uint32_t rule, std::string_view key) const;
  bool empty() const { return of_rule_.empty(); }
  /// Those that are left out: within a component, all blocks are handled whole.
  SpecialBlocks without_cuts() const;

 private:
  void set(std::uint32_t rule, const std::string& key, std::uint32_t parts);

  std::vector<std::map<std::string, std::uint32_t, std::less<>>> of_rule_;  // [rule][key] number of parts
};

/// The keys of a part's rows, an entry for each row and each of its keys. The entries of all parts with one (rule,
/// tile, key) are a block of records to be compared.
struct BlockKeys {
  std::vector<std::uint32_t> places;  ///< row of the part
  std::vector<std::uint32_t> rules;
  std::vector<std::string> keys;
  std::vector<std::uint32_t> tiles;  ///< 0, or GroupName::tile_of() in a block of several parts
  std::vector<std::uint32_t> sides;  ///< 1 for records of a tile's second part, or of the second table; otherwise 0

  std::size_t size() const { return places.size(); }
};

/// Keys of the rows of a part; numbers: [row] its number in the whole table. Blocks that are left out have none.
BlockKeys block_keys(const MatchPlan& plan, const io::Table& part, const std::vector<std::uint32_t>& numbers,
                     const SpecialBlocks& special = {});

/// Puts the rows of a part into buckets, by block: an entry for each of their keys.
void fill_block_buckets(const MatchPlan& plan, const io::Table& part, const std::vector<std::uint32_t>& numbers,
                        const SpecialBlocks& special, RecordBuckets& buckets);

/// Puts the rows of a part into buckets, by component: components: [row], kNoId for a record that is alone and is left
/// out.
void fill_component_buckets(const io::Table& part, const std::vector<std::uint32_t>& numbers,
                            std::span<const std::uint32_t> components, RecordBuckets& buckets);

}  // namespace fovea::linkage
