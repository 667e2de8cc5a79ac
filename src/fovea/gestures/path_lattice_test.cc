// SPDX-License-Identifier: Apache-2.0
#include "fovea/gestures/path_lattice.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <numeric>
#include <string>
#include <vector>

#include "fovea/base/log_math.h"
#include "fovea/base/random.h"
#include "fovea/gestures/generated_gestures.h"
#include "tests/support/instruction_sets.h"

namespace fovea::gestures {
namespace {

struct SmallKeyboard {
  WordTrie words{{{"to", 60}, {"toe", 3}, {"tor", 1}, {"two", 20}, {"i", 50}, {"tree", 4}, {"see", 9}, {"it", 30}}};
  PathWeights weights = first_path_weights();

  SmallKeyboard() {  // letters raise the score and straight lengths lower it, so that each feature counts
    weights[PathFeature::kLetter] = .1F;
    weights[PathFeature::kStraightLength] = -.05F;
    for (std::size_t k = 0; k < 2 * kLetterRoles; ++k) weights[PathFeature::kTurn + k] = .02F * static_cast<float>(k);
  }

  SwipePath swipe(const std::string& word, std::uint64_t seed) const {
    Random random(seed);
    return swipe_path(GeneratedGestures(words.words(), {.tremor = .2}, Random(1)).type(word, random));
  }
};

float weighed(const PathWeights& weights, const std::array<float, PathFeature::kCount>& features) {
  return std::inner_product(features.begin(), features.end(), weights.begin(), 0.F);
}

/// The best score over all points t_1 <= ... <= t_m.
float best_by_enumeration(const PathLattice& lattice, const PathWeights& weights, const std::vector<Key>& letters,
                          float log_frequency) {
  float best = -1e9F;
  std::vector<std::size_t> points(letters.size());
  const std::function<void(std::size_t, std::size_t)> place = [&](std::size_t j, std::size_t first) {
    if (j == letters.size()) {
      best = std::max(best, weighed(weights, lattice.features(letters, points, log_frequency)));
      return;
    }
    for (points[j] = first; points[j] < PathLattice::kPoints; ++points[j]) place(j + 1, points[j]);
  };
  place(0, 0);
  return best;
}

TEST(PathLatticeTest, ScoresAreThoseOfTheBestAlignment) {
  const SmallKeyboard small;
  PathLattice lattice(small.weights, small.words);
  lattice.set(small.swipe("toe", 3));
  const std::vector<PathCandidate> found = lattice.best_words(8);
  ASSERT_EQ(found.size(), 8U);
  for (const PathCandidate& candidate : found) {
    const std::vector<Key> letters = keys_of(small.words.words()[candidate.word].word, {});
    const float frequency = small.words.log_frequency(candidate.word);
    const std::vector<std::size_t> points = lattice.align(letters);
    EXPECT_NEAR(candidate.score, weighed(small.weights, lattice.features(letters, points, frequency)), 1e-3);
    if (letters.size() <= 3) {
      EXPECT_NEAR(candidate.score, best_by_enumeration(lattice, small.weights, letters, frequency), 1e-3);
    }
  }
}

TEST(PathLatticeTest, TheBestComeFirstWhateverTheirNumber) {
  const SmallKeyboard small;
  PathLattice lattice(small.weights, small.words);
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const std::string& word = small.words.words()[seed % small.words.words().size()].word;
    lattice.set(small.swipe(word, seed));
    const std::vector<PathCandidate> all = lattice.best_words(8), few = lattice.best_words(2);
    for (std::size_t i = 1; i < all.size(); ++i) EXPECT_GE(all[i - 1].score, all[i].score);
    ASSERT_EQ(few.size(), 2U);
    for (std::size_t i = 0; i < few.size(); ++i) EXPECT_NEAR(few[i].score, all[i].score, 1e-4) << word;
  }
}

void expect_strokes_of_features() {
  const SmallKeyboard small;
  PathWeights weights = small.weights;
  for (std::size_t k = PathFeature::kStrokeDistance; k < PathFeature::kHead; ++k)
    weights[k] = .3F * static_cast<float>(k % 5) - .7F;
  const SwipePath path = small.swipe("tree", 5);
  PairRows strokes(kKeyCount);
  internal::score_strokes(path, weights, strokes);
  for (const Key from : {0, 4, 19})
    for (Key to = 0; to < kKeyCount; ++to) {
      float sum = 0;
      EXPECT_EQ(strokes[from][to][0], 0);
      for (std::size_t t = 1; t < PathLattice::kPoints; ++t) {
        visit_stroke(path, from, to, t, [&](std::size_t feature, float value) { sum += weights[feature] * value; });
        EXPECT_NEAR(strokes[from][to][t], sum, 2e-4);
      }
    }
}

PathRow random_row(Random& random) {
  PathRow row;
  for (float& x : row) x = static_cast<float>(random.normal());
  return row;
}

/// Bounds for three letters after the first are those of all words of one to four letters.
void expect_bounds_of_all_words() {
  constexpr std::size_t kPoints = PathLattice::kPoints;
  Random random(7);
  LetterRows last, inner;
  PairRows strokes(kKeyCount);
  PairScores straight{};
  for (Key a = 0; a < kKeyCount; ++a) {
    last[a] = random_row(random);
    inner[a] = random_row(random);
    for (Key b = 0; b < kKeyCount; ++b) {
      strokes[a][b] = random_row(random);
      straight[a][b] = static_cast<float>(random.normal());
    }
  }
  std::vector<RestBounds> bounds(4);
  for (std::size_t level = 0; level < bounds.size(); ++level)
    internal::bound_rest(last, inner, strokes, straight, level == 0 ? nullptr : &bounds[level - 1], bounds[level]);
  // most(c, t, letters): the same by the definition.
  const std::function<float(Key, std::size_t, std::size_t, bool)> most = [&](Key c, std::size_t t, std::size_t letters,
                                                                             bool must) {
    float best = must ? kImpossibleF : last[c][t];
    for (Key b = 0; letters > 0 && b < kKeyCount; ++b)
      for (std::size_t s = t; s < kPoints; ++s) {
        const float rest = letters == 1 ? last[b][s] : bounds[letters - 1].rest[b][s];
        best = std::max(best, inner[c][t] + straight[c][b] + strokes[c][b][s] - strokes[c][b][t] + rest);
      }
    return best;
  };
  for (std::size_t level = 0; level < bounds.size(); ++level)
    for (const std::size_t t : {std::size_t{0}, std::size_t{7}, std::size_t{17}, kPoints - 1}) {
      EXPECT_NEAR(bounds[level].rest[3][t], most(3, t, level, false), 1e-4) << level << ' ' << t;
      if (level == 0) continue;
      EXPECT_NEAR(bounds[level].go_on[3][t], most(3, t, level, true), 1e-4) << level << ' ' << t;
      EXPECT_GE(bounds[level].rest[3][t], bounds[level - 1].rest[3][t]);
    }
}

void expect_best_places_to_leave() {
  Random random(8);
  for (int round = 0; round < 50; ++round) {
    PathRow arrived = random_row(random);
    for (std::size_t t = 0; t < 6; ++t) arrived[random.uniform_index(SwipePath::kPoints)] = kImpossibleF;
    const PathRow own = random_row(random), stroke = random_row(random), rest = random_row(random);
    PathRow leave, expected, longer;
    float largest = kImpossibleF, best = kImpossibleF;
    for (std::size_t t = SwipePath::kPoints; t-- > 0;) {
      largest = std::max(largest, stroke[t] + rest[t]);
      leave[t] = .5F + largest - stroke[t];
    }
    const float worst = static_cast<float>(2 * random.normal());
    float bound = kImpossibleF;
    for (std::size_t t = 0; t < SwipePath::kPoints; ++t) {
      best = std::max(best, arrived[t] + own[t] - stroke[t]);
      const float total = best + stroke[t] + rest[t] + .5F + .25F;
      expected[t] = total > worst ? best + stroke[t] + .5F : kImpossibleF;
      if (total > worst) bound = std::max(bound, total);
    }
    const float found = internal::extend_prefix(
        arrived, {.own = own, .stroke = stroke, .leave = leave, .rest = rest, .straight = .5F, .frequency = .25F},
        worst, longer);
    ASSERT_EQ(found == kImpossibleF, bound == kImpossibleF);
    if (bound == kImpossibleF) continue;
    EXPECT_NEAR(found, bound, 1e-4);
    for (std::size_t t = 0; t < SwipePath::kPoints; ++t) {
      ASSERT_EQ(longer[t] == kImpossibleF, expected[t] == kImpossibleF);
      if (expected[t] == kImpossibleF) continue;
      EXPECT_NEAR(longer[t], expected[t], 1e-4);
    }
  }
}

/// Scores of letters are those of their features; and of the path before the first and after the last.
void expect_letters_of_features() {
  const SmallKeyboard small;
  PathWeights weights = small.weights;
  for (std::size_t f = 0; f < weights.size(); ++f) weights[f] += .2F * static_cast<float>(f % 7) - .5F;
  const SwipePath path = small.swipe("tree", 6);
  RoleRows letters;
  internal::score_letters(path, weights, letters);
  for (std::size_t role = 0; role < kLetterRoles; ++role)
    for (Key letter = 0; letter < kKeyCount; ++letter)
      for (std::size_t t = 0; t < PathLattice::kPoints; ++t) {
        float sum = 0;
        visit_letter(path, letter, static_cast<LetterRole>(role), t,
                     [&](std::size_t feature, float value) { sum += weights[feature] * value; });
        const auto passed = path.step() * static_cast<float>(t);
        if (static_cast<LetterRole>(role) == LetterRole::kFirst) sum += weights[PathFeature::kHead] * passed;
        if (static_cast<LetterRole>(role) == LetterRole::kLast)
          sum += weights[PathFeature::kTail] * (path.length - passed);
        EXPECT_NEAR(letters[role][letter][t], sum, 2e-4);
      }
}

TEST(PathKernelsTest, ScoresOfLettersAreSumsOfTheirFeatures) {
  testing::for_each_instruction_set(expect_letters_of_features);
}
TEST(PathKernelsTest, StrokesAreSumsOfTheirFeatures) { testing::for_each_instruction_set(expect_strokes_of_features); }
TEST(PathKernelsTest, RestBoundsAreTheBestOfAllWords) { testing::for_each_instruction_set(expect_bounds_of_all_words); }
TEST(PathKernelsTest, ExtensionsAreTheBestPlacesToLeaveTheLetterBefore) {
  testing::for_each_instruction_set(expect_best_places_to_leave);
}

/// With bounds on what may follow, the search still finds what a walk over all words finds.
TEST(PathLatticeTest, NoWordOfADictionaryOfAllLengthsIsMissed) {
  Random random(9);
  std::vector<CountedWord> words;
  for (std::size_t length = 1; length <= 14; ++length)
    for (int i = 0; i < 12; ++i) {
      std::string word;
      for (std::size_t j = 0; j < length; ++j) word += static_cast<char>('a' + random.uniform_index(4));
      if (std::ranges::find(words, word, &CountedWord::word) == words.end())
        words.push_back({.word = word, .count = 1. + random.uniform_index(50)});
    }
  const WordTrie trie(words);
  const PathWeights weights = first_path_weights();
  PathLattice lattice(weights, trie);
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    Random finger(seed);
    const std::string& meant = words[random.uniform_index(static_cast<std::uint32_t>(words.size()))].word;
    lattice.set(swipe_path(GeneratedGestures(trie.words(), {.tremor = .3}, Random(1)).type(meant, finger)));
    const std::vector<PathCandidate> found = lattice.best_words(5), all = lattice.best_words(words.size());
    ASSERT_EQ(all.size(), words.size());
    for (std::size_t i = 0; i < found.size(); ++i) EXPECT_NEAR(found[i].score, all[i].score, 1e-4) << meant;
  }
}

TEST(SwipePathTest, TimeIsSpentWhereTheEventsWere) {
  const Gesture gesture{.id = "1",
                        .word = "ap",
                        .keys = keys_of("ap", {}),
                        .points = {key_centre(0), key_centre('p' - 'a')},
                        .events = keys_of("aaaaaaaaaaaaasdp", {})};
  const SwipePath path = swipe_path(gesture);
  EXPECT_NEAR(path.length, distance(key_centre(0), key_centre('p' - 'a')), 1e-4);
  EXPECT_EQ(path.events, 16);
  EXPECT_GT(path.pace.front(), path.pace[20]);
  EXPECT_NEAR(path.turn[15], 0, 1e-5);
}

}  // namespace
}  // namespace fovea::gestures
