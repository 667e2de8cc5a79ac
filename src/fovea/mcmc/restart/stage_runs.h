// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "fovea/mcmc/restart/stage_graph.h"

namespace fovea::mcmc {

/// Draws the stages of a staged chain one run at a time, for chains whose steps cost less than the draw of a stage. The
/// number of times that a stage repeats itself is geometric, so it is drawn at once.
class StageRuns {
 public:
  explicit StageRuns(const StageGraph& graph) {
    for (std::size_t i = 0; i < graph.size(); ++i) {
      leave_.emplace_back(graph.from(i).begin(), graph.from(i).end());
      stay_.push_back(leave_[i][i]);
      leave_[i][i] = 0;
    }
  }

  /// `steps` >= 1 transitions of A_stage.
  struct Run {
    std::size_t stage = 0;
    std::uint64_t steps = 0;
  };

  /// The first run is of stage 0; each later one is of a stage to which C leads from the last.
  template <class R>
  Run next(R& random) {
    stage_ = has_begun_ ? random.categorical(std::span<const double>(leave_[stage_])) : 0;
    has_begun_ = true;
    return {.stage = stage_, .steps = 1 + repetitions(random)};
  }

 private:
  static constexpr double kMost = 0x1p62;

  /// P(repetitions >= t) = stay^t.
  template <class R>
  std::uint64_t repetitions(R& random) const {
    const double stay = stay_[stage_];
    if (stay <= 0) return 0;
    const double drawn = random.exponential() / -std::log(stay);
    return drawn < kMost ? static_cast<std::uint64_t>(drawn) : static_cast<std::uint64_t>(kMost);
  }

  std::vector<std::vector<double>> leave_;  // [from][to], unnormalised, 0 where from = to
  std::vector<double> stay_;
  std::size_t stage_ = 0;
  bool has_begun_ = false;
};

}  // namespace fovea::mcmc
