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

/// Way in which the lanes of a block read a factor of two or more variables.
enum class FactorAccess : std::uint8_t {
  kStreamed,  ///< small tables of two variables, one per lane: reads all entries, keeps those of the other's value
  kShared,    ///< one table of two variables for all lanes: a row is looked up in registers
  kGathered,  ///< anything else: each lane reads its table where it lies
};

/// Key on which the lanes of a block must agree to read one factor each, side by side.
struct AccessKey {
  FactorAccess access = FactorAccess::kGathered;
  /// kStreamed: number of values of the other variable. kShared: 2 * table + position. kGathered: number of other
  /// variables.
  std::uint64_t detail = 0;
  friend auto operator<=>(const AccessKey&, const AccessKey&) = default;
};

/// Chooses how factors are read. `graph` must outlive it.
class AccessRule {
 public:
  explicit AccessRule(const FactorGraph& graph);

  const FactorGraph& graph() const { return *graph_; }
  /// True if v can be a lane at all.
  bool fits_lane(VariableId v) const;
  /// Key of the factor, which has two variables or more.
  AccessKey key(const FactorGraph::Incidence& incidence) const;
  /// Places of v in such factors with their keys, sorted by key and then by first neighbour.
  std::vector<std::pair<AccessKey, FactorGraph::Incidence>> accesses(VariableId v) const;

 private:
  const FactorGraph* graph_;
  std::vector<std::uint32_t> uses_;  // [table]
  bool is_indexable_;                // by 32 bits
};

/// Order of visits: blocks of up to kLanes variables of one colour and one cardinality, visited side by side.
struct LaneOrder {
  static constexpr std::size_t kLanes = mcmc::LaneStream::kLanes;
  /// Variables with more values than this are visited one by one, with their values side by side.
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

/// Puts variables with equal keys together, in ascending order; the variables left over from all keys are mixed.
/// Returns nothing if `stop` was requested first.
std::optional<LaneOrder> order_lanes(const AccessRule& rule, const GraphColouring& colouring, const Stop& stop = {});

}  // namespace fovea::graph
