// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "fovea/base/run_control.h"
#include "fovea/graph/model/factor_graph.h"
#include "fovea/graph/model/graph_colouring.h"
#include "fovea/mcmc/lane_stream.h"

namespace fovea::graph {

/// How the lanes of a block read a factor of two or more variables.
enum class FactorAccess : std::uint8_t {
  kStreamed,  ///< small tables of two variables, one per lane: all entries are read, those of the other's value kept
  kShared,    ///< one table of two variables for all lanes: a row is looked up in registers
  kGathered,  ///< anything else: each lane reads where its table lies
};

/// What the lanes of a block must agree on to read a factor of each side by side.
struct AccessKey {
  FactorAccess access = FactorAccess::kGathered;
  /// kStreamed: values of the other variable. kShared: 2 * table + position. kGathered: number of other variables.
  std::uint64_t detail = 0;
  friend auto operator<=>(const AccessKey&, const AccessKey&) = default;
};

/// Chooses how factors are read. `graph` must outlive it.
class AccessRule {
 public:
  explicit AccessRule(const FactorGraph& graph);

  const FactorGraph& graph() const { return *graph_; }
  /// Whether v can be a lane at all.
  bool fits_lane(VariableId v) const;
  /// Key of the factor, which has two variables or more.
  AccessKey key(const FactorGraph::Incidence& incidence) const;
  /// v's places in such factors with their keys, by key and then by first neighbour.
  std::vector<std::pair<AccessKey, FactorGraph::Incidence>> accesses(VariableId v) const;

 private:
  const FactorGraph* graph_;
  std::vector<std::uint32_t> uses_;  // [table]
  bool is_indexable_;                // by 32 bits
};

/// Which variables are visited side by side: blocks of up to kLanes variables of one colour and one cardinality.
struct LaneOrder {
  static constexpr std::size_t kLanes = mcmc::LaneStream::kLanes;
  /// Variables of more values are visited one by one, with their values side by side.
  static constexpr std::size_t kMaxValues = 16;

  struct Block {
    std::array<VariableId, kLanes> variables = {};
    std::uint32_t count = 0;
    bool is_mixed = false;  ///< keys differ from lane to lane: everything is gathered
  };
  struct Colour {
    std::size_t block_begin = 0, block_end = 0;  ///< in `blocks`
    std::size_t wide_begin = 0, wide_end = 0;    ///< in `wide`
  };

  std::vector<Block> blocks;
  std::vector<VariableId> wide;  ///< variables that fit no lane
  std::vector<Colour> colours;
};

/// Variables of equal keys come together, ascending; what is left over of all keys is mixed. Nothing where `stop` was
/// requested first.
std::optional<LaneOrder> order_lanes(const AccessRule& rule, const GraphColouring& colouring, const Stop& stop = {});

}  // namespace fovea::graph
