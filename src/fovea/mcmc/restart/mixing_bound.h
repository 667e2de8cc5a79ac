// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "fovea/mcmc/restart/stage_graph.h"

namespace fovea::mcmc {

/// Bound on how fast a staged strong Doeblin chain M mixes, whatever its chains A_z are (Steinhardt and Liang 2015,
/// theorem 3.6). Let tau_a be the first time s >= a in stage 0, and gamma the sum over s = a .. b of the least
/// probability, over the initial stages, that tau_a = s. Then M^b has strong Doeblin parameter gamma.
struct MixingBound {
  std::uint64_t a = 1, b = 1;
  double gamma = 0;

  /// The paper's lower bound on the spectral gap of M.
  double gap() const { return gamma / static_cast<double>(b); }
  /// The bound that follows from |lambda_2(M)|^b <= 1 - gamma; never smaller.
  double tight_gap() const;
};

/// The bound for one choice of 1 <= a <= b. O(b k^3) for k stages.
MixingBound mixing_bound(const StageGraph& graph, std::uint64_t a, std::uint64_t b);

/// The bound with the largest tight_gap() over all b up to `horizon` and a on a grid of ratio 1.2; the gap is 0 if the
/// horizon is too near. O(h log h k^3) for a horizon h: seconds for a million.
MixingBound best_mixing_bound(const StageGraph& graph, std::uint64_t horizon);

/// The same, with a horizon of a few mean times between restarts.
MixingBound best_mixing_bound(const StageGraph& graph);

}  // namespace fovea::mcmc
