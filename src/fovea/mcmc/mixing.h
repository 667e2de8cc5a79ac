// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace fovea::mcmc {

/// What draws tell about the chains that they come from.
enum class Mixing {
  kCannotTell,  ///< a variable never moved, or there are too few effective draws
  kNotMixed,    ///< chains disagree
  kMixed,
};

/// The thresholds of Vehtari et al. (2021): R-hat at most 1.01, 400 effective draws. NaN counts as neither.
inline constexpr double kMixedRHat = 1.01;
inline constexpr double kFewestEffectiveDraws = 400;

/// has_moved: whether every variable took more than one value.
Mixing mixing_of(double r_hat, double effective_draws, bool has_moved);

/// "mixed", "not mixed", "cannot tell".
const char* name_of(Mixing mixing);

}  // namespace fovea::mcmc
