// SPDX-License-Identifier: Apache-2.0
// Figure 4 of Steinhardt and Liang (2015) on generated gestures: study WORDS [seeds [words drawn by: types | tokens]].
// Prints one JSON line for each method, budget, seed and pass.
#include <chrono>
#include <iostream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "fovea/gestures/alignment_training.h"
#include "fovea/gestures/generated_gestures.h"

namespace fovea::bench {
namespace {

constexpr std::size_t kDictionary = 20000;
constexpr std::uint64_t kTraining = 1000, kTest = 2000;
constexpr int kStartPasses = 5, kPasses = 3, kTestChains = 4;

double now() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

std::vector<gestures::Gesture> drawn(const gestures::GeneratedGestures& gestures, std::uint64_t first,
                                     std::uint64_t count) {
  std::vector<gestures::Gesture> result;
  for (std::uint64_t i = first; i < first + count; ++i) result.push_back(gestures.gesture(i));
  return result;
}

void run(const gestures::WordTrie& words, const std::string& by, std::uint64_t seed, gestures::AlignmentMethod method,
         int transitions) {
  const gestures::GeneratedGestures gestures(words.words(), {.uniform = by == "types"}, Random(seed).child("gestures"));
  const std::vector<gestures::Gesture> training = drawn(gestures, 0, kTraining),
                                       test = drawn(gestures, kTraining, kTest);
  gestures::AlignmentTrainer trainer(training, words,
                                     {.method = method, .epsilon = 1. / transitions, .start_passes = kStartPasses},
                                     {.random = Random(seed).child("training")});
  for (int pass = 0; pass < kStartPasses; ++pass) trainer.start_pass();
  for (int pass = 1; pass <= kPasses; ++pass) {
    const double start = now();
    const gestures::AlignmentPass done = trainer.pass();
    const double seconds = now() - start;
    const auto score = [&](const std::vector<gestures::Gesture>& on, int chains) {
      return gestures::alignment_accuracy(on, words, trainer.parameters(), method, transitions, chains,
                                          Random(seed).child("test"));
    };
    const gestures::AlignmentAccuracy tested = score(test, kTestChains), trained = score(training, 1);
    std::cout << nlohmann::json{{"words_by", by},
                                {"seed", seed},
                                {"method", word_of(method)},
                                {"transitions", transitions},
                                {"pass", pass},
                                {"words", tested.words},
                                {"characters", tested.characters},
                                {"training_words", trained.words},
                                {"training_characters", trained.characters},
                                {"log_likelihood", done.log_likelihood},
                                {"error", done.error},
                                {"unreadable", done.unreadable},
                                {"seconds", seconds}}
              << std::endl;
  }
}

}  // namespace
}  // namespace fovea::bench

int main(int argc, char** argv) {
  const fovea::gestures::WordTrie words(fovea::gestures::read_words(argv[1], fovea::bench::kDictionary));
  const std::uint64_t seeds = argc > 2 ? std::stoull(argv[2]) : 5;
  const std::string by = argc > 3 ? argv[3] : "types";
  for (std::uint64_t seed = 1; seed <= seeds; ++seed)
    for (const auto method : {fovea::gestures::AlignmentMethod::kDoeblin, fovea::gestures::AlignmentMethod::kUGibbs,
                              fovea::gestures::AlignmentMethod::kBasicGibbs})
      for (const int transitions : {20, 50, 100}) fovea::bench::run(words, by, seed, method, transitions);
}
