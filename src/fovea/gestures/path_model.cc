// SPDX-License-Identifier: Apache-2.0
#include "fovea/gestures/path_model.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <memory>
#include <mutex>
#include <numeric>

#include "fovea/base/parallel.h"
#include "fovea/base/random.h"
#include "fovea/optimize/adagrad.h"

namespace fovea::gestures {
namespace {

constexpr double kHopeless = -8;  // nothing is learned from a swipe whose word has a log p below this

struct LabelledPath {
  SwipePath path;
  std::uint32_t word;
};

using PathGradient = std::array<double, PathFeature::kCount>;

/// Lattices for the threads that want one, made when they are needed.
class LatticePool {
 public:
  LatticePool(const PathWeights& weights, const WordTrie& words) : weights_(weights), words_(words) {}

  template <class Use>
  auto with(const Use& use) {
    std::unique_ptr<PathLattice> lattice = unused();
    if (!lattice) lattice = std::make_unique<PathLattice>(weights_, words_);
    auto result = use(*lattice);
    const std::lock_guard lock(mutex_);
    unused_.push_back(std::move(lattice));
    return result;
  }

 private:
  std::unique_ptr<PathLattice> unused() {
    const std::lock_guard lock(mutex_);
    if (unused_.empty()) return nullptr;
    std::unique_ptr<PathLattice> lattice = std::move(unused_.back());
    unused_.pop_back();
    return lattice;
  }

  const PathWeights& weights_;
  const WordTrie& words_;
  std::mutex mutex_;  // guards unused_
  std::vector<std::unique_ptr<PathLattice>> unused_;
};

/// Learns the weights of letters and strokes by the log probability of the meant word among the best ones.
class PathWeightLearner {
 public:
  PathWeightLearner(const WordTrie& words, const PathTrainingOptions& options, PathWeights& weights)
      : words_(words),
        count_(static_cast<std::size_t>(options.list)),
        weights_(weights),
        lattices_(weights, words),
        optimizer_(weights_, {.learning_rate = options.learning_rate, .delta = 1}) {}

  /// The gradient at the weights as they are; zero if the word is hopeless. Several threads may ask.
  PathGradient gradient(const LabelledPath& labelled) {
    return lattices_.with([&](PathLattice& lattice) { return gradient(labelled, lattice); });
  }

  void climb(const PathGradient& gradient) {
    if (std::ranges::all_of(gradient, [](double slope) { return slope == 0; })) return;
    optimizer_.next_step();
    for (std::size_t k = 0; k < gradient.size(); ++k)
      if (gradient[k] != 0) optimizer_.update(k, -static_cast<float>(gradient[k]));  // AdaGrad descends
  }

 private:
  PathGradient gradient(const LabelledPath& labelled, PathLattice& lattice) const {
    lattice.set(labelled.path);
    std::vector<PathCandidate> list = lattice.best_words(count_);
    const auto meant = static_cast<std::size_t>(
        std::find_if(list.begin(), list.end(), [&](const auto& c) { return c.word == labelled.word; }) - list.begin());
    if (meant == list.size()) list.push_back({.word = labelled.word});
    std::vector<std::array<float, PathFeature::kCount>> features;
    std::vector<double> scores;
    for (const PathCandidate& candidate : list) {
      const std::vector<Key> letters = keys_of(words_.letters(candidate.word), {});
      features.push_back(lattice.features(letters, lattice.align(letters), words_.log_frequency(candidate.word)));
      scores.push_back(std::inner_product(features.back().begin(), features.back().end(), weights_.begin(), 0.));
    }
    return gradient_of(features, scores, meant);
  }

  static PathGradient gradient_of(const std::vector<std::array<float, PathFeature::kCount>>& features,
                                  const std::vector<double>& scores, std::size_t meant) {
    PathGradient gradient{};
    const double largest = *std::max_element(scores.begin(), scores.end());
    double sum = 0;
    for (const double score : scores) sum += std::exp(score - largest);
    if (scores[meant] - largest - std::log(sum) < kHopeless) return gradient;
    for (std::size_t i = 0; i < scores.size(); ++i) {
      const double residual = (i == meant ? 1 : 0) - std::exp(scores[i] - largest) / sum;
      for (std::size_t k = 0; k < gradient.size(); ++k) gradient[k] += residual * double{features[i][k]};
    }
    return gradient;
  }

  const WordTrie& words_;
  std::size_t count_;
  PathWeights& weights_;
  LatticePool lattices_;
  optimize::AdaGrad<float> optimizer_;
};

/// The list of words to choose from; empty if the meant word is not among them.
WordChoice choice_of(const LabelledPath& labelled, PathLattice& lattice, const PathWeights& weights,
                     const WordTrie& words, std::size_t count) {
  lattice.set(labelled.path);
  const std::vector<PathCandidate> list = lattice.best_words(count);
  WordChoice choice;
  bool is_there = false;
  for (std::size_t i = 0; i < list.size(); ++i) {
    if (list[i].word == labelled.word) {
      choice.meant = i;
      is_there = true;
    }
    choice.views.push_back(view_word(lattice, weights, keys_of(words.letters(list[i].word), {}),
                                     words.log_frequency(list[i].word), list[i].score, list[0].score));
  }
  if (!is_there) choice.views.clear();
  return choice;
}

/// Reports counts to the progress bar, phase by phase.
class SwipeReport {
 public:
  SwipeReport(const ProgressFunction& progress, std::string_view phase, std::size_t total)
      : progress_(progress), phase_(phase), total_(static_cast<double>(total)) {}

  void operator()(std::size_t done) const {
    if (!progress_) return;
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - started_;
    progress_({.phase = phase_, .done = static_cast<double>(done), .total = total_, .seconds = seconds.count()});
  }

 private:
  const ProgressFunction& progress_;
  std::string_view phase_;
  double total_;
  std::chrono::steady_clock::time_point started_ = std::chrono::steady_clock::now();
};

constexpr std::size_t kSwipesPerReport = 256;
constexpr std::size_t kMostSwipes = 64;  // of a batch

void learn_path_weights(std::span<const LabelledPath> paths, const WordTrie& words, const PathTrainingOptions& options,
                        const Run& run, PathWeights& weights) {
  PathWeightLearner learner(words, options, weights);
  std::vector<std::size_t> order(paths.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const SwipeReport report(run.progress, "learning letters and strokes",
                           paths.size() * static_cast<std::size_t>(options.path_passes));
  std::size_t done = 0;
  for (int pass = 0; pass < options.path_passes; ++pass) {
    Random stream = run.random.child("path order", static_cast<std::uint64_t>(pass));
    shuffle(std::span(order), stream);
    // Gradients of a batch are all at the weights before it, so that threads share them; the weights then take a step
    // for each. Batches grow with what has been learned: what a step does not see is at most a 64th of that.
    for (std::size_t first = 0, size = 0; first < order.size(); first += size) {
      size = std::min({kMostSwipes, 1 + done / kMostSwipes, order.size() - first});
      std::vector<PathGradient> gradients(size);
      parallel_in_order(size, run.threads, [&](std::size_t i) {
        if (!run.stop.requested()) gradients[i] = learner.gradient(paths[order[first + i]]);
      });
      if (run.stop.requested()) return;
      for (const PathGradient& gradient : gradients) learner.climb(gradient);
      if ((done + size) / kSwipesPerReport > done / kSwipesPerReport) report(done + size);
      done += size;
    }
  }
}

std::vector<WordChoice> choices_of(std::span<const LabelledPath> paths, const WordTrie& words,
                                   const PathWeights& weights, const PathTrainingOptions& options, const Run& run) {
  const SwipeReport report(run.progress, "listing words", paths.size());
  LatticePool lattices(weights, words);
  std::vector<WordChoice> choices(paths.size());
  for (std::size_t first = 0; first < paths.size() && !run.stop.requested(); first += kSwipesPerReport) {
    const std::size_t count = std::min(kSwipesPerReport, paths.size() - first);
    parallel_in_order(count, run.threads, [&](std::size_t i) {
      if (run.stop.requested()) return;
      choices[first + i] = lattices.with([&](PathLattice& lattice) {
        return choice_of(paths[first + i], lattice, weights, words, static_cast<std::size_t>(options.list));
      });
    });
    report(first + count);
  }
  std::erase_if(choices, [](const WordChoice& choice) { return choice.views.empty(); });
  return choices;
}

}  // namespace

std::vector<PathCandidate> PathModel::decode(PathLattice& lattice, std::size_t transitions,
                                             std::span<const std::uint32_t> more) const {
  std::vector<PathCandidate> list = lattice.best_words(transitions);
  for (const std::uint32_t word : more)
    if (std::none_of(list.begin(), list.end(), [&](const PathCandidate& known) { return known.word == word; }))
      list.push_back({.word = word, .score = lattice.score(word)});
  if (list.empty()) return list;
  const float best = list[0].score;
  for (PathCandidate& candidate : list)
    candidate.score = network.score(view_word(lattice, weights, keys_of(lattice.words().letters(candidate.word), {}),
                                              lattice.words().log_frequency(candidate.word), candidate.score, best));
  std::stable_sort(list.begin(), list.end(), [](const auto& a, const auto& b) { return a.score > b.score; });
  float sum = 0;
  for (const PathCandidate& candidate : list) sum += std::exp(candidate.score - list[0].score);
  const float log_sum = list[0].score + std::log(sum);
  for (PathCandidate& candidate : list) candidate.score -= log_sum;
  return list;
}

PathTraining train_path_model(const std::vector<Gesture>& gestures, const WordTrie& words,
                              const PathTrainingOptions& options, const Run& run) {
  validate(options);
  PathTraining training;
  std::vector<LabelledPath> paths;
  for (const Gesture& gesture : gestures) {
    const std::uint32_t word = words.find_word(gesture.word);
    ++training.swipes;
    if (word == WordTrie::kNone) ++training.unknown;
    else paths.push_back({.path = swipe_path(gesture), .word = words.first_alike(word)});
  }
  learn_path_weights(paths, words, options, run, training.model.weights);
  if (options.network_passes == 0 || run.stop.requested()) return training;
  const std::vector<WordChoice> choices = choices_of(paths, words, training.model.weights, options, run);
  if (run.stop.requested()) return training;  // not all lists have been made
  training.log_likelihood = training.model.network.learn(choices, options.network_passes, run.child("network"));
  return training;
}

}  // namespace fovea::gestures
