// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "fovea/base/words.h"

namespace fovea::gp {

/// Method that finds the posterior.
enum class GpInference { kAuto, kNaturalGradient, kScoreFunction, kSaga, kSliceSampling };
constexpr auto words_of(GpInference) {
  using enum GpInference;
  return std::array{Word{kAuto, "auto"}, Word{kNaturalGradient, "natural-gradient"},
                    Word{kScoreFunction, "score-function"}, Word{kSaga, "saga"},
                    Word{kSliceSampling, "slice-sampling"}};
}

/// The evidence lower bound L = expected log likelihood - KL (equations 15 to 20), estimated from draws; nats.
struct Bound {
  double expected_log_likelihood = 0;
  double unary_divergence = 0;     ///< KL(q(u) || p(u)), summed over labels
  double pairwise_divergence = 0;  ///< KL(q(pairwise) || p(pairwise))
  double total() const { return expected_log_likelihood - unary_divergence - pairwise_divergence; }
};

/// Quality of marginals.
struct MarginalScore {
  double log_density = 0;  ///< mean over items of log p(label), nats
  double error = 0;        ///< share of items whose likeliest label is wrong
};

/// Result and course of a fit.
struct FitSummary {
  GpInference inference = GpInference::kAuto;  ///< as used: never kAuto after a fit
  Bound bound;                                 ///< slice-sampling: only the log density of the labels, at the last draw
  int iterations = 0;                          ///< as StructuredGpOptions::iterations counts them
  double last_step = 0;                        ///< of the natural gradient, in (0, 1]
  bool converged = false;                      ///< false if out of iterations, out of time or cancelled
  std::size_t inducing_points = 0;
  std::string kernel;      ///< as it was given or learned
  double temperature = 1;  ///< of marginals; see StructuredGpOptions::calibrate. 1 if a stop left it unknown
  /// Only with calibrate, and unless a stop left the fits without some sequences unfinished: score at that temperature
  /// of training sequences predicted from the others (see leave_one_out_marginals). Covers all sequences, or a part for
  /// tens of thousands of items with means by attributes.
  std::optional<MarginalScore> left_out;
  /// [item] the probability of its label in those predictions; NaN where none was made. Empty without left_out.
  std::vector<double> left_out_probabilities;
  double jitter = 0;  ///< see InducingPoints::jitter
  double seconds = 0;
};

}  // namespace fovea::gp
