// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "fovea/base/container.h"
#include "fovea/gestures/alignment_chain.h"
#include "fovea/gestures/alignment_training.h"
#include "fovea/gestures/path_model.h"
#include "fovea/gestures/word_context.h"

namespace fovea::gestures {

/// A word that a gesture may mean.
struct DecodedWord {
  std::string word;
  double score = 0;  ///< log of its share: of the samples kept, or of the probability of the words scored
};

/// A model that reads gestures: a dictionary and one of the two families.
struct KeyboardModel {
  WordTrie words;
  std::optional<AlignmentParameters> alignment;  ///< reads keys; or
  std::optional<PathModel> path;                 ///< reads coordinates
  WordContext context = {};                      ///< what words follow each other; may be empty
  std::string training = "{}";                   ///< how it was made, JSON

  const char* family() const { return alignment ? "alignment" : "path"; }

  /// Both throw InputError: save() if the file cannot be written, load() if it is not a keyboard model.
  void save(const ContainerTarget& target) const;
  static KeyboardModel load(const ContainerSource& source);
};

/// Reads one gesture after another; belongs to one thread.
class GestureDecoder {
 public:
  /// `model` must outlive the decoder.
  explicit GestureDecoder(const KeyboardModel& model);

  /// The `count` best words found in `transitions` > 0 transitions, best first; fewer if fewer were found.
  ///
  ///   alignment  steps of the restarting chain from a draw of u; words by their share in the second half
  ///   path       that many words of the dictionary scored in full
  ///
  /// If the model has a context and the gesture has words before, scores are of the word given these:
  ///
  ///   log p(word | swipe) + log p(word | before) - log p(word),    normalised again,
  ///
  /// and words that often follow are looked at besides (path). Throws InputError at `location` if the path model gets a
  /// gesture without points.
  std::vector<DecodedWord> decode(const Gesture& gesture, std::size_t transitions, std::size_t count, Random random,
                                  const InputLocation& location);

 private:
  void heed(const WordContext::Before& before, std::vector<PathCandidate>& words) const;
  void add_alike(std::vector<PathCandidate>& words) const;
  static void normalise(std::vector<PathCandidate>& words);
  void add_words_of(const std::string& letters, double score, std::vector<DecodedWord>& words) const;
  WordContext::Before before_of(const Gesture& gesture) const;
  std::vector<DecodedWord> sample(const Gesture& gesture, std::size_t transitions, Random random) const;

  const KeyboardModel& model_;
  std::unique_ptr<PathLattice> lattice_;
};

}  // namespace fovea::gestures
