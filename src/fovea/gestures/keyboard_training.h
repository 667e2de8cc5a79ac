// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <string>
#include <vector>

#include "fovea/base/run.h"
#include "fovea/base/words.h"
#include "fovea/gestures/generated_gestures.h"
#include "fovea/gestures/gesture.h"
#include "fovea/gestures/keyboard_model.h"

namespace fovea::gestures {

/// Family of the model of swipes to train.
enum class KeyboardFamily { kAuto, kAlignment, kPath };
constexpr auto words_of(KeyboardFamily) {
  using enum KeyboardFamily;
  return std::array{Word{kAuto, "auto"}, Word{kAlignment, "alignment"}, Word{kPath, "path"}};
}

struct KeyboardTrainingOptions {
  int dictionary = 0;
  int generate = 0;
  int learn_words = 1;
  KeyboardFamily family = KeyboardFamily::kAuto;
  std::string text = "";

  static void describe(auto&& visit) {
    using O = KeyboardTrainingOptions;
    visit(&O::dictionary,
          number_in(0, 1e9, "dictionary", "Number of words to take from the start of WORDS; 0 takes all."));
    visit(&O::generate,
          number_in(0, 1e9, "generate", "Number of generated gestures to train on instead of SWIPES; 0 uses SWIPES."));
    visit(&O::learn_words, number_in(0, 1e9, "learn-words",
                                     "Minimum number of SWIPES that must mean a word which WORDS lacks for it to join "
                                     "the dictionary; 0 adds no words."));
    visit(&O::family, option("family",
                             "Family of the model: alignment reads the keys under the finger, by the chains of the "
                             "paper; path reads coordinates, which need not hit every letter; auto is path if all "
                             "swipes have coordinates, and otherwise alignment."));
    visit(&O::text, option("text",
                           "Plain text from which the model learns which words follow each other: it then heeds the "
                           "words before a swipe.",
                           "FILE"));
  }
};

/// Input and options of training.
struct KeyboardTrainingJob {
  std::string words_file, swipes_file;  ///< swipes_file is not used if swipes are generated
  KeyboardTrainingOptions options;
  AlignmentTrainingOptions alignment;
  PathTrainingOptions path;
  FingerOptions finger;
};

/// Reads the files, trains, and reports on the training in KeyboardModel::training: counts and, for an alignment model,
/// one record per pass (the training curve). Times are not reported: the same job makes the same model, byte for byte.
/// Throws InputError if the files give nothing to learn from. If stopped early, the model has what was learned so far.
KeyboardModel train_keyboard(const KeyboardTrainingJob& job, const Run& run);

/// The same with words and gestures in memory, all of whose words are known. The files of the job and its options
/// `dictionary` and `generate` are not used.
KeyboardModel train_keyboard(std::vector<CountedWord> words, const std::vector<Gesture>& gestures,
                             const KeyboardTrainingJob& job, const Run& run);

/// The member `training` of a model as text for people to read.
std::string keyboard_training_text(const KeyboardModel& model);

}  // namespace fovea::gestures
