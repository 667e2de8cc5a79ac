// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>

#include "fovea/base/random.h"
#include "fovea/base/run_control.h"
#include "fovea/base/words.h"
#include "fovea/gp/covariance/covariance.h"

namespace fovea::gp {

/// Rule for choosing the items that represent the functions.
enum class InducingChoice { kPivotedCholesky, kKMeans, kRandom };
constexpr auto words_of(InducingChoice) {
  using enum InducingChoice;
  return std::array{Word{kPivotedCholesky, "pivoted-cholesky"}, Word{kKMeans, "k-means"}, Word{kRandom, "random"}};
}

/// Chooses at most `most` of these rows as inducing points, in the order of choice:
///   pivoted-cholesky  repeatedly the row of the largest variance given those chosen; ends when all rows have at most
///                     1e-8 of the largest variance left, so that no row is chosen twice
///   k-means           the row nearest to each centre of k-means++ seeds and Lloyd's iterations, by the covariance's
///                     own distance k(x, x) - 2 k(x, y) + k(y, y), on at most kMostCandidates rows
///   random            distinct rows at random
/// From more than kMostCandidates rows it takes a random sample of that size first. O(candidates * most^2). Throws
/// CancelledError if `stop` is cancelled meanwhile; after its deadline it ends with the rows chosen so far, at least
/// one. Uses up to `threads` threads (0: all cores), with the same result.
std::vector<std::uint32_t> choose_inducing_rows(InducingChoice choice, const Covariance& covariance,
                                                const SparseRows& rows, std::size_t most, Random random,
                                                const Stop& stop = {}, int threads = 1);

/// Throws CancelledError if there is a token and it is cancelled: preparations have nothing to show before they end.
void throw_if_cancelled(const CancelToken* cancel);

inline constexpr std::size_t kMostCandidates = 20'000;

/// The rows with these numbers, in this order.
SparseRows rows_at(const SparseRows& rows, std::span<const std::uint32_t> which);

}  // namespace fovea::gp
