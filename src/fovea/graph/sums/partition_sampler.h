// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

#include "fovea/base/random.h"
#include "fovea/base/run_control.h"
#include "fovea/graph/model/factor_graph.h"
#include "fovea/graph/temper/annealed_importance.h"

namespace fovea::graph {

/// Estimates log Z, with a standard error, by annealed importance sampling in rounds of a fixed number of chains. Each
/// round anneals through twice as many temperatures as the one before: weights then differ less, which helps long
/// before more chains of the same kind would, and just as much later on.
class PartitionSampler {
 public:
  static constexpr std::size_t kChains = 32;

  /// `graph` must outlive it.
  PartitionSampler(const FactorGraph& graph, const Random& random) : graph_(&graph), random_(random) {}

  /// A round that `stop` cuts short does not count.
  Work run_round(const Stop& stop) {
    const std::size_t temperatures = next_temperatures();
    AnnealedImportance importance(*graph_, random_.child("round", temperatures), temperatures);
    const Work work = importance.run(kChains, stop);
    const LogPartitionEstimate estimate = importance.estimate();
    if (estimate.chains < kChains) return work;
    temperatures_ = temperatures;
    estimate_ = estimate;
    return work;
  }
  /// Number of visits to single variables that the next round takes.
  double next_transitions() const {
    return static_cast<double>(kChains) * static_cast<double>(next_temperatures()) *
           static_cast<double>(graph_->variable_count());
  }
  std::size_t temperatures() const { return temperatures_; }

  /// Estimate from the last finished round. Its standard error is infinite if no round was finished, or if no chain
  /// found an assignment that keeps all hard constraints.
  const LogPartitionEstimate& estimate() const { return estimate_; }

 private:
  static constexpr std::size_t kFirstTemperatures = 16;

  std::size_t next_temperatures() const { return temperatures_ == 0 ? kFirstTemperatures : 2 * temperatures_; }

  const FactorGraph* graph_;
  Random random_;
  std::size_t temperatures_ = 0;  // of the last round
  LogPartitionEstimate estimate_;
};

}  // namespace fovea::graph
