// SPDX-License-Identifier: Apache-2.0
#include "fovea/graph/colour/lane_tables.h"

#include <algorithm>
#include <cmath>
#include <span>

#include "fovea/graph/colour/linear_weights.h"

namespace fovea::graph {
namespace {

constexpr std::size_t kLanes = LaneTables::kLanes;
/// Products of relative weights stay within e^+-40: far from where floats overflow or lose digits.
constexpr double kMaxLogProduct = 40;

using Accesses = std::vector<std::pair<AccessKey, FactorGraph::Incidence>>;

/// View of a table of two variables from one of them.
struct Oriented {
  Oriented(const FactorGraph& graph, const FactorGraph::Incidence& incidence)
      : table(graph.table(incidence.factor)),
        own_stride(graph.strides(incidence.factor)[incidence.position]),
        other_stride(graph.strides(incidence.factor)[1 - incidence.position]),
        own_count(graph.cardinality(graph.scope(incidence.factor)[incidence.position])),
        other_count(table.size() / own_count),
        best(best_score(table)) {}

  double score(std::size_t other, std::size_t own) const { return table[other * other_stride + own * own_stride]; }
  float weight(std::size_t other, std::size_t own) const { return weight_of(score(other, own), best); }
  /// True if all scores lie within `range` of those of own value 0, which excludes -inf.
  bool is_within(double range) const {
    for (std::size_t j = 0; j < other_count; ++j)
      for (std::size_t k = 0; k < own_count; ++k)
        if (!(std::abs(score(j, k) - score(j, 0)) <= range)) return false;
    return true;
  }

  std::span<const double> table;
  std::size_t own_stride, other_stride, own_count, other_count;
  double best;
};

class Builder {
 public:
  Builder(const AccessRule& rule, const LaneOrder& order, const Stop& stop)
      : graph_(rule.graph()), rule_(rule), order_(order), stop_(stop) {}

  std::optional<LaneTables> build() {
    number_sites();
    tables_.gathered.assign(LaneOrder::kMaxValues, 1);
    for (const LaneOrder::Block& block : order_.blocks)
      if (!add_block(block)) return std::nullopt;
    return std::move(tables_);
  }

 private:
  void number_sites() {
    site_of_.assign(graph_.variable_count(), 0);
    for (const LaneOrder::Block& block : order_.blocks) {
      for (std::size_t lane = 0; lane < block.count; ++lane)
        site_of_[block.variables[lane]] = static_cast<std::int32_t>(tables_.variables.size() + lane);
      tables_.variables.insert(tables_.variables.end(), block.variables.begin(), block.variables.end());
    }
    still_ = static_cast<std::int32_t>(tables_.variables.size());
    tables_.wide_begin = tables_.variables.size() + 1;
    tables_.site_count = tables_.wide_begin + order_.wide.size();
    for (std::size_t i = 0; i < order_.wide.size(); ++i)
      site_of_[order_.wide[i]] = static_cast<std::int32_t>(tables_.wide_begin + i);
  }

  bool add_block(const LaneOrder::Block& block) {
    std::vector<Accesses> lanes;
    for (std::size_t lane = 0; lane < block.count; ++lane) lanes.push_back(rule_.accesses(block.variables[lane]));
    std::size_t slot_count = 0;
    for (const Accesses& accesses : lanes) slot_count = std::max(slot_count, accesses.size());
    LaneTables::Block& added = tables_.blocks.emplace_back();
    added.first_site = (tables_.blocks.size() - 1) * kLanes;
    added.lane_count = block.count;
    added.value_count = static_cast<std::uint32_t>(graph_.cardinality(block.variables[0]));
    added.slot_begin = tables_.slots.size();
    added.is_relative = !block.is_mixed && has_mild_tables(lanes);
    for (std::size_t i = 0; i < slot_count; ++i) {
      if (stop_.requested()) return false;
      const AccessKey key = block.is_mixed ? AccessKey{} : lanes[0][i].first;
      tables_.slots.push_back({.access = key.access, .indices = tables_.indices.size()});
      if (key.access == FactorAccess::kGathered) {
        if (!add_gathered(lanes, i)) return false;
        continue;
      }
      for (std::size_t lane = 0; lane < kLanes; ++lane)
        tables_.indices.push_back(lane < lanes.size() ? site_of_[other_of(lanes[lane][i].second)] : still_);
      tables_.slots.back().other_values = static_cast<std::uint32_t>(graph_.cardinality(other_of(lanes[0][i].second)));
      if (key.access == FactorAccess::kShared) tables_.slots.back().weights = shared_rows(lanes[0][i].second);
      else add_streamed(lanes, i, added.is_relative);
    }
    added.slot_end = tables_.slots.size();
    add_unary(block, added);
    return true;
  }

  VariableId other_of(const FactorGraph::Incidence& incidence) const {
    return graph_.scope(incidence.factor)[1 - incidence.position];
  }

  /// True if the streamed weights of all lanes can be relative.
  bool has_mild_tables(const std::vector<Accesses>& lanes) const {
    const auto streamed = std::ranges::count_if(
        lanes[0], [](const auto& access) { return access.first.access == FactorAccess::kStreamed; });
    if (streamed == 0) return false;
    return std::ranges::all_of(lanes, [&](const Accesses& accesses) {
      return std::ranges::all_of(accesses, [&](const auto& access) {
        return access.first.access != FactorAccess::kStreamed ||
               Oriented(graph_, access.second).is_within(kMaxLogProduct / static_cast<double>(streamed));
      });
    });
  }

  void add_streamed(const std::vector<Accesses>& lanes, std::size_t i, bool is_relative) {
    const Oriented shape(graph_, lanes[0][i].second);
    const std::size_t first = is_relative ? 1 : 0, begin = tables_.streamed.size();
    const std::size_t kept = shape.own_count - first;
    tables_.slots.back().weights = begin;
    tables_.streamed.resize(begin + shape.other_count * kept * kLanes, 0);
    for (std::size_t lane = 0; lane < lanes.size(); ++lane) {
      const Oriented table(graph_, lanes[lane][i].second);
      float* weight = tables_.streamed.data() + begin + lane;
      for (std::size_t j = 0; j < table.other_count; ++j)
        for (std::size_t k = first; k < table.own_count; ++k, weight += kLanes)
          *weight =
              is_relative ? static_cast<float>(std::exp(table.score(j, k) - table.score(j, 0))) : table.weight(j, k);
    }
  }

  std::size_t shared_rows(const FactorGraph::Incidence& incidence) {
    const auto [at, is_new] =
        shared_.try_emplace({graph_.table_id(incidence.factor), incidence.position}, tables_.shared.size());
    if (!is_new) return at->second;
    const Oriented table(graph_, incidence);
    tables_.shared.resize(at->second + table.own_count * kLanes, 0);
    for (std::size_t k = 0; k < table.own_count; ++k)
      for (std::size_t j = 0; j < table.other_count; ++j)
        tables_.shared[at->second + k * kLanes + j] = table.weight(j, k);
    return at->second;
  }

  /// Lanes without an i-th factor multiply by ones.
  bool add_gathered(const std::vector<Accesses>& lanes, std::size_t i) {
    std::uint32_t others = 0;
    for (const Accesses& accesses : lanes)
      if (i < accesses.size())
        others = std::max(others, static_cast<std::uint32_t>(graph_.scope(accesses[i].second.factor).size() - 1));
    tables_.slots.back().others = others;
    const std::size_t begin = tables_.indices.size();
    tables_.indices.resize(begin + (2 + 2 * others) * kLanes, 0);
    for (std::uint32_t other = 0; other < others; ++other)
      std::fill_n(tables_.indices.begin() + static_cast<std::ptrdiff_t>(begin + (2 + 2 * other) * kLanes), kLanes,
                  still_);
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
      std::int32_t* at = tables_.indices.data() + begin + lane;
      at[kLanes] = 1;
      if (lane < lanes.size() && i < lanes[lane].size() && !point_at(lanes[lane][i].second, at)) return false;
    }
    return true;
  }

  /// Writes the indices of a factor for one lane.
  bool point_at(const FactorGraph::Incidence& incidence, std::int32_t* at) {
    const std::span<const VariableId> scope = graph_.scope(incidence.factor);
    const std::span<const std::uint32_t> strides = graph_.strides(incidence.factor);
    const bool is_turned = scope.size() == 2 && incidence.position == 0;  // own values lie side by side
    const auto [begin, is_new] =
        gathered_.try_emplace({graph_.table_id(incidence.factor), is_turned}, tables_.gathered.size());
    if (is_new && !append_gathered(incidence, is_turned)) return false;
    at[0] = static_cast<std::int32_t>(begin->second);
    at[kLanes] = is_turned ? 1 : static_cast<std::int32_t>(strides[incidence.position]);
    for (std::size_t i = 0; i < scope.size(); ++i) {
      if (i == incidence.position) continue;
      at += 2 * kLanes;
      at[0] = site_of_[scope[i]];
      at[kLanes] = static_cast<std::int32_t>(is_turned ? graph_.cardinality(scope[0]) : strides[i]);
    }
    return true;
  }

  bool append_gathered(const FactorGraph::Incidence& incidence, bool is_turned) {
    constexpr std::size_t kEntriesBetweenLooks = 100'000;
    const std::span<const double> table = graph_.table(incidence.factor);
    const double best = best_score(table);
    const std::size_t columns = is_turned ? graph_.strides(incidence.factor)[0] : 1, rows = table.size() / columns;
    for (std::size_t i = 0; i < table.size(); ++i) {
      if (i % kEntriesBetweenLooks == kEntriesBetweenLooks - 1 && stop_.requested()) return false;
      tables_.gathered.push_back(weight_of(table[i % rows * columns + i / rows], best));
    }
    return true;
  }

  void add_unary(const LaneOrder::Block& block, LaneTables::Block& added) {
    std::vector<std::vector<double>> scores(block.count, std::vector<double>(added.value_count));
    for (std::size_t lane = 0; lane < block.count; ++lane)
      for (const auto& [factor, position] : graph_.incidences(block.variables[lane])) {
        if (graph_.scope(factor).size() != 1) continue;
        added.has_unary = true;
        for (std::size_t k = 0; k < added.value_count; ++k) scores[lane][k] += graph_.table(factor)[k];
      }
    if (!added.has_unary) return;
    added.unary = tables_.streamed.size();
    tables_.streamed.resize(added.unary + added.value_count * kLanes, 0);
    for (std::size_t lane = 0; lane < block.count; ++lane)
      for (std::size_t k = 0; k < added.value_count; ++k)
        tables_.streamed[added.unary + k * kLanes + lane] = weight_of(scores[lane][k], best_score(scores[lane]));
  }

  const FactorGraph& graph_;
  const AccessRule& rule_;
  const LaneOrder& order_;
  const Stop& stop_;
  LaneTables tables_;
  std::vector<std::int32_t> site_of_;                                // [variable]
  std::int32_t still_ = 0;                                           // the site of value 0
  std::map<std::pair<TableId, std::uint32_t>, std::size_t> shared_;  // (table, position) -> its rows
  std::map<std::pair<TableId, bool>, std::size_t> gathered_;         // (table, turned) -> its entries
};

}  // namespace

std::optional<LaneTables> LaneTables::build(const AccessRule& rule, const LaneOrder& order, const Stop& stop) {
  return Builder(rule, order, stop).build();
}

}  // namespace fovea::graph
