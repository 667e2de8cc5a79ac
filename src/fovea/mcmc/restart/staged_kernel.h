// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <utility>
#include <vector>

#include "fovea/base/error.h"
#include "fovea/mcmc/restart/stage_graph.h"
#include "fovea/mcmc/target_law.h"

namespace fovea::mcmc {

/// A staged strong Doeblin chain (Steinhardt and Liang 2015, section 3.1): a stage z ~ C(z | the last stage), then a
/// step of the chain A_z of that stage; A_0 draws afresh from u. How fast it mixes at least depends on C alone
/// (mixing_bound.h).
template <class State, class Random>
class StagedKernel {
 public:
  using TargetLaw = OwnStationaryLaw;
  using Transition = std::function<void(State&, Random&)>;

  /// transitions[z] is a step of A_z; that of stage 0 overwrites the state.
  StagedKernel(StageGraph graph, std::vector<Transition> transitions)
      : graph_(std::move(graph)), reversed_(graph_.reversed()), transitions_(std::move(transitions)) {
    FOVEA_CHECK(transitions_.size() == graph_.size());
  }

  const StageGraph& graph() const { return graph_; }

  /// One step of the chain over (state, stage); a new chain begins in stage 0 with any state, after a step of A_0.
  void step(State& state, std::size_t& stage, Random& random) const {
    stage = random.categorical(graph_.from(stage));
    transitions_[stage](state, random);
  }

  struct Drawn {
    std::size_t stage;
    std::uint64_t steps;  ///< since the restart
  };

  /// An exact draw of (state, stage) from the stationary law, whatever the state was. The stages since the last restart
  /// are drawn backwards from the stationary law of C, then run through from u on.
  Drawn draw(State& state, Random& random) const {
    std::vector<std::size_t> stages = {random.categorical(std::span<const double>(graph_.stationary()))};
    while (stages.back() != 0) stages.push_back(random.categorical(std::span<const double>(reversed_[stages.back()])));
    for (std::size_t i = stages.size(); i-- > 0;) transitions_[stages[i]](state, random);
    return {.stage = stages.front(), .steps = stages.size() - 1};
  }

 private:
  StageGraph graph_;
  std::vector<std::vector<double>> reversed_;
  std::vector<Transition> transitions_;
};

}  // namespace fovea::mcmc
