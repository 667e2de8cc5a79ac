// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "fovea/base/container.h"
#include "fovea/base/words.h"
#include "fovea/gestures/alignment_chain.h"
#include "fovea/gestures/alignment_training.h"
#include "fovea/gestures/dictionary_sums.h"
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

/// Way of reading a gesture with an alignment model.
enum class AlignmentReading : std::uint8_t {
  kExact,  ///< word_sums: every word of the dictionary by the sum of its alignments
  kChain   ///< steps of the restarting chain; also finds words that the dictionary lacks
};
constexpr auto words_of(AlignmentReading) {
  using enum AlignmentReading;
  return std::array{Word{kExact, "exact"}, Word{kChain, "chain"}};
}

/// Reads one gesture after another; belongs to one thread.
class GestureDecoder {
 public:
  /// `model` must outlive the decoder. `reading` matters to alignment models only.
  explicit GestureDecoder(const KeyboardModel& model, AlignmentReading reading = AlignmentReading::kExact);

  /// The `count` best words found, best first; fewer if fewer were found.
  ///
  ///   alignment, exact  all words of the dictionary, under A's law, or u's if A was not trained. Where none of them
  ///   can
  ///                     be spelled, or the gesture has more than kMostSummedKeys keys, it is read by the chain
  ///   alignment, chain  `transitions` > 0 steps of the restarting chain from a draw of u; words by their share in the
  ///                     second half
  ///   path              that many words of the dictionary scored in full
  ///
  /// If the model has a context and the gesture has words before, scores, except the chain's, are of the word given
  /// these:
  ///
  ///   log p(word | swipe) + log p(word | before) - log p(word),    normalised again,
  ///
  /// and words that often follow are looked at besides (path). Throws InputError at `location` if the path model gets a
  /// gesture without points.
  std::vector<DecodedWord> decode(const Gesture& gesture, std::size_t transitions, std::size_t count, Random random,
                                  const InputLocation& location);

 private:
  std::vector<PathCandidate> candidates(const Gesture& gesture, std::size_t transitions,
                                        const WordContext::Before& before, const InputLocation& location);
  std::vector<PathCandidate> all_words(const Gesture& gesture) const;
  void heed(const WordContext::Before& before, std::vector<PathCandidate>& words) const;
  void add_alike(std::vector<PathCandidate>& words) const;
  static void normalise(std::vector<PathCandidate>& words);
  void add_words_of(const std::string& letters, double score, std::vector<DecodedWord>& words) const;
  WordContext::Before before_of(const Gesture& gesture) const;
  std::vector<DecodedWord> sample(const Gesture& gesture, std::size_t transitions, Random random) const;

  const KeyboardModel& model_;
  AlignmentReading reading_;
  AlignmentLaw law_ = AlignmentLaw::kStart;
  std::unique_ptr<PathLattice> lattice_;
};

}  // namespace fovea::gestures
