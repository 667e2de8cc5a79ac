// SPDX-License-Identifier: Apache-2.0
/// Internal to this module: exposes Eigen.
#pragma once

#include <string_view>

#include "fovea/base/container.h"
#include "fovea/gp/inducing/inducing_points.h"
#include "fovea/gp/posterior/posteriors.h"

namespace fovea::gp {

/// Result of a fit: everything that predictions need, except the likelihood.
struct FittedGp {
  InducingPoints points;
  MixturePosterior posterior;
  double temperature = 1;  ///< of marginals

  /// Adds sections whose names begin with `prefix`. Throws UsageError for a covariance function without a text.
  void save(ContainerWriter& writer, std::string_view prefix) const;
  /// Throws InputError if sections do not fit each other or hold numbers that are not finite.
  static FittedGp load(const Container& container, std::string_view prefix);
};

}  // namespace fovea::gp
