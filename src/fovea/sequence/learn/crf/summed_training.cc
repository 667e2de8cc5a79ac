// SPDX-License-Identifier: Apache-2.0
#include "fovea/sequence/learn/crf/summed_training.h"

#include "fovea/optimize/lbfgs.h"
#include "fovea/sequence/learn/crf_objective.h"

namespace fovea::sequence {
namespace {

/// Sums with the L2 penalty, as an Objective.
class PenalisedSum {
 public:
  using Real = float;

  PenalisedSum(const CrfSums& sums, std::size_t dimension, double l2) : sums_(sums), dimension_(dimension), l2_(l2) {}

  std::size_t dimension() const { return dimension_; }
  double evaluate(std::span<const float> x, std::span<float> gradient) const {
    double loss = sums_.evaluate(x, gradient), squares = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
      squares += double{x[i]} * x[i];
      gradient[i] += static_cast<float>(2 * l2_) * x[i];
    }
    return loss + l2_ * squares;
  }

 private:
  const CrfSums& sums_;
  std::size_t dimension_;
  double l2_;
};

}  // namespace

SummedTraining train_on_sums(std::size_t dimension, const CrfTrainerOptions& options, const CrfSums& sums,
                             const Run& run) {
  SummedTraining found{.x = std::vector<float>(dimension), .summary = {}};
  const std::vector<float> scale = inverse_curvature(sums.curvature(found.x), options.l2);
  const auto observer = [&](const optimize::IterationRecord& record) {
    if (run.progress)
      run.progress({.phase = "training",
                    .done = static_cast<double>(record.iteration),
                    .seconds = record.seconds,
                    .figure = "objective",
                    .value = record.objective});
    return !run.stop.requested();
  };
  const optimize::StoppingOptions stopping{.max_iterations = options.iterations > 0 ? options.iterations : 1000,
                                           .gradient_tolerance = options.epsilon,
                                           .decrease_tolerance = options.tolerance};
  PenalisedSum objective(sums, dimension, options.l2);
  found.summary = optimize::minimize_lbfgs(objective, std::span(found.x),
                                           {.stopping = stopping, .l1 = options.l1, .threads = run.threads},
                                           std::span<const float>(scale), observer);
  return found;
}

}  // namespace fovea::sequence
