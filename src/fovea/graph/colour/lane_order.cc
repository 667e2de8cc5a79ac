// SPDX-License-Identifier: Apache-2.0
#include "fovea/graph/colour/lane_order.h"

#include <algorithm>
#include <map>
#include <span>

namespace fovea::graph {
namespace {

/// Maximum number of entries of a streamed table; a larger one takes longer to stream than a few cache lines take to
/// fetch.
constexpr std::size_t kMaxStreamedEntries = 36;
/// Minimum number of factors for which a shared table gets blocks of its own.
constexpr std::uint32_t kMinSharedUses = 32;
/// Minimum number of lanes for which a block is not mixed with others.
constexpr std::size_t kMinLanes = 8;
constexpr std::size_t kSitesBetweenLooks = 1024;

/// Signature of v: its cardinality and whether it has factors of one variable, then its keys.
using Signature = std::vector<AccessKey>;

Signature signature_of(const AccessRule& rule, VariableId v) {
  const FactorGraph& graph = rule.graph();
  const bool has_unary = std::ranges::any_of(
      graph.incidences(v), [&](const auto& incidence) { return graph.scope(incidence.factor).size() == 1; });
  Signature signature = {{.detail = 2 * graph.cardinality(v) + has_unary}};
  for (const auto& access : rule.accesses(v)) signature.push_back(access.first);
  return signature;
}

/// Cuts variables into blocks.
class BlockCutter {
 public:
  explicit BlockCutter(std::vector<LaneOrder::Block>& blocks) : blocks_(&blocks) {}

  /// Appends full blocks, and a last one of `min_last` variables or more; returns the number of variables that they
  /// hold.
  std::size_t cut(std::span<const VariableId> variables, std::size_t min_last, bool is_mixed) {
    std::size_t at = 0;
    while (variables.size() - at >= min_last) {
      const std::size_t count = std::min(variables.size() - at, LaneOrder::kLanes);
      LaneOrder::Block block = {.count = static_cast<std::uint32_t>(count), .is_mixed = is_mixed};
      std::ranges::copy(variables.subspan(at, count), block.variables.begin());
      blocks_->push_back(block);
      at += count;
    }
    return at;
  }

 private:
  std::vector<LaneOrder::Block>* blocks_;
};

/// Adds the blocks of a colour's variables that fit lanes.
void add_blocks(const AccessRule& rule, const std::map<Signature, std::vector<VariableId>>& classes,
                std::vector<LaneOrder::Block>& blocks) {
  BlockCutter cutter(blocks);
  std::map<std::size_t, std::vector<VariableId>> rest;  // by cardinality
  for (const auto& [signature, variables] : classes) {
    const std::size_t taken = cutter.cut(variables, kMinLanes, false);
    std::vector<VariableId>& left = rest[rule.graph().cardinality(variables[0])];
    left.insert(left.end(), variables.begin() + static_cast<std::ptrdiff_t>(taken), variables.end());
  }
  for (auto& [cardinality, variables] : rest) {
    std::ranges::stable_sort(variables, {}, [&](VariableId v) { return rule.graph().incidences(v).size(); });
    cutter.cut(variables, 1, true);
  }
}

}  // namespace

AccessRule::AccessRule(const FactorGraph& graph) : graph_(&graph), uses_(graph.table_count()) {
  for (FactorId f = 0; f < graph.factor_count(); ++f) ++uses_[graph.table_id(f)];
  constexpr std::size_t kMaxEntries = std::size_t{1} << 29;  // twice that, and some padding, stays below 2^31
  is_indexable_ = graph.entry_count() < kMaxEntries && graph.variable_count() < kMaxEntries;
}

bool AccessRule::fits_lane(VariableId v) const {
  return is_indexable_ && graph_->cardinality(v) <= LaneOrder::kMaxValues;
}

AccessKey AccessRule::key(const FactorGraph::Incidence& incidence) const {
  const std::span<const VariableId> scope = graph_->scope(incidence.factor);
  if (scope.size() > 2) return {.access = FactorAccess::kGathered, .detail = scope.size() - 1};
  const std::size_t others = graph_->cardinality(scope[1 - incidence.position]);
  const TableId table = graph_->table_id(incidence.factor);
  if (uses_[table] >= kMinSharedUses && others <= LaneOrder::kMaxValues)
    return {.access = FactorAccess::kShared, .detail = 2 * std::uint64_t{table} + incidence.position};
  if (graph_->table(incidence.factor).size() <= kMaxStreamedEntries)
    return {.access = FactorAccess::kStreamed, .detail = others};
  return {.access = FactorAccess::kGathered, .detail = 1};
}

std::vector<std::pair<AccessKey, FactorGraph::Incidence>> AccessRule::accesses(VariableId v) const {
  std::vector<std::pair<AccessKey, FactorGraph::Incidence>> all;
  for (const FactorGraph::Incidence& incidence : graph_->incidences(v))
    if (graph_->scope(incidence.factor).size() > 1) all.emplace_back(key(incidence), incidence);
  std::ranges::stable_sort(all, {}, [&](const auto& access) {
    const std::span<const VariableId> scope = graph_->scope(access.second.factor);
    return std::pair(access.first, scope[access.second.position == 0 ? 1 : 0]);
  });
  return all;
}

std::optional<LaneOrder> order_lanes(const AccessRule& rule, const GraphColouring& colouring, const Stop& stop) {
  LaneOrder order;
  for (std::size_t c = 0; c < colouring.class_count(); ++c) {
    LaneOrder::Colour colour = {.block_begin = order.blocks.size(), .wide_begin = order.wide.size()};
    std::map<Signature, std::vector<VariableId>> classes;
    for (std::size_t i = colouring.begin[c]; i < colouring.begin[c + 1]; ++i) {
      if (i % kSitesBetweenLooks == 0 && stop.requested()) return std::nullopt;
      const VariableId v = colouring.order[i];
      if (rule.fits_lane(v)) classes[signature_of(rule, v)].push_back(v);
      else order.wide.push_back(v);
    }
    add_blocks(rule, classes, order.blocks);
    colour.block_end = order.blocks.size();
    colour.wide_end = order.wide.size();
    order.colours.push_back(colour);
  }
  return order;
}

}  // namespace fovea::graph
