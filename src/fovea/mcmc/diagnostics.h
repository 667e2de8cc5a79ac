// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

namespace fovea::mcmc {

/// Whether Markov chains have mixed, and what their draws are worth: the rank-normalised diagnostics of Vehtari,
/// Gelman, Simpson, Carpenter and Burkner (2021), "Rank-normalization, folding, and localization: an improved R-hat".
/// Chains are split in halves; of an odd number of draws the middle one is left out.
///
/// chains[c][t]: draw t of chain c; all chains have the same number of draws, at least 4. NaN where there are fewer or
/// a draw is not finite.
using Draws = std::span<const std::vector<double>>;

/// Between-chain and within-chain variance compared, of ranks and of folded ranks (the larger); 1 for chains that
/// agree. Above about 1.01 they have not mixed. NaN for constant draws.
double rank_normalised_r_hat(Draws chains);

/// How many independent draws estimate the centre of the distribution as well. NaN for constant draws, of which nothing
/// can be told: a chain that cannot move draws them too.
double bulk_effective_sample_size(Draws chains);
/// The same for its 5 % and 95 % quantiles; the smaller.
double tail_effective_sample_size(Draws chains);
/// The same for the mean, without ranks.
double mean_effective_sample_size(Draws chains);

/// Monte Carlo standard error of the mean: standard deviation over the root of the above.
double standard_error_of_mean(Draws chains);

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
