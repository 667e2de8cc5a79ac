// SPDX-License-Identifier: Apache-2.0
#include "fovea/gestures/generated_gestures.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "fovea/base/random.h"

namespace fovea::gestures {
namespace {

const std::vector<CountedWord> kFewWords = {{"banana", 3}, {"with", 30}, {"the", 60}, {"keyboard", 2}, {"letter", 5}};

// 17 observations of 6 letters, 7 of them unaligned (d, s, d, b, f, s, s: what is left when b, a, n, n, n, a, a, j, j,
// j belong to letters), within the tolerance that one example allows.
TEST(GeneratedGesturesTest, MatchesThePublishedExample) {
  const GeneratedGestures gestures(kFewWords, {}, Random(1));
  Random random(2);
  constexpr int kTimes = 2000;
  double observations = 0, unaligned = 0;
  for (int i = 0; i < kTimes; ++i) {
    std::vector<bool> aligned;
    observations += static_cast<double>(gestures.type("banana", random, &aligned).keys.size());
    unaligned += static_cast<double>(std::count(aligned.begin(), aligned.end(), false));
  }
  EXPECT_NEAR(observations / kTimes / 6, 17. / 6, .15);
  EXPECT_NEAR(unaligned / observations, 7. / 17, .04);
}

TEST(GeneratedGesturesTest, WithoutTremorEveryLetterIsHit) {
  const GeneratedGestures gestures(kFewWords, {.tremor = 0}, Random(1));
  Random random(3);
  std::vector<bool> aligned;
  const Gesture gesture = gestures.type("banana", random, &aligned);
  std::string hit;
  for (std::size_t i = 0; i < gesture.keys.size(); ++i) {
    if (!aligned[i]) continue;
    const char letter = static_cast<char>('a' + gesture.keys[i]);
    if (hit.empty() || hit.back() != letter) hit += letter;  // no letter is doubled
  }
  EXPECT_EQ(hit, "banana");
}

TEST(GeneratedGesturesTest, WordsComeByTheirFrequency) {
  const GeneratedGestures gestures(kFewWords, {}, Random(4));
  int often = 0;
  for (std::uint64_t i = 0; i < 1000; ++i) often += gestures.gesture(i).word == "the" ? 1 : 0;
  EXPECT_NEAR(often, 600, 5 * 15.5);  // five standard deviations of a binomial
}

TEST(GeneratedGesturesTest, AGestureIsAFunctionOfItsIndex) {
  const GeneratedGestures gestures(kFewWords, {}, Random(5)), same(kFewWords, {}, Random(5)),
      other(kFewWords, {}, Random(6));
  EXPECT_EQ(gestures.gesture(7).points, same.gesture(7).points);
  EXPECT_NE(gestures.gesture(7).points, other.gesture(7).points);
  EXPECT_NE(gestures.gesture(7).points, gestures.gesture(8).points);
}

}  // namespace
}  // namespace fovea::gestures
