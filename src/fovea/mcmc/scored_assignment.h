// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <limits>

#include "fovea/base/assignment.h"

namespace fovea::mcmc {

/// An assignment with its log score; starts as "none found".
struct ScoredAssignment {
  Assignment values = {};
  double score = -std::numeric_limits<double>::infinity();

  bool found() const { return !values.empty() || score > -std::numeric_limits<double>::infinity(); }
};

}  // namespace fovea::mcmc
