// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <vector>

#include "fovea/linkage/matching/match_model.h"

namespace fovea::linkage {

/// Scores pairs only as far as it takes to know that a score is not above a floor: most candidate pairs differ in a few
/// comparisons that decide. Those that say much for their cost come first. Each thread needs its own.
class BoundedScore {
 public:
  /// The model must outlive it.
  BoundedScore(const MatchModel& model, double floor);

  /// The pair's score if it is above the floor.
  std::optional<float> score(RowPair pair);

 private:
  using ClassSums = std::array<double, MatchMixture::kMostClasses>;
  struct Step {
    std::size_t comparison;
    std::vector<ClassSums> weights;  // [level]
    ClassSums most_after;            // what the steps after it can add
  };

  const MatchModel& model_;
  double floor_;
  std::size_t classes_;
  ClassSums start_{};
  std::vector<Step> steps_;
  std::vector<Level> levels_;  // [comparison] of the pair at hand
};

}  // namespace fovea::linkage
