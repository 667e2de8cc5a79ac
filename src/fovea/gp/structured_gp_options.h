// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "fovea/base/words.h"
#include "fovea/gp/covariance/functions.h"
#include "fovea/gp/inducing/inducing_choice.h"
#include "fovea/gp/posterior/fit_summary.h"

namespace fovea::gp {

/// Representation of the means of the functions.
enum class GpMeans { kAuto, kInducingPoints, kAttributes };
constexpr auto words_of(GpMeans) {
  using enum GpMeans;
  return std::array{Word{kAuto, "auto"}, Word{kInducingPoints, "inducing-points"}, Word{kAttributes, "attributes"}};
}

struct StructuredGpOptions {
  Covariance kernel = Linear{};
  int inducing_points = 500;
  InducingChoice inducing = InducingChoice::kPivotedCholesky;  ///< see choose_inducing_rows
  double pairwise_variance = 1;                                ///< prior variance of each label pair's score

  /// natural-gradient: conjugate computation, for likelihoods with derivatives. score-function and saga: the paper's
  /// estimators, from the likelihood's values alone, by L-BFGS on all sequences or one sequence at a time.
  /// slice-sampling: draws by elliptical slice sampling instead of Gaussians. auto: natural-gradient if possible, else
  /// score-function.
  GpInference inference = GpInference::kAuto;
  /// Even number of draws over which expectations are averaged; 0: 16, 10,000 and 4,000 for the first three methods, 8
  /// for free means.
  int draws = 0;
  int iterations = 0;  ///< maximum; 0: 30 steps, 100 rounds of blocks, 10 rounds of single sequences, 20,000 draws
  /// natural-gradient: number of items used in a step; 0: all up to 20,000, then about 2,000; -1: always all.
  int minibatch = 0;
  double tolerance = 1e-3;       ///< natural-gradient: ends once a step gains less than this per item, nats
  int components = 1;            ///< score-function, saga: Gaussians in the posterior; slice-sampling keeps 100 draws
  bool diagonal = false;         ///< score-function, saga: covariances over inducing points are diagonal
  bool control_variates = true;  ///< score-function, saga
  /// natural-gradient, score-function: fit the kernel's parameters too, by raising the bound in turns with the
  /// posterior; inducing points stay. A higher bound does not always mean fewer errors.
  bool learn_kernel = false;
  /// natural-gradient: inducing-points; or attributes, a weight for every feature (free_means), for linear covariances.
  /// With far more items than points, attributes make far fewer errors. auto: attributes if possible.
  GpMeans means = GpMeans::kAuto;
  /// natural-gradient: give marginals the temperature at which those of training sequences, predicted from the others,
  /// are as confident as they are accurate.
  bool calibrate = true;
  int threads = 0;  ///< 0: all cores; never changes the answer
  std::uint64_t seed = 1;
};

/// Throws UsageError that names the option, its value and the values allowed.
void check_options(const StructuredGpOptions& options);

}  // namespace fovea::gp
