// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "fovea/base/random.h"
#include "fovea/graph/local_search/block_kernel.h"
#include "fovea/graph/local_search/crossover.h"
#include "fovea/graph/local_search/searcher.h"

namespace fovea::graph {

/// Annealing by exact joint moves of random blocks (BlockKernel): in each cycle blocks are sampled while the
/// temperature falls geometrically, then maximised; the best assignment takes over every part in which the cycle did
/// better (PartitionCrossover), and the next cycle starts there. Stronger per move than single variables where
/// couplings are strong and graphs are sparse. Cycles grow slowly.
///
/// Broken hard constraints cost a penalty, so that maximising blocks mends them first; the penalty grows until a cycle
/// ends feasible. A transition is one variable of a block.
class BlockSearch final : public Searcher {
 public:
  /// Starts at `start` if it is given, else at random. `graph` must outlive the searcher.
  BlockSearch(const FactorGraph& graph, const Random& random, ScoredAssignment start = {});

  const char* name() const override { return "block search"; }
  Work run(std::uint64_t transitions, const Stop& stop) override;
  const ScoredAssignment& best() const override { return best_; }
  void offer(const ScoredAssignment& found) override;

 private:
  bool prepare(const Stop& stop);
  void begin_cycle();
  void end_cycle();
  void move(Work& work);
  double progress() const;

  const FactorGraph* graph_;
  Random random_;
  ScoredAssignment best_;
  PartitionCrossover crossover_;
  double penalty_ = 0, spread_ = 0;  // spread: of conditional scores at a random assignment
  std::optional<BlockKernel> kernel_;
  Assignment values_;
  std::uint64_t cycles_ = 0, cycle_length_ = 0, cycle_done_ = 0;  // lengths in transitions
  double hottest_ = 0;
};

}  // namespace fovea::graph
