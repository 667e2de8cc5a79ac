// SPDX-License-Identifier: Apache-2.0
#include "fovea/linkage/weights/match_weights.h"

#include "fovea/base/error.h"

namespace fovea::linkage {
double MatchWeights::score(std::span<const Level> levels) const {
  FOVEA_CHECK(levels.size() == weights.size());
  double sum = prior_log_odds;
  for (std::size_t c = 0; c < levels.size(); ++c) {
    FOVEA_CHECK(levels[c] < weights[c].size());
    sum += weights[c][levels[c]];
  }
  return sum;
}

}  // namespace fovea::linkage
