// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "fovea/base/options.h"

namespace fovea::mcmc {

/// Limit on how far the decision on a proposal may be from the decision by all of its factors.
struct Exactness {
  enum class Kind { kExact, kFraction, kWidth, kBounded, kEstimate };

  Kind kind = Kind::kExact;
  double error = 0;      ///< kBounded: a decision differs with at most this probability (SequentialRuleOptions)
  double threshold = 0;  ///< kWidth, kEstimate: the 95 % interval or variance of the factors' mean is below it
  double fraction = 0;   ///< kFraction: this share of the factors is drawn (UniformFraction)

  /// Reads "exact", "fraction:SHARE" with SHARE in (0, 1], "width:WIDTH" with WIDTH > 0, "bounded:ERROR" with ERROR in
  /// (0, 1), "estimate" or "estimate:VARIANCE" with VARIANCE > 0, which is 1 if not given. Throws UsageError.
  static Exactness parse(std::string_view text);
};

struct ExactnessOptions {
  std::string exactness = "exact";

  static void describe(auto&& visit) {
    visit(&ExactnessOptions::exactness,
          option("exactness",
                 "Exactness of decisions: with exact, each is that of all factors; with bounded:ERROR, it differs with "
                 "at most this probability; with estimate[:VARIANCE], factors are drawn until the variance of their "
                 "mean is below this, 1 by default; with width:WIDTH, until the 95 % confidence interval of their mean "
                 "is narrower than this; with fraction:SHARE, this share of them is drawn. All decide in the cheapest "
                 "way that they allow.",
                 "HOW"));
  }
};

}  // namespace fovea::mcmc
