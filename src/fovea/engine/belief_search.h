// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "fovea/message/belief_propagation.h"
#include "fovea/sample/searcher.h"

namespace fovea {

/// Sum-product belief propagation as a member of a portfolio: propagates, decodes an assignment by sequential
/// conditioning after 10, 20, 40, ... iterations, and ends when the messages have converged. On loopy models of random
/// factors its decoded assignments are beyond what local moves reach from anywhere.
class BeliefSearch final : public Searcher {
 public:
  explicit BeliefSearch(const FactorGraph& graph)
      : visits_(graph.variable_count()), beliefs_(graph, {.damping = 0.1}) {}

  const char* name() const override { return "belief propagation"; }
  Work run(std::uint64_t transitions, const Stop& stop) override;
  const ScoredAssignment& best() const override { return best_; }
  void offer(const ScoredAssignment& found) override {
    if (found.score > best_.score) best_ = found;
  }
  bool is_finished() const override { return is_finished_; }

 private:
  void decode(const Stop& stop);

  std::uint64_t visits_;  // of one iteration
  BeliefPropagation beliefs_;
  ScoredAssignment best_;
  std::uint64_t next_decoding_ = 10;  // iteration
  bool is_decoding_ = false;          // was stopped while it did
  bool is_finished_ = false;
};

}  // namespace fovea
