// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <vector>

#include "fovea/base/random.h"
#include "fovea/base/run_control.h"
#include "fovea/graph/temper/parallel_tempering.h"

namespace fovea::graph {

/// The coldest replica of parallel tempering as a Markov chain on the model's assignments: draws that break a hard
/// constraint are left out.
class TemperedChain {
 public:
  using TargetLaw = mcmc::Invariant;

  /// All replicas begin at `start`, of positive probability. inverse_temperatures: falling from 1; `tables` must
  /// outlive the chain.
  TemperedChain(const SoftTables& tables, std::vector<double> inverse_temperatures, Assignment start,
                const Random& random);

  /// Makes `count` draws. Each is a sweep of all replicas and an offer of trades, repeated until no hard constraint is
  /// broken. Returns false if `stop` was requested first. Throws LimitError if a thousand sweeps give no draw.
  bool sweep(std::size_t count = 1, int threads = 1, const Stop& stop = {});

  /// The last draw.
  const Assignment& values() const { return drawn_; }
  const std::vector<ParallelTempering::Trades>& trades() const { return tempering_.trades(); }

 private:
  const FactorGraph* graph_;
  ParallelTempering tempering_;
  Assignment drawn_;
  Random random_;
  std::size_t first_ = 0;  // of the next trades
};

}  // namespace fovea::graph
