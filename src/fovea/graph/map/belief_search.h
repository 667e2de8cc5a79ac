// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "fovea/base/random.h"
#include "fovea/graph/local_search/crossover.h"
#include "fovea/graph/local_search/searcher.h"
#include "fovea/graph/propagation/belief_propagation.h"

namespace fovea::graph {

/// Sum-product belief propagation as a member of a portfolio, in episodes. The first propagates on the scores as they
/// are and decodes an assignment by sequential conditioning after 10, 20, 40, ... iterations. The next ones do so on
/// scores times a growing inverse temperature, which moves beliefs from averages over all assignments towards the best
/// ones. All later ones draw the inverse temperature and the length, and discourage a few random values of the best
/// assignment, which takes from what is decoded every part that is better (PartitionCrossover).
///
/// On loopy models of random factors and on noisy-or networks decoded assignments are beyond what local moves reach
/// from anywhere: discouraging one value of a cause moves all that follows from it.
class BeliefSearch final : public Searcher {
 public:
  /// `graph` must outlive it.
  BeliefSearch(const FactorGraph& graph, const Random& random)
      : graph_(&graph), random_(random), beliefs_(graph, {.damping = 0.1}), crossover_(graph) {}

  const char* name() const override { return "belief propagation"; }
  Work run(std::uint64_t transitions, const Stop& stop) override;
  const mcmc::ScoredAssignment& best() const override { return best_; }
  void offer(const mcmc::ScoredAssignment& found) override {
    if (found.score > best_.score) best_ = found;
  }
  /// Messages have shown that no assignment is possible.
  bool is_finished() const override { return is_finished_; }

 private:
  void decode(const Stop& stop);
  void record(const mcmc::ScoredAssignment& decoded);
  void begin_episode();
  std::vector<BeliefPropagation::Favour> discourage_some(double score);

  const FactorGraph* graph_;
  Random random_;
  BeliefPropagation beliefs_;
  PartitionCrossover crossover_;
  mcmc::ScoredAssignment best_;
  std::size_t episode_ = 0;
  std::uint64_t length_ = kFirstLength, next_decoding_ = kFirstDecoding;  // iterations of the episode
  bool is_decoding_ = false;                                              // was stopped while it did
  bool is_finished_ = false;

  static constexpr std::uint64_t kFirstLength = 640, kFirstDecoding = 10;
};

}  // namespace fovea::graph
