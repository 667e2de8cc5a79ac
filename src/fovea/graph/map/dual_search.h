// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "fovea/graph/local_search/searcher.h"
#include "fovea/graph/propagation/dual_bound.h"

namespace fovea::graph {

/// The dual bound as a member of a portfolio: lowers the bound and decodes an assignment now and then. What others
/// found is no use to it.
class DualSearch final : public Searcher {
 public:
  explicit DualSearch(const FactorGraph& graph) : passes_(2 * graph.variable_count()), bound_(graph) {}

  const char* name() const override { return "dual bound"; }
  Work run(std::uint64_t transitions, const Stop& stop) override {
    const std::uint64_t before = bound_.iterations();
    Work work = bound_.run(transitions / passes_ + (transitions % passes_ != 0), stop);
    work.transitions = (bound_.iterations() - before) * passes_;  // one visit each
    return work;
  }
  const mcmc::ScoredAssignment& best() const override { return bound_.best(); }
  void offer(const mcmc::ScoredAssignment&) override {}
  double upper_bound() const override { return bound_.upper_bound(); }
  bool is_finished() const override { return bound_.is_finished(); }

 private:
  std::uint64_t passes_;  // visits of one iteration
  DualBound bound_;
};

}  // namespace fovea::graph
