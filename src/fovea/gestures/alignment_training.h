// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "fovea/base/options.h"
#include "fovea/base/run.h"
#include "fovea/base/words.h"
#include "fovea/gestures/alignment_chain.h"
#include "fovea/gestures/gesture.h"
#include "fovea/optimize/adagrad.h"

namespace fovea::gestures {

/// Method of training an alignment model.
enum class AlignmentMethod { kDoeblin, kDoeblinEditDistance, kUGibbs, kBasicGibbs };
constexpr auto words_of(AlignmentMethod) {
  using enum AlignmentMethod;
  return std::array{Word{kDoeblin, "doeblin"}, Word{kDoeblinEditDistance, "doeblin-edit-distance"},
                    Word{kUGibbs, "u-gibbs"}, Word{kBasicGibbs, "basic-gibbs"}};
}

struct AlignmentTrainingOptions {
  AlignmentMethod method = AlignmentMethod::kDoeblin;
  double epsilon = .05;
  int chains = 16;
  int start_passes = 5;
  int passes = 5;
  double learning_rate = .3;

  static void describe(auto&& visit) {
    using O = AlignmentTrainingOptions;
    visit(
        &O::method,
        option(
            "method",
            "Training method: doeblin maximises the likelihood of the restarting chain; doeblin-edit-distance instead "
            "weights its samples by exp(-(D + 1)), where D is the edit distance from the word; u-gibbs and basic-gibbs "
            "run Gibbs chains without restarts, from u and from a letter at each key, with the same weights."));
    visit(&O::epsilon,
          number_in(1e-6, 1, "epsilon",
                    "Probability of a restart, in (0, 1]. Chains have 1 / epsilon transitions: those of the doeblin "
                    "methods on average, the others always. One transition updates the label of one observation."));
    visit(&O::chains, number_in(2, 1e6, "chains", "Chains for each gesture and pass."));
    visit(&O::start_passes, number_in(0, 1e6, "start-passes", "Passes over the gestures in which u is trained alone."));
    visit(&O::passes, number_in(0, 1e6, "passes", "Passes in which both chains are trained."));
    visit(&O::learning_rate, number_in(1e-6, 10, "learning-rate", "AdaGrad's first step of a weight."));
  }

  int transitions() const { return static_cast<int>(std::lround(1 / epsilon)); }
};

/// Statistics of one pass over the gestures; those of a gesture are taken before its step.
struct AlignmentPass {
  bool start_only = false;
  int number = 0;
  /// Mean over gestures of log p(y | x): exact under u; under the restarting chain the log of the mean mass of the
  /// runs, with its standard error by the delta method. NaN for the methods that have no likelihood.
  double log_likelihood = 0, error = 0;
  std::size_t gestures = 0, unreadable = 0;  ///< unreadable: not of letters, or not spelled by any alignment; left out
  std::uint64_t transitions = 0;
};

/// Learns an alignment model from gestures: Steinhardt and Liang (2015), sections 4.2 and 5. First u is trained alone,
/// by the exact gradient of log u(S_y). Then A starts with u's weights and 0 for all others, which leaves u invariant
/// (assumption 4.3), and both are trained by AdaGrad, one step per gesture.
class AlignmentTrainer {
 public:
  /// Gestures and words must outlive the trainer. Passes end early if the run is stopped.
  AlignmentTrainer(const std::vector<Gesture>& gestures, const WordTrie& words, const AlignmentTrainingOptions& options,
                   const Run& run);
  AlignmentTrainer(const AlignmentTrainer&) = delete;  // the optimizers refer to the weights
  AlignmentTrainer& operator=(const AlignmentTrainer&) = delete;

  AlignmentPass start_pass();
  /// Trains both chains; the first pass gives A its first weights.
  AlignmentPass pass();

  const AlignmentParameters& parameters() const { return parameters_; }

 private:
  /// Calls visit(gesture, its word), in random order, for the gestures whose words have only letters a .. z.
  template <class Visit>
  void for_gestures(std::string_view order, AlignmentPass& pass, Visit&& visit);
  void climb(optimize::AdaGrad<float>& optimizer, const AlignmentLattice& lattice, std::span<const double> gradient);
  std::vector<double> gradient_of(const AlignmentChain& chain, const std::vector<Key>& word, Random& random,
                                  AlignmentPass& pass) const;

  const std::vector<Gesture>& gestures_;
  const WordTrie& words_;
  AlignmentTrainingOptions options_;
  Run run_;
  AlignmentParameters parameters_;
  optimize::AdaGrad<float> start_optimizer_, chain_optimizer_;
  std::vector<double> sums_;  // [weight] gradient of the current gesture; zeros in between
  int start_passes_ = 0, passes_ = 0;
};

/// Samples of the words that a gesture may mean, as the method draws them to train and to read: a chain from its start,
/// of `transitions` steps or, for the doeblin methods, of a geometric number of steps with that mean. The first half is
/// burn-in and is not kept.
std::vector<Alignment> kept_samples(const AlignmentChain& chain, AlignmentMethod method, int transitions,
                                    Random& random);

/// Accuracy with which samples spell the words: means over gestures, over their chains and over the samples that a
/// chain keeps, so that a long chain weighs as much as a short one.
struct AlignmentAccuracy {
  double words = 0;       ///< share of kept samples that are the word
  double characters = 0;  ///< 1 - edit distance / length of the longer of the two
};
AlignmentAccuracy alignment_accuracy(const std::vector<Gesture>& gestures, const WordTrie& words,
                                     const AlignmentParameters& parameters, AlignmentMethod method, int transitions,
                                     int chains, const Random& random, std::vector<AlignmentAccuracy>* each = nullptr);

}  // namespace fovea::gestures
