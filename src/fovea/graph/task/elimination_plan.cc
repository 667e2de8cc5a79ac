// SPDX-License-Identifier: Apache-2.0
#include "fovea/graph/task/elimination_plan.h"

#include <fmt/format.h>

#include <algorithm>

#include "fovea/base/error.h"
#include "fovea/base/text.h"

namespace fovea::graph {
namespace {

constexpr double kOrderShare = 0.1, kLongestOrderSeconds = 2;  // of the time left, for finding the order
constexpr double kOrderWork = 6e8;  // instead, where only work is limited: about as much as in those seconds
constexpr double kTreeShare = 0.6;  // of the time left, for passing messages
constexpr double kThreadGain = .7;  // of a further thread: 1.5 to 2 times as fast with two
constexpr double kHopelessLog2Width = 40;
constexpr double kUntimedSeconds = 600;  // a tree may take that long where only work is limited
constexpr double kFarFromHope = 1.5;     // times that width: further tries do not narrow an order by that factor
constexpr int kTries = 40;
constexpr double kExpensiveEntries = 1e8;  // of all tables: further tries may pay for themselves
constexpr int kFurtherTries = 400;

/// Makes some tries by several rules and, if tables are large, many by the rule that is best there. The time for that
/// is better spent on a search if a few tries are all far too wide.
EliminationOrder find_order(const FactorGraph& graph, const Random& random, double work, const Stop& stop) {
  constexpr double kHopeless = kFarFromHope * kHopelessLog2Width;
  EliminationOrder order = find_elimination_order(
      graph, {.tries = kTries, .max_work = work / 2, .hopeless_log2_width = kHopeless}, random, stop);
  if (order.total_entries < kExpensiveEntries || order.log2_width > kHopeless || stop.requested()) return order;
  try {
    EliminationOrder other = find_elimination_order(
        graph, {.rules = {EliminationRule::kMinFill}, .tries = kFurtherTries, .max_work = work / 2},
        random.child("further"), stop);
    if (other.total_entries < order.total_entries) order = std::move(other);
  } catch (const LimitError&) {  // not even one more in time
  }
  return order;
}

double bytes_of(const ClusterTree& tree, EliminationGoal goal) {
  if (goal == EliminationGoal::kPartition) return tree.peak_bytes();
  return goal == EliminationGoal::kMaximum ? tree.message_bytes() : tree.marginal_bytes();
}

}  // namespace

std::string EliminationPlan::describe() const {
  if (!order.found()) return "no order found in its share of the time";
  std::string text = fmt::format("width {:.1f} bits", order.log2_width);
  if (!tree) return text + ", hopeless";
  return text + fmt::format(", tables of {}, about {:.2g} s: {}", byte_count_text(bytes), seconds,
                            fits ? "fits" : "does not fit");
}

EliminationPlan plan_elimination(const FactorGraph& graph, EliminationGoal goal, const Run& run) {
  EliminationPlan plan;
  const double left = std::min(run.stop.seconds_left(), kUntimedSeconds);
  try {
    plan.order = find_order(graph, run.random, run.is_timed() ? std::numeric_limits<double>::infinity() : kOrderWork,
                            run.within(std::min(kOrderShare * left, kLongestOrderSeconds)));
    if (plan.order.log2_width > kHopelessLog2Width) return plan;
    plan.tree.emplace(graph, plan.order.order, std::span<const char>(), run.stop);
  } catch (const LimitError&) {  // not even one order in its share of the time
    return plan;
  }
  plan.bytes = bytes_of(*plan.tree, goal);
  plan.seconds = seconds_here(predicted_seconds(*plan.tree, goal), run);
  if (run.is_timed()) plan.seconds /= 1 + kThreadGain * (run.thread_count() - 1);
  plan.fits = plan.bytes <= static_cast<double>(run.memory_bytes) &&
              plan.seconds <= kTreeShare * std::min(run.stop.seconds_left(), kUntimedSeconds);
  return plan;
}

}  // namespace fovea::graph
