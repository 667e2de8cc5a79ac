// SPDX-License-Identifier: Apache-2.0
// Figure 4 of Steinhardt and Liang (2015) on generated gestures: study WORDS [seeds [words drawn by: types | tokens]].
// Prints one JSON line for each method, budget, seed and pass, and one for u alone; each also says how well the same
// weights read by exact sums over the dictionary.
#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <iostream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "fovea/base/string_distance.h"
#include "fovea/gestures/alignment_training.h"
#include "fovea/gestures/generated_gestures.h"
#include "fovea/gestures/keyboard_model.h"

namespace fovea::bench {
namespace {

constexpr std::size_t kDictionary = 20000;
constexpr std::uint64_t kTraining = 1000, kTest = 2000;
constexpr int kStartPasses = 5, kPasses = 3, kTestChains = 4;
constexpr std::array kBudgets = {20, 50, 100};

double now() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

std::vector<gestures::Gesture> drawn(const gestures::GeneratedGestures& gestures, std::uint64_t first,
                                     std::uint64_t count) {
  std::vector<gestures::Gesture> result;
  for (std::uint64_t i = first; i < first + count; ++i) result.push_back(gestures.gesture(i));
  return result;
}

/// Scores exact sums and one chain of as many transitions, which share a model, on the same gestures.
void add_readings(const gestures::KeyboardModel& model, const std::vector<gestures::Gesture>& test, int transitions,
                  std::uint64_t seed, nlohmann::json& record) {
  constexpr double kNegligible = 1e-6;
  gestures::GestureDecoder exact(model), chain(model, gestures::AlignmentReading::kChain);
  double first = 0, words = 0, characters = 0, seconds = 0, first_of_chain = 0;
  for (std::size_t i = 0; i < test.size(); ++i) {
    const std::string& meant = test[i].word;
    const double start = now();
    const std::vector<gestures::DecodedWord> read = exact.decode(test[i], 1, model.words.words().size(), Random(1), {});
    seconds += now() - start;
    first += read[0].word == meant ? 1 : 0;
    for (const gestures::DecodedWord& word : read) {
      const double share = std::exp(word.score);
      if (share < kNegligible) break;
      words += word.word == meant ? share : 0;
      characters += share * (1 - static_cast<double>(damerau(word.word, meant)) /
                                     static_cast<double>(std::max(word.word.size(), meant.size())));
    }
    if (transitions == 0) continue;
    const Random random = Random(seed).child("chain", i);
    first_of_chain +=
        chain.decode(test[i], static_cast<std::size_t>(transitions), 1, random, {})[0].word == meant ? 1 : 0;
  }
  const auto gestures = static_cast<double>(test.size());
  record["exact_first"] = first / gestures;
  record["exact_words"] = words / gestures;
  record["exact_characters"] = characters / gestures;
  record["exact_milliseconds"] = 1000 * seconds / gestures;
  record["chain_first"] = first_of_chain / gestures;
}

void run(const gestures::WordTrie& words, const std::string& by, std::uint64_t seed, gestures::AlignmentMethod method,
         int transitions) {
  const gestures::GeneratedGestures gestures(words.words(), {.uniform = by == "types"}, Random(seed).child("gestures"));
  const std::vector<gestures::Gesture> training = drawn(gestures, 0, kTraining),
                                       test = drawn(gestures, kTraining, kTest);
  gestures::AlignmentTrainer trainer(training, words,
                                     {.method = method, .epsilon = 1. / transitions, .start_passes = kStartPasses},
                                     {.random = Random(seed).child("training")});
  gestures::KeyboardModel model{.words = words, .alignment = {}, .path = {}};
  for (int pass = 0; pass < kStartPasses; ++pass) trainer.start_pass();
  if (method == gestures::AlignmentMethod::kDoeblin && transitions == kBudgets[0]) {
    nlohmann::json record = {{"words_by", by}, {"seed", seed}, {"method", "u"}, {"transitions", 0}, {"pass", 0}};
    model.alignment = trainer.parameters();
    add_readings(model, test, 0, seed, record);
    std::cout << record << std::endl;
  }
  for (int pass = 1; pass <= kPasses; ++pass) {
    const double start = now();
    const gestures::AlignmentPass done = trainer.pass();
    const double seconds = now() - start;
    const auto score = [&](const std::vector<gestures::Gesture>& on, int chains) {
      return gestures::alignment_accuracy(on, words, trainer.parameters(), method, transitions, chains,
                                          Random(seed).child("test"));
    };
    const gestures::AlignmentAccuracy tested = score(test, kTestChains), trained = score(training, 1);
    nlohmann::json record = {{"words_by", by},
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
                             {"seconds", seconds}};
    model.alignment = trainer.parameters();
    add_readings(model, test, transitions, seed, record);
    std::cout << record << std::endl;
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
      for (const int transitions : fovea::bench::kBudgets) fovea::bench::run(words, by, seed, method, transitions);
}
