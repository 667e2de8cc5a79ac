// SPDX-License-Identifier: Apache-2.0
#include "fovea/gestures/generated_gestures.h"

#include <algorithm>

namespace fovea::gestures {

GeneratedGestures::GeneratedGestures(const std::vector<CountedWord>& words, const FingerOptions& finger,
                                     const Random& random)
    : words_(words), finger_(finger), random_(random) {
  validate(finger);
  double sum = 0;
  for (const CountedWord& word : words) cumulative_.push_back(sum += finger.uniform ? 1 : word.count);
}

Gesture GeneratedGestures::gesture(std::uint64_t index) const {
  Random random = random_.child("gesture", index);
  const double place = random.threshold(cumulative_.back());
  const auto found = std::upper_bound(cumulative_.begin(), cumulative_.end(), place);
  const auto word = std::min<std::size_t>(found - cumulative_.begin(), words_.size() - 1);
  Gesture gesture = type(words_[word].word, random);
  gesture.id = std::to_string(index + 1);
  return gesture;
}

Gesture GeneratedGestures::type(std::string_view word, Random& random, std::vector<bool>* aligned) const {
  Gesture gesture;
  gesture.word = word;
  const std::vector<Key> letters = keys_of(typed_letters(word), {});
  KeyboardPoint finger = key_centre(letters[0]);
  const auto move = [&](KeyboardPoint target) {
    const auto step = [&](float from, float to) {
      return from + static_cast<float>(finger_.pull * double{to - from} + finger_.tremor * random.normal());
    };
    finger = {.x = step(finger.x, target.x), .y = step(finger.y, target.y)};
    gesture.points.push_back(finger);
    gesture.keys.push_back(key_at(finger));
    if (aligned) aligned->push_back(false);
  };
  for (const Key letter : letters) {
    const KeyboardPoint target = key_centre(letter);
    do move(target);
    while (distance(finger, target) > static_cast<float>(finger_.reach));
    if (aligned) aligned->back() = true;
    while (random.bernoulli(finger_.stay)) {
      move(target);
      if (aligned) aligned->back() = true;
    }
  }
  gesture.events = gesture.keys;
  return gesture;
}

}  // namespace fovea::gestures
