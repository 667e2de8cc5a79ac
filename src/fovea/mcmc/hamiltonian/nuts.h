// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "fovea/base/options.h"
#include "fovea/base/random.h"
#include "fovea/base/run_control.h"

namespace fovea::mcmc {

struct NutsOptions {
  int warm_up = 1000, draws = 1000;
  double target_acceptance = .8;
  int deepest_tree = 10;

  static void describe(auto&& visit) {
    using O = NutsOptions;
    visit(&O::warm_up, number_in(20, 1e9, "warm-up", "Draws of a chain that only tune its steps, and are left out."));
    visit(&O::draws, number_in(4, 1e9, "draws", "Draws of a chain that are kept."));
    visit(&O::target_acceptance,
          number_in(.5, .999, "target-acceptance",
                    "Mean probability of accepting a step, for which the length of steps is tuned. Raise it if "
                    "trajectories diverge."));
    visit(&O::deepest_tree, number_in(1, 20, "deepest-tree", "A trajectory has at most 2 to this power steps."));
  }
};

/// log of a density of real parameters, known up to a constant, with its gradient, [parameter]. -infinity or NaN where
/// the density is 0.
using LogDensity = std::function<double(std::span<const double> parameters, std::span<double> gradient)>;

/// Draws of a chain, and what they cost.
struct NutsChain {
  std::size_t parameters = 0;
  std::vector<double> draws = {};      ///< [draw][parameter]
  std::vector<double> densities = {};  ///< [draw] log density
  double step = 0;                     ///< length of a step after the warm-up
  std::vector<double> variances = {};  ///< [parameter] to which steps are scaled
  std::uint64_t evaluations = 0;       ///< of the density
  std::uint64_t divergences = 0;       ///< trajectories that left the region where steps are exact, after the warm-up
  std::uint64_t at_deepest = 0;        ///< trajectories that ended at the deepest tree, after the warm-up
  bool is_whole = true;                ///< false if it was stopped

  std::size_t size() const { return densities.size(); }
  std::span<const double> draw(std::size_t i) const { return {draws.data() + i * parameters, parameters}; }
};

/// Circumstances of a chain.
struct NutsRun {
  Stop stop = {};
  std::span<const double> scales = {};          ///< first guess of the variances, [parameter]; empty: 1
  std::function<void()> after_transition = {};  ///< called after each one, of the warm-up, too
};

/// Runs a chain of the no-U-turn sampler (Hoffman and Gelman 2014), with draws from a trajectory in proportion to their
/// density (Betancourt 2017, "A conceptual introduction to Hamiltonian Monte Carlo", appendix A). In the warm-up the
/// length of steps is tuned by dual averaging, and steps are scaled by each parameter's variance, estimated in windows
/// of doubling length. `start`: parameters where the density is above 0, else UsageError. Ends early, with the draws so
/// far, if `run.stop` requests it.
NutsChain run_nuts(const LogDensity& density, std::span<const double> start, const NutsOptions& options, Random random,
                   const NutsRun& run = {});

}  // namespace fovea::mcmc
