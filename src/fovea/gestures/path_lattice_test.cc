// SPDX-License-Identifier: Apache-2.0
#include "fovea/gestures/path_lattice.h"

#include <gtest/gtest.h>

#include <functional>
#include <numeric>

#include "fovea/gestures/generated_gestures.h"

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

TEST(PathLatticeTest, KnotTablesLoseNothing) {
  const std::array<float, 8> values = {0, -1, .5F, 2, -3, .25F, 1, 7};
  const KnotTable table(kDistanceKnots, values);
  for (float x = -.5F; x < 5; x += .013F) {
    float exact = 0;
    visit_knots(kDistanceKnots, 0, x, [&](std::size_t i, float share) { exact += share * values[i]; });
    EXPECT_NEAR(table(x), exact, 1e-4) << x;
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
