// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>

#include "fovea/base/options.h"

namespace fovea::linkage {

/// Cooling of a chain on its way to the best clustering: the temperature T divides the log score and falls
/// geometrically.
struct CoolingOptions {
  double start_temperature = 1;
  double end_temperature = 0.1;

  template <class V>
  static void describe(V&& visit) {
    visit(&CoolingOptions::start_temperature,
          OptionInfo{.name = "start-temperature",
                     .description = "Temperature at the start; it divides the log score.",
                     .min = 1e-6});
    visit(&CoolingOptions::end_temperature,
          OptionInfo{.name = "end-temperature",
                     .description = "Temperature at the end, to which it falls geometrically.",
                     .min = 1e-6});
  }

  /// Temperature when a share `progress` in [0, 1] of all steps is done.
  double temperature(double progress) const {
    return start_temperature * std::pow(end_temperature / start_temperature, progress);
  }
};

}  // namespace fovea::linkage
