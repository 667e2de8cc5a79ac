// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <utility>

#include "fovea/base/random.h"
#include "fovea/base/run_control.h"
#include "fovea/graph/colour/block_gibbs.h"
#include "fovea/graph/colour/colour_gibbs.h"
#include "fovea/mcmc/target_law.h"

namespace fovea::graph {

/// Gibbs sampling in colour order with a block drawn jointly after every sweep, for models whose hard constraints may
/// keep single variables from moving. Its draws depend only on its random stream. One thread drives a chain at a time.
class BlockedChain {
 public:
  using TargetLaw = mcmc::Invariant;

  /// `gibbs` must outlive the chain; `start` has positive probability.
  BlockedChain(const ColourGibbs& gibbs, Assignment start, const Random& random)
      : singles_(gibbs, std::move(start), random), blocks_(gibbs.graph()), random_(random.child("blocks")) {}

  /// Makes `count` sweeps, each followed by a block. Returns false if `stop` was requested first: then some visits are
  /// missing.
  bool sweep(std::size_t count = 1, int threads = 1, const Stop& stop = {}) {
    for (std::size_t i = 0; i < count; ++i) {
      if (!singles_.sweep(1, threads, stop)) return false;
      Assignment values = singles_.values();
      blocks_.step(values, random_);
      if (values != singles_.values()) singles_.set_values(std::move(values));
    }
    return true;
  }

  const Assignment& values() const { return singles_.values(); }
  void set_values(Assignment values) { singles_.set_values(std::move(values)); }

 private:
  ColourChain singles_;
  BlockGibbs blocks_;
  Random random_;
};

}  // namespace fovea::graph
