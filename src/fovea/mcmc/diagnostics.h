// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <vector>

#include "fovea/base/run.h"
#include "fovea/base/words.h"

namespace fovea::mcmc {

/// Draws of Markov chains. The functions below tell whether the chains have mixed and how much their draws are worth,
/// by the rank-normalised diagnostics of Vehtari, Gelman, Simpson, Carpenter and Burkner (2021), "Rank-normalization,
/// folding, and localization: an improved R-hat". Chains are split in halves; if the number of draws is odd, the middle
/// one is left out.
///
/// chains[c][t]: draw t of chain c; all chains have the same number of draws, at least 4. Results are NaN if there are
/// fewer or if a draw is not finite.
using Draws = std::span<const std::vector<double>>;

/// Compares the variance between chains with that within them, for ranks and for folded ranks, and returns the larger
/// result: 1 for chains that agree. Above about 1.01 they have not mixed. NaN for constant draws.
double rank_normalised_r_hat(Draws chains);

/// Number of independent draws that estimate the centre of the distribution equally well. NaN for constant draws, which
/// tell nothing: a chain that cannot move makes them, too.
double bulk_effective_sample_size(Draws chains);
/// The same for the 5 % and the 95 % quantile, whichever is smaller.
double tail_effective_sample_size(Draws chains);
/// The same for the mean, without ranks.
double mean_effective_sample_size(Draws chains);

/// Monte Carlo standard error of the mean: standard deviation over the root of mean_effective_sample_size().
double standard_error_of_mean(Draws chains);

/// Verdict of the draws on the chains that they come from.
enum class Mixing {
  kCannotTell,  ///< a variable never moved, or there are too few effective draws
  kNotMixed,    ///< chains disagree
  kMixed,
};
constexpr auto words_of(Mixing) {
  using enum Mixing;
  return std::array{Word{kCannotTell, "cannot tell"}, Word{kNotMixed, "not mixed"}, Word{kMixed, "mixed"}};
}

/// The thresholds of Vehtari et al. (2021): R-hat at most 1.01, at least 400 effective draws. NaN meets neither.
inline constexpr double kMixedRHat = 1.01;
inline constexpr double kFewestEffectiveDraws = 400;

/// The verdict by these thresholds. `has_moved`: true if every variable took more than one value.
Mixing mixing_of(double r_hat, double effective_draws, bool has_moved);

/// Results of the functions above for the draws of one quantity, and the verdict on its chains.
struct Diagnosis {
  double r_hat = 0, bulk_effective_samples = 0, tail_effective_samples = 0;
  double standard_error = 0;  ///< of the mean
  Mixing mixing = Mixing::kCannotTell;
};
Diagnosis diagnose(Draws chains);

/// The same for many quantities: `draws`, [quantity][chain][draw] laid end to end, is a table of `quantities` *
/// `chains` * `length` numbers. Throws CancelledError if it is stopped before its end.
std::vector<Diagnosis> diagnose(std::span<const double> draws, std::size_t quantities, std::size_t chains,
                                std::size_t length, const Run& run);

/// The verdict on several quantities together: not mixed if the chains of any disagree; else unknown if that of any is
/// unknown, or if there are no quantities.
Mixing mixing_of(std::span<const Diagnosis> quantities);

}  // namespace fovea::mcmc
