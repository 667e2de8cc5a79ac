// SPDX-License-Identifier: Apache-2.0
#include "fovea/graph/colour/colour_gibbs.h"

#include <algorithm>
#include <atomic>
#include <span>
#include <utility>

#include "fovea/base/thread_team.h"
#include "fovea/graph/model/graph_colouring.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "fovea/graph/colour/colour_gibbs.cc"
#include "hwy/foreach_target.h"  // must come before highway.h
// Compiled once per target from here on.
#include "fovea/graph/colour/colour_gibbs-inl.h"

HWY_BEFORE_NAMESPACE();
namespace fovea::graph::HWY_NAMESPACE {

void visit_blocks(const LaneTables& tables, std::span<const LaneTables::Block> blocks, const FactorGraph& graph,
                  LaneValues& values, mcmc::LaneStream& stream) {
  for (const LaneTables::Block& block : blocks) {
    for (std::size_t at = 0; at < LaneTables::kLanes; at += hn::Lanes(Tag())) {
      LaneDraws random(stream, at);
      visit_lanes(tables, block, at, graph, values, random);
    }
    publish(tables, block, values);
  }
}

}  // namespace fovea::graph::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace fovea::graph {
namespace {

HWY_EXPORT(visit_blocks);

constexpr std::size_t kBlocksPerTask = 32;
constexpr std::size_t kWidePerTask = 64;

}  // namespace

std::optional<ColourGibbs> ColourGibbs::build(const FactorGraph& graph, const Stop& stop) {
  const AccessRule rule(graph);
  std::optional<LaneOrder> order = order_lanes(rule, colour_graph(graph), stop);
  if (!order) return std::nullopt;
  std::optional<LaneTables> tables = LaneTables::build(rule, *order, stop);
  if (!tables) return std::nullopt;
  return ColourGibbs(graph, std::move(*order), std::move(*tables));
}

ColourGibbs::ColourGibbs(const FactorGraph& graph, LaneOrder order, LaneTables tables)
    : graph_(&graph), tables_(std::move(tables)), wide_(std::move(order.wide)) {
  if (!wide_.empty()) wide_gibbs_.emplace(graph);
  const auto add_tasks = [&](std::size_t begin, std::size_t end, std::size_t grain, bool is_wide) {
    for (; begin < end; begin += grain)
      tasks_.push_back({.begin = begin, .end = std::min(end, begin + grain), .is_wide = is_wide});
  };
  for (const LaneOrder::Colour& colour : order.colours) {
    add_tasks(colour.block_begin, colour.block_end, kBlocksPerTask, false);
    add_tasks(colour.wide_begin, colour.wide_end, kWidePerTask, true);
    colour_begin_.push_back(tasks_.size());
  }
}

ColourChain::ColourChain(const ColourGibbs& gibbs, Assignment start, const Random& random) : gibbs_(&gibbs) {
  set_values(std::move(start));
  for (std::size_t task = 0; task < gibbs.tasks_.size(); ++task) {
    lane_streams_.emplace_back(random.child("lanes", task));
    wide_streams_.push_back(random.child("wide", task));
  }
}

void ColourChain::set_values(Assignment values) {
  const LaneTables& tables = gibbs_->tables_;
  values_.assignment = std::move(values);
  values_.sites.assign(tables.site_count, 0);
  for (const LaneTables::Block& block : tables.blocks)
    for (std::size_t site = block.first_site; site < block.first_site + block.lane_count; ++site)
      values_.sites[site] = values_.assignment[tables.variables[site]];
  for (std::size_t i = 0; i < gibbs_->wide_.size(); ++i)
    values_.sites[tables.wide_begin + i] = values_.assignment[gibbs_->wide_[i]];
}

void ColourChain::run(std::size_t task) {
  const auto& [begin, end, is_wide] = gibbs_->tasks_[task];
  const LaneTables& tables = gibbs_->tables_;
  if (!is_wide)
    return HWY_DYNAMIC_DISPATCH(visit_blocks)(tables, std::span(tables.blocks).subspan(begin, end - begin),
                                              *gibbs_->graph_, values_, lane_streams_[task]);
  gibbs_->wide_gibbs_->step(values_.assignment, std::span(gibbs_->wide_).subspan(begin, end - begin),
                            wide_streams_[task]);
  for (std::size_t i = begin; i < end; ++i) values_.sites[tables.wide_begin + i] = values_.assignment[gibbs_->wide_[i]];
}

bool ColourChain::sweep(std::size_t count, int threads, const Stop& stop) {
  const std::vector<std::size_t>& begin = gibbs_->colour_begin_;
  const std::size_t colours = begin.size() - 1;
  std::size_t most_tasks = 0;
  for (std::size_t c = 0; c < colours; ++c) most_tasks = std::max(most_tasks, begin[c + 1] - begin[c]);
  std::atomic<bool> is_stopped = false;
  run_in_team(most_tasks, threads, [&](const ThreadTeam& team) {
    for (std::size_t round = 0; round < count * colours; ++round) {
      const std::size_t c = round % colours;
      const auto [first, last] = team.share(begin[c], begin[c + 1]);
      for (std::size_t task = first; task < last && !is_stopped.load(std::memory_order_relaxed); ++task) {
        run(task);
        if (stop.requested()) is_stopped.store(true, std::memory_order_relaxed);
      }
      team.meet();
    }
  });
  return !is_stopped;
}

}  // namespace fovea::graph
#endif
