// SPDX-License-Identifier: Apache-2.0
#include "fovea/graph/temper/tempered_chain.h"

#include <limits>
#include <utility>

#include "fovea/base/error.h"

namespace fovea::graph {
namespace {

constexpr int kMostSweepsPerDraw = 1000;

}  // namespace

TemperedChain::TemperedChain(const SoftTables& tables, std::vector<double> inverse_temperatures, Assignment start,
                             const Random& random)
    : graph_(&tables.graph()),
      tempering_(tables, inverse_temperatures, std::vector<Assignment>(inverse_temperatures.size(), start)),
      drawn_(std::move(start)),
      random_(random) {}

bool TemperedChain::sweep(std::size_t count, int, const Stop& stop) {
  for (std::size_t draw = 0; draw < count; ++draw)
    for (int sweeps = 0;; ++sweeps) {
      if (sweeps == kMostSweepsPerDraw)
        throw LimitError("parallel tempering breaks hard constraints in every sweep; draw at one temperature");
      if (!tempering_.sweep(random_, stop)) return false;
      tempering_.trade(first_, random_);
      first_ = 1 - first_;
      if (graph_->log_score(tempering_.values(0)) == -std::numeric_limits<double>::infinity()) continue;
      drawn_ = tempering_.values(0);
      break;
    }
  return true;
}

}  // namespace fovea::graph
