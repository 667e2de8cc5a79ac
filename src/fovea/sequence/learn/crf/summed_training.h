// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

#include "fovea/base/run.h"
#include "fovea/optimize/iteration.h"
#include "fovea/sequence/learn/crf/crf_trainer.h"

namespace fovea::sequence {

/// Minus the log likelihood of a CRF's training set, summed by the caller, without penalties; see CrfObjective.
struct CrfSums {
  std::function<double(std::span<const float> x, std::span<float> gradient)> evaluate;
  std::function<std::vector<float>(std::span<const float> x)> curvature;
};

/// Weights that were found, and how.
struct SummedTraining {
  std::vector<float> x;
  optimize::MinimizeSummary summary;
};

/// Minimises the sums with the penalties of `options` by L-BFGS, or OWL-QN with l1, from weights of 0, preconditioned
/// by the curvature there. Of the options, l1, l2, iterations, tolerance and epsilon count. Stopped by the run, it
/// returns the weights reached so far.
SummedTraining train_on_sums(std::size_t dimension, const CrfTrainerOptions& options, const CrfSums& sums,
                             const Run& run = {});

}  // namespace fovea::sequence
