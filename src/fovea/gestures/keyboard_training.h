// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <string>

#include "fovea/base/run.h"
#include "fovea/base/words.h"
#include "fovea/gestures/generated_gestures.h"
#include "fovea/gestures/keyboard_model.h"

namespace fovea::gestures {

/// Which model of swipes is trained.
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

  template <class V>
  static void describe(V&& visit) {
    using O = KeyboardTrainingOptions;
    visit(&O::dictionary, OptionInfo{.name = "dictionary",
                                     .description = "Take only the first so many words of WORDS; 0 is all.",
                                     .min = 0,
                                     .max = 1e9});
    visit(&O::generate, OptionInfo{.name = "generate",
                                   .description = "Train on so many generated gestures instead of SWIPES.",
                                   .min = 0,
                                   .max = 1e9});
    visit(&O::learn_words,
          OptionInfo{.name = "learn-words",
                     .description = "Words that WORDS lacks and at least so many SWIPES mean join the dictionary; 0: "
                                    "none do.",
                     .min = 0,
                     .max = 1e9});
    visit(&O::family,
          OptionInfo{.name = "family",
                     .description = "alignment reads the keys under the finger, by the chains of the paper; path "
                                    "reads coordinates, which need not hit every letter; auto is path where all "
                                    "swipes have coordinates, else alignment."});
  }
};

/// All that training needs.
struct KeyboardTrainingJob {
  std::string words_file, swipes_file;  ///< no swipes where they are generated
  KeyboardTrainingOptions options;
  AlignmentTrainingOptions alignment;
  PathTrainingOptions path;
  FingerOptions finger;
};

/// Reads, trains, and tells in KeyboardModel::training how it went: counts, and for an alignment model one record a
/// pass (the training curve). Not how long it took: the same job makes the same model, byte for byte. Throws InputError
/// where there is nothing to learn from. Stopped early, the model has what was learned so far.
KeyboardModel train_keyboard(const KeyboardTrainingJob& job, const Run& run);

/// `training` of a model for people to read.
std::string keyboard_training_text(const KeyboardModel& model);

}  // namespace fovea::gestures
