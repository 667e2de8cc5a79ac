// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "fovea/optimize/lbfgs_memory.h"

namespace fovea::sequence {

/// The state of a training between two iterations: with the same data and options, all that is needed to continue as if
/// it had not stopped. A Container of kind "crf-training".
struct TrainingCheckpoint {
  std::string options;        ///< JSON of those that must be the same to continue
  std::string used_gradient;  ///< "exact", "pseudo", "gibbs" or "doeblin"
  std::vector<float> x;       ///< parameters
  std::vector<float> scale;   ///< L-BFGS: the preconditioner, or empty
  optimize::LbfgsState<float> lbfgs;
  std::vector<float> squares;  ///< for passes: sums of squared gradients
  int passes = 0;              ///< number done so far
  double restart_rate = 0;     ///< doeblin: of the next pass

  /// Writes atomically. Throws InputError if it cannot write.
  void save(const std::string& path) const;
  /// Throws InputError for anything except a complete checkpoint made with `options`.
  static TrainingCheckpoint load(const std::string& path, std::string_view options, std::size_t dimension);
};

}  // namespace fovea::sequence
