// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "fovea/base/aligned.h"
#include "fovea/base/run_control.h"
#include "fovea/graph/colour/lane_order.h"

namespace fovea::graph {

/// A model's weights, exp(score), laid out for visits of whole blocks of variables. Sites are numbered along the
/// blocks, kLanes to a block, so that a block's values lie side by side; then comes a site whose value is always 0,
/// then LaneOrder::wide.
struct LaneTables {
  static constexpr std::size_t kLanes = LaneOrder::kLanes;

  /// One factor of each lane.
  struct Slot {
    FactorAccess access = FactorAccess::kGathered;
    std::uint32_t others = 1;        ///< other variables of the factor
    std::uint32_t other_values = 0;  ///< of the other variable; not for kGathered
    /// In `indices`: [other][site, stride][lane]; kGathered: after [entry of value 0, stride of own values][lane].
    /// Factors of two variables that are not gathered: [site][lane].
    std::size_t indices = 0;
    /// kStreamed, in `streamed`: [value of the other][own value][lane]. kShared, in `shared`: [own value][kLanes], by
    /// value of the other.
    std::size_t weights = 0;
  };
  struct Block {
    std::size_t first_site = 0;
    std::uint32_t lane_count = 0, value_count = 0;
    std::size_t slot_begin = 0, slot_end = 0;  ///< streamed first, then shared, then gathered
    bool is_relative = false;                  ///< streamed weights are relative to own value 0, which is left out
    bool has_unary = false;
    std::size_t unary = 0;  ///< in `streamed`: [own value][lane]
  };

  /// Returns nothing if `stop` was requested first.
  static std::optional<LaneTables> build(const AccessRule& rule, const LaneOrder& order, const Stop& stop = {});

  std::vector<Block> blocks;
  std::vector<Slot> slots;
  std::vector<VariableId> variables;  ///< [site]; meaningful for lanes below lane_count
  AlignedVector<std::int32_t> indices;
  AlignedVector<float> streamed;  ///< weights that belong to one block, in the order of visits
  AlignedVector<float> shared;
  AlignedVector<float> gathered;  ///< begins with a row of ones
  std::size_t site_count = 0;
  std::size_t wide_begin = 0;  ///< the site of LaneOrder::wide[0]
};

}  // namespace fovea::graph
