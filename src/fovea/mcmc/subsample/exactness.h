// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "fovea/base/options.h"

namespace fovea::mcmc {

/// Limit on how far the decision on a proposal may be from the decision by all of its factors.
struct Exactness {
  enum class Kind { kExact, kBounded, kEstimate };

  Kind kind = Kind::kExact;
  double error = 0;      ///< kBounded: a decision differs with at most this probability (SequentialRuleOptions)
  double threshold = 0;  ///< kEstimate: the variance of the factors' mean is below it (ConfidenceInterval)

  /// Reads "exact", "bounded:ERROR" with ERROR in (0, 1), "estimate" or "estimate:THRESHOLD" with THRESHOLD > 0, which
  /// is 1 if not given. Throws UsageError.
  static Exactness parse(std::string_view text);
};

struct ExactnessOptions {
  std::string exactness = "exact";

  static void describe(auto&& visit) {
    visit(&ExactnessOptions::exactness,
          option("exactness",
                 "Exactness of decisions: with exact, each is that of all factors; with bounded:ERROR, it differs with "
                 "at most this probability; with estimate[:VARIANCE], factors are drawn until the variance of their "
                 "mean is below this, 1 by default. All three decide in the cheapest way that they allow.",
                 "HOW"));
  }
};

}  // namespace fovea::mcmc
