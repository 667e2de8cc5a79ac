// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>

#include <cmath>

#include "fovea/base/error.h"
#include "fovea/gp/likelihood/likelihood.h"

namespace fovea::gp {

/// Returns the log likelihood of a sequence; throws InputError unless it is finite.
inline double require_finite(double log_likelihood, std::size_t sequence) {
  if (std::isfinite(log_likelihood)) return log_likelihood;
  throw InputError({}, fmt::format("the log likelihood of sequence {} is {}", sequence + 1, log_likelihood),
                   "Give a likelihood that is finite for any finite scores");
}

}  // namespace fovea::gp
