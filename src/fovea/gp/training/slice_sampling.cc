// SPDX-License-Identifier: Apache-2.0
#include "fovea/gp/training/slice_sampling.h"

#include "fovea/gp/training/slice_sampler.h"

namespace fovea::gp {
namespace {

constexpr int kIterationsAReport = 50;

/// Draws of a chain, evenly spaced however many there will be: when there are twice as many as wanted every second one
/// goes, and from then on only every second one comes.
class ThinnedDraws {
 public:
  explicit ThinnedDraws(std::size_t wanted) : wanted_(wanted) {}

  void offer(int iteration, const LatentState& state) {
    if ((iteration + 1) % spacing_ != 0) return;
    draws_.push_back({.inducing = state.inducing, .unary = {}, .pairwise = state.pairwise});
    if (draws_.size() < 2 * wanted_) return;
    for (std::size_t d = 0; d < wanted_; ++d) draws_[d] = std::move(draws_[2 * d + 1]);
    draws_.resize(wanted_);
    spacing_ *= 2;
  }

  /// Without the first fifth, of warm-up. At least one draw was offered.
  MixturePosterior posterior(const InferenceProblem& problem) const {
    MixturePosterior result;
    const std::size_t first = draws_.size() / 5;
    for (std::size_t d = first; d < draws_.size(); ++d) {
      PairwisePosterior pairwise(problem.labels(), problem.pairwise_variance);
      pairwise.means = draws_[d].pairwise;
      pairwise.deviations.assign(pairwise.means.size(), 0);
      result.push_back({.weight = 1 / static_cast<double>(draws_.size() - first),
                        .unary = UnaryPosterior(draws_[d].inducing),
                        .pairwise = std::move(pairwise)});
    }
    return result;
  }

 private:
  std::size_t wanted_;
  int spacing_ = 1;
  std::vector<LatentState> draws_;
};

}  // namespace

FittedPosterior sample_by_slices(const InferenceProblem& problem, const SliceSamplingOptions& options,
                                 const Random& random, InferenceWatch& watch) {
  EllipticalSliceSampler sampler =
      options.start
          ? EllipticalSliceSampler(problem, random, LatentPrior(problem).draw(*options.start, random.child("start")))
          : EllipticalSliceSampler(problem, random);
  ThinnedDraws draws(options.kept);
  draws.offer(0, sampler.state());
  FitSummary summary;
  while (summary.iterations < options.iterations && !watch.stop_requested()) {
    sampler.advance();
    draws.offer(++summary.iterations, sampler.state());
    if (summary.iterations % kIterationsAReport == 0)
      watch.report({.phase = "sampling",
                    .iteration = summary.iterations,
                    .of = options.iterations,
                    .bound = sampler.log_density()},
                   [&] { return draws.posterior(problem); });
  }
  summary.converged = summary.iterations == options.iterations;
  summary.bound.expected_log_likelihood = sampler.log_density();
  return {.posterior = draws.posterior(problem), .summary = summary};
}

}  // namespace fovea::gp
