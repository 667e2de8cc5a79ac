// SPDX-License-Identifier: Apache-2.0
#include "fovea/gestures/alignment_training.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <numeric>

#include "fovea/base/log_math.h"
#include "fovea/base/random.h"
#include "fovea/base/string_distance.h"
#include "fovea/sequence/learn/doeblin/doeblin_runs.h"

namespace fovea::gestures {
namespace {

bool has_restarts(AlignmentMethod method) {
  return method == AlignmentMethod::kDoeblin || method == AlignmentMethod::kDoeblinEditDistance;
}

/// Draws a whole chain: states z_0 ... z_T.
std::vector<Alignment> draw_path(const AlignmentChain& chain, AlignmentMethod method, int transitions, Random& random) {
  std::uint64_t steps = static_cast<std::uint64_t>(transitions);
  if (has_restarts(method)) steps = sequence::RunLength::geometric(1. / transitions).draw(random);
  std::vector<Alignment> path = {method == AlignmentMethod::kBasicGibbs ? chain.every_key_starts()
                                                                        : chain.draw_start(random)};
  for (std::uint64_t t = 0; t < steps; ++t) path.push_back(chain.draw_step(path.back(), random));
  return path;
}

std::size_t burn_in(const std::vector<Alignment>& path) { return path.size() / 2; }

/// The paper's weight of a sample, in place of its probability of becoming the word: 1, or exp(-(D + 1)).
double edit_distance_weight(const std::vector<Key>& sample, const std::vector<Key>& word) {
  if (sample == word) return 1;
  return std::exp(-(static_cast<double>(damerau(letters_of(sample), letters_of(word))) + 1));
}

double characters_right(const std::vector<Key>& spelled, const std::vector<Key>& word) {
  return 1 - static_cast<double>(damerau(letters_of(spelled), letters_of(word))) /
                 static_cast<double>(std::max(spelled.size(), word.size()));
}

void add_scaled(std::span<const double> from, double scale, std::span<double> to) {
  for (std::size_t i = 0; i < from.size(); ++i) to[i] += scale * from[i];
}

/// Weighted mean of the features minus their plain mean, over the second halves of the chains.
std::vector<double> gibbs_gradient(const AlignmentChain& chain, const std::vector<Key>& word, AlignmentMethod method,
                                   const AlignmentTrainingOptions& options, Random& random) {
  std::vector<double> weighted(chain.weight_count()), plain(chain.weight_count());
  double mass = 0, count = 0;
  for (int n = 0; n < options.chains; ++n)
    for (const Alignment& z : kept_samples(chain, method, options.transitions(), random)) {
      const double weight = edit_distance_weight(chain.lattice().word(z), word);
      chain.add_features(z, weight, weighted);
      chain.add_features(z, 1, plain);
      mass += weight;
      ++count;
    }
  for (double& value : weighted) value /= mass;
  add_scaled(plain, -1 / count, weighted);
  return weighted;
}

/// The gradient of log p over whole paths, with the paper's weights in place of those of algorithm 1.
std::vector<double> edit_distance_gradient(const AlignmentChain& chain, const std::vector<Key>& word,
                                           const AlignmentTrainingOptions& options, Random& random) {
  std::vector<double> sum(chain.weight_count());
  double mass = 0;
  for (int n = 0; n < options.chains; ++n) {
    const std::vector<Alignment> path = draw_path(chain, options.method, options.transitions(), random);
    double rest = 0;  // sum of the weights of the samples from here on
    for (std::size_t t = path.size(); t-- > 0;) {
      if (t >= burn_in(path)) rest += edit_distance_weight(chain.lattice().word(path[t]), word);
      if (t > 0) chain.add_step_gradient(path[t], path[t - 1], rest, sum);
    }
    chain.add_start_gradient(path[0], rest, sum);
    mass += rest;
  }
  for (double& value : sum) value /= mass;
  return sum;
}

}  // namespace

std::vector<Alignment> kept_samples(const AlignmentChain& chain, AlignmentMethod method, int transitions,
                                    Random& random) {
  std::vector<Alignment> path = draw_path(chain, method, transitions, random);
  path.erase(path.begin(), path.begin() + static_cast<std::ptrdiff_t>(burn_in(path)));
  return path;
}

AlignmentTrainer::AlignmentTrainer(const std::vector<Gesture>& gestures, const WordTrie& words,
                                   const AlignmentTrainingOptions& options, const Run& run)
    : gestures_(gestures),
      words_(words),
      options_(options),
      run_(run),
      start_optimizer_(parameters_.weights, {.learning_rate = options.learning_rate}),
      chain_optimizer_(parameters_.weights, {.learning_rate = options.learning_rate}),
      sums_(parameters_.weights.size()) {
  validate(options);
  parameters_.epsilon = options.epsilon;
}

template <class Visit>
void AlignmentTrainer::for_gestures(std::string_view order_name, AlignmentPass& pass, Visit&& visit) {
  constexpr std::size_t kGesturesPerReport = 64;
  const auto started = std::chrono::steady_clock::now();
  std::vector<std::size_t> order(gestures_.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  Random random = run_.random.child(order_name, static_cast<std::uint64_t>(pass.number));
  shuffle(std::span(order), random);
  for (const std::size_t n : order) {
    if (run_.stop.requested()) break;
    ++pass.gestures;
    const std::string letters = typed_letters(gestures_[n].word);
    if (letters.empty() || !visit(gestures_[n], keys_of(letters, {}))) ++pass.unreadable;
    if (!run_.progress || pass.gestures % kGesturesPerReport != 0) continue;
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - started;
    run_.progress({.phase = pass.start_only ? "training u" : "training both chains",
                   .done = static_cast<double>(pass.gestures),
                   .total = static_cast<double>(order.size()),
                   .seconds = seconds.count(),
                   .figure = "log-likelihood",
                   .value = pass.log_likelihood /
                            static_cast<double>(std::max<std::size_t>(1, pass.gestures - pass.unreadable))});
  }
}

void AlignmentTrainer::climb(optimize::AdaGrad<float>& optimizer, const AlignmentLattice& lattice,
                             std::span<const double> gradient) {
  std::vector<std::size_t> touched;
  lattice.visit_weights(gradient, [&](std::size_t weight, std::size_t slot) {
    if (sums_[weight] == 0) touched.push_back(weight);
    sums_[weight] += gradient[slot];
  });
  optimizer.next_step();
  for (const std::size_t weight : touched)
    if (const double sum = std::exchange(sums_[weight], 0); sum != 0)
      optimizer.update(weight, -static_cast<float>(sum));  // AdaGrad descends
}

AlignmentPass AlignmentTrainer::start_pass() {
  AlignmentPass pass{.start_only = true, .number = ++start_passes_};
  for_gestures("start order", pass, [&](const Gesture& gesture, const std::vector<Key>& word) {
    const AlignmentLattice lattice(gesture.keys, parameters_);
    const AlignmentSums all(lattice), of_word(lattice, word);
    if (of_word.log_sum() == kImpossible) return false;
    pass.log_likelihood += of_word.log_sum() - all.log_sum();
    std::vector<double> gradient = of_word.expected_slots();
    add_scaled(all.expected_slots(), -1, gradient);
    climb(start_optimizer_, lattice, gradient);
    return true;
  });
  pass.log_likelihood /= static_cast<double>(std::max<std::size_t>(1, pass.gestures - pass.unreadable));
  return pass;
}

std::vector<double> AlignmentTrainer::gradient_of(const AlignmentChain& chain, const std::vector<Key>& word,
                                                  Random& random, AlignmentPass& pass) const {
  if (options_.method == AlignmentMethod::kDoeblin) {
    sequence::DoeblinRuns<AlignmentChain::State> runs;
    for (int run = 0; run < options_.chains; ++run)
      runs.add(chain, word, sequence::RunLength::geometric(parameters_.epsilon), random);
    const sequence::RunMasses& masses = runs.masses();
    pass.transitions += masses.transitions();
    pass.log_likelihood += std::log(masses.mean());
    const double relative = masses.error() / masses.mean();
    pass.error += relative * relative;
    std::vector<double> gradient(chain.weight_count());
    runs.add_gradient(chain, word, 1, sequence::PathCredit::kMass, gradient);
    return gradient;
  }
  pass.transitions += static_cast<std::uint64_t>(options_.chains) * static_cast<std::uint64_t>(options_.transitions());
  pass.log_likelihood = pass.error = std::numeric_limits<double>::quiet_NaN();
  if (options_.method == AlignmentMethod::kDoeblinEditDistance)
    return edit_distance_gradient(chain, word, options_, random);
  return gibbs_gradient(chain, word, options_.method, options_, random);
}

AlignmentPass AlignmentTrainer::pass() {
  if (passes_ == 0) {
    constexpr auto kStart = static_cast<std::ptrdiff_t>(AlignmentWeightIndex::kStart);
    std::copy_n(parameters_.weights.begin(), kStart, parameters_.weights.begin() + kStart);
  }
  AlignmentPass pass{.number = ++passes_};
  Random random = run_.random.child("chains", static_cast<std::uint64_t>(passes_));
  for_gestures("order", pass, [&](const Gesture& gesture, const std::vector<Key>& word) {
    const AlignmentLattice lattice(gesture.keys, parameters_);
    const AlignmentChain chain(lattice, words_);
    if (chain.log_start(word) == kImpossible) return false;
    climb(chain_optimizer_, lattice, gradient_of(chain, word, random, pass));
    return true;
  });
  const auto read = static_cast<double>(std::max<std::size_t>(1, pass.gestures - pass.unreadable));
  pass.log_likelihood /= read;
  pass.error = std::sqrt(pass.error) / read;
  return pass;
}

AlignmentAccuracy alignment_accuracy(const std::vector<Gesture>& gestures, const WordTrie& words,
                                     const AlignmentParameters& parameters, AlignmentMethod method, int transitions,
                                     int chains, const Random& random, std::vector<AlignmentAccuracy>* each) {
  AlignmentAccuracy sum;
  for (std::size_t n = 0; n < gestures.size(); ++n) {
    const AlignmentLattice lattice(gestures[n].keys, parameters);
    const AlignmentChain chain(lattice, words);
    const std::vector<Key> word = keys_of(typed_letters(gestures[n].word), {});
    Random stream = random.child("accuracy", n);
    AlignmentAccuracy one;
    for (int run = 0; run < chains; ++run) {
      const std::vector<Alignment> kept = kept_samples(chain, method, transitions, stream);
      const double share = 1. / (static_cast<double>(chains) * static_cast<double>(kept.size()));
      for (const Alignment& z : kept) {
        const std::vector<Key> spelled = lattice.word(z);
        if (spelled == word) one.words += share;
        one.characters += share * characters_right(spelled, word);
      }
    }
    sum.words += one.words / static_cast<double>(gestures.size());
    sum.characters += one.characters / static_cast<double>(gestures.size());
    if (each) each->push_back(one);
  }
  return sum;
}

}  // namespace fovea::gestures
