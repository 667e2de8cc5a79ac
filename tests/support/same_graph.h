// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "fovea/base/log_math.h"
#include "fovea/graph/model/factor_graph.h"

namespace fovea::testing {

/// Whether two log scores are both -inf, or differ by at most `tolerance` in units of max(1, |score|).
inline bool same_score(double a, double b, double tolerance) {
  if (a == kImpossible || b == kImpossible) return a == b;
  return std::abs(a - b) <= tolerance * std::max(1.0, std::abs(a));
}

/// Expects the same variables, scopes and tables, factor by factor.
inline void expect_same_graph(const graph::FactorGraph& actual, const graph::FactorGraph& expected,
                              double tolerance = 0) {
  ASSERT_TRUE(std::ranges::equal(actual.cardinalities(), expected.cardinalities()));
  ASSERT_EQ(actual.factor_count(), expected.factor_count());
  for (graph::FactorId f = 0; f < expected.factor_count(); ++f) {
    ASSERT_TRUE(std::ranges::equal(actual.scope(f), expected.scope(f))) << "scope of factor " << f;
    for (std::size_t i = 0; i < expected.table(f).size(); ++i)
      ASSERT_TRUE(same_score(actual.table(f)[i], expected.table(f)[i], tolerance))
          << "factor " << f << " entry " << i << ": " << actual.table(f)[i] << ", not " << expected.table(f)[i];
  }
}

}  // namespace fovea::testing
