// SPDX-License-Identifier: Apache-2.0
#include "fovea/sequence/learn/gibbs_training.h"

#include <algorithm>
#include <utility>

#include "fovea/base/error.h"
#include "fovea/sequence/learn/crf_descent.h"
#include "fovea/sequence/learn/gibbs_gradient.h"

namespace fovea::sequence {

struct GibbsTraining::State {
  State(const TrainingSet& set, const CrfFeatures& features, std::span<float> x,
        const GibbsTrainingOptions& training_options, std::vector<float> squares)
      : options(training_options),
        descent(set, features, x, {.learning_rate = options.learning_rate, .delta = options.delta, .l2 = options.l2},
                std::move(squares)),
        gradient(set, features, descent.tables(), x) {}

  GibbsTrainingOptions options;
  CrfDescent descent;
  GibbsGradient gradient;
};

GibbsTraining::GibbsTraining(const TrainingSet& set, const CrfFeatures& features, std::span<float> x,
                             const GibbsTrainingOptions& options, std::vector<float> squares)
    : state_(std::make_unique<State>(set, features, x, options, std::move(squares))) {
  FOVEA_CHECK(0 <= options.burn_in && options.burn_in < options.sweeps);
}

GibbsTraining::~GibbsTraining() = default;

double GibbsTraining::pass(Random random, const std::function<bool()>& should_stop) {
  const GibbsTrainingOptions& options = state_->options;
  CrfDescent& descent = state_->descent;
  GibbsGradient& gradient = state_->gradient;
  const std::uint64_t differing = gradient.differing(), compared = gradient.compared();
  descent.pass(random, should_stop, [&](std::size_t sequence, Random& draws) {
    descent.update(gradient.estimate(sequence, options.sweeps, options.burn_in, draws));
  });
  return static_cast<double>(gradient.differing() - differing) /
         static_cast<double>(std::max<std::uint64_t>(1, gradient.compared() - compared));
}

std::span<const float> GibbsTraining::squares() { return state_->descent.squares(); }

}  // namespace fovea::sequence
