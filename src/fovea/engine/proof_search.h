// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "fovea/exact/search/branch_and_bound.h"
#include "fovea/sample/search/searcher.h"

namespace fovea {

/// Branch and bound as a member of a portfolio: proves, and finds what it proves. Its transitions are nodes.
class ProofSearch final : public Searcher {
 public:
  /// order: an elimination order of all variables. Throws LimitError where it alone would break the memory limit,
  /// or `stop` was requested before all was set up.
  ProofSearch(const FactorGraph& graph, const std::vector<VariableId>& order, std::uint64_t memory_bytes,
              const Stop& stop)
      : search_(graph, order, {.memory_bytes = static_cast<std::size_t>(memory_bytes)}, stop) {}

  const char* name() const override { return "branch and bound"; }
  Work run(std::uint64_t transitions, const Stop& stop) override { return search_.run(transitions, stop); }
  const ScoredAssignment& best() const override { return search_.best(); }
  void offer(const ScoredAssignment& found) override { search_.offer(found); }
  double upper_bound() const override { return search_.upper_bound(); }
  bool is_finished() const override { return search_.is_finished(); }

 private:
  BranchAndBound search_;
};

}  // namespace fovea
