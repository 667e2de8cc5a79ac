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
  /// Throws InputError at `location` if the path model gets a gesture without points.
  std::vector<DecodedWord> decode(const Gesture& gesture, std::size_t transitions, std::size_t count, Random random,
                                  const InputLocation& location);

 private:
  std::vector<DecodedWord> sample(const Gesture& gesture, std::size_t transitions, Random random) const;

  const KeyboardModel& model_;
  std::unique_ptr<PathLattice> lattice_;
};

}  // namespace fovea::gestures
