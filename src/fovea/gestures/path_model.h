// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "fovea/base/options.h"
#include "fovea/base/run.h"
#include "fovea/gestures/choice_network.h"

namespace fovea::gestures {

struct PathTrainingOptions {
  int path_passes = 2;
  int network_passes = 10;
  int list = 24;
  double learning_rate = .15;

  static void describe(auto&& visit) {
    using O = PathTrainingOptions;
    visit(&O::path_passes,
          number_in(0, 1000, "path-passes", "Passes over the swipes to learn scores of letters and strokes."));
    visit(&O::network_passes,
          number_in(0, 1000, "network-passes",
                    "Passes over lists of words to learn the full score; with 0 it is not learned."));
    visit(&O::list, number_in(2, 1000, "list", "Number of words in a list from which the meant one is chosen."));
    visit(&O::learning_rate,
          number_in(1e-6, 10, "path-learning-rate", "AdaGrad's first step of a weight of letters and strokes."));
  }
};

/// Reads swipes with coordinates, which need not hit every letter. Our own model, on the lines of Steinhardt and Liang
/// (2015): a simple u over all words of the dictionary, exact up to pruning (PathLattice), for coverage; a full score
/// with arbitrary features (ChoiceNetwork) for precision. u gives its best words in order, so a chain over them would
/// only return to words already seen. Here a transition is one word scored in full, and the next word is always the
/// best one not seen yet.
struct PathModel {
  PathWeights weights = first_path_weights();
  ChoiceNetwork network;

  /// The `transitions` words that are scored in full, and these more, best first; scores are log probabilities among
  /// those.
  std::vector<PathCandidate> decode(PathLattice& lattice, std::size_t transitions,
                                    std::span<const std::uint32_t> more = {}) const;
};

/// Result of training.
struct PathTraining {
  PathModel model;
  std::size_t swipes = 0, unknown = 0;  ///< unknown: swipes whose words the dictionary lacks; left out
  double log_likelihood = 0;            ///< mean log p of the meant word among its list, by the full score
};

/// Maximises the conditional likelihood of the meant word among the best others: first over the weights, along the best
/// alignments, then over the network. Swipes without points are an InternalError. Results do not depend on the number
/// of threads. Ends early, with what was learned so far, if `run` is stopped.
PathTraining train_path_model(const std::vector<Gesture>& gestures, const WordTrie& words,
                              const PathTrainingOptions& options, const Run& run);

}  // namespace fovea::gestures
