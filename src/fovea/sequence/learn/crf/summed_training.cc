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

  PenalisedSum(const CrfSums& sums, std::size_t dimension, double l2, int threads)
      : sums_(sums), dimension_(dimension), l2_(l2), threads_(threads) {}

  std::size_t dimension() const { return dimension_; }
  double evaluate(std::span<const float> x, std::span<float> gradient) const {
    const double loss = sums_.evaluate(x, gradient);
    return loss + add_l2_penalty(x, l2_, threads_, gradient);
  }

 private:
  const CrfSums& sums_;
  std::size_t dimension_;
  double l2_;
  int threads_;
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
  PenalisedSum objective(sums, dimension, options.l2, run.threads);
  found.summary = optimize::minimize_lbfgs(objective, std::span(found.x),
                                           {.stopping = options.stopping(), .l1 = options.l1, .threads = run.threads},
                                           std::span<const float>(scale), observer);
  return found;
}

}  // namespace fovea::sequence
