// SPDX-License-Identifier: Apache-2.0
#include "fovea/learn/gibbs_training.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "fovea/base/error.h"
#include "fovea/learn/gibbs_gradient.h"
#include "fovea/learn/ngram_tables.h"
#include "fovea/optimize/adagrad.h"

namespace fovea {

struct GibbsTraining::State {
  State(const TrainingSet& training_set, const CrfFeatures& crf_features, std::span<float> parameters,
        const GibbsTrainingOptions& training_options)
      : set(training_set),
        features(crf_features),
        x(parameters),
        options(training_options),
        tables(features.label_count, features.factor_size, features.scored_ngrams(x)),
        gradient(set, features, tables, x),
        adagrad(x, {.learning_rate = options.learning_rate,
                    .l2 = options.l2 / static_cast<double>(std::max<std::size_t>(1, set.items.sequence_count()))}) {}

  void step(std::size_t sequence, Random& random) {
    const std::size_t first_ngram = features.labels.size();
    adagrad.next_step();
    for (const auto& [parameter, g] : gradient.estimate(sequence, options.sweeps, options.burn_in, random)) {
      const float before = x[parameter];
      adagrad.update(parameter, g);
      if (parameter >= first_ngram) tables.add(parameter - first_ngram, x[parameter] - before);
    }
  }

  /// Applies the L2 penalty that is still due.
  void flush() {
    const std::size_t first_ngram = features.labels.size();
    std::vector<float> before(x.begin() + static_cast<std::ptrdiff_t>(first_ngram), x.end());
    adagrad.flush();
    for (std::size_t i = 0; i < before.size(); ++i) tables.add(i, x[first_ngram + i] - before[i]);
  }

  const TrainingSet& set;
  const CrfFeatures& features;
  std::span<float> x;
  GibbsTrainingOptions options;
  NgramTables tables;
  GibbsGradient gradient;
  AdaGrad<float> adagrad;
};

GibbsTraining::GibbsTraining(const TrainingSet& set, const CrfFeatures& features, std::span<float> x,
                             const GibbsTrainingOptions& options, std::vector<float> squares)
    : state_(std::make_unique<State>(set, features, x, options)) {
  FOVEA_CHECK(0 <= options.burn_in && options.burn_in < options.sweeps);
  if (squares.empty()) return;
  FOVEA_CHECK(squares.size() == x.size());
  std::copy(squares.begin(), squares.end(), state_->adagrad.squares().begin());
}

GibbsTraining::~GibbsTraining() = default;

double GibbsTraining::pass(Random random, const std::function<bool()>& should_stop) {
  const std::uint64_t differing = state_->gradient.differing(), compared = state_->gradient.compared();
  std::vector<std::uint32_t> order(state_->set.items.sequence_count());
  std::iota(order.begin(), order.end(), 0u);
  for (std::size_t i = order.size(); i > 1; --i)
    std::swap(order[i - 1], order[random.uniform_index(static_cast<std::uint32_t>(i))]);
  for (const std::uint32_t sequence : order) {
    Random draws = random.child("sequence", sequence);
    state_->step(sequence, draws);
    if (should_stop && should_stop()) break;
  }
  state_->flush();
  return static_cast<double>(state_->gradient.differing() - differing) /
         static_cast<double>(std::max<std::uint64_t>(1, state_->gradient.compared() - compared));
}

std::span<const float> GibbsTraining::squares() { return state_->adagrad.squares(); }

}  // namespace fovea
