// SPDX-License-Identifier: Apache-2.0
#include "fovea/gestures/gesture.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>

#include "tests/support/expect_error.h"
#include "tests/support/temporary_folder.h"

namespace fovea::gestures {
namespace {

using testing::TemporaryFolder;

std::vector<Gesture> gestures_in(const std::string& text) {
  const TemporaryFolder folder;
  std::ofstream(folder / "swipes.tsv") << text;
  return read_labelled_gestures(folder / "swipes.tsv").gestures;
}

std::string refusal_of_gestures(const std::string& text) {
  return testing::message_of<InputError>([&] { gestures_in(text); });
}

TEST(GestureReaderTest, ReadsWhatIsWritten) {
  Gesture gesture{.id = "7", .word = "ab", .keys = {0, 1}, .points = {{1, 2.5F}, {-.25F, 3}}, .events = {}};
  std::string text(kGestureHeader);
  append_gesture(gesture, text);
  const std::vector<Gesture> read = gestures_in(text);
  ASSERT_EQ(read.size(), 1U);
  EXPECT_EQ(read[0].id, "7");
  EXPECT_EQ(read[0].word, "ab");
  EXPECT_EQ(read[0].keys, gesture.keys);
  EXPECT_EQ(read[0].points, gesture.points);
  EXPECT_EQ(read[0].events, gesture.keys);
}

TEST(GestureReaderTest, PrefersKeysInSpaceAndEventsInTimeAndLeavesOutFailures) {
  const std::vector<Gesture> read = gestures_in(
      "keys_events\tuid\tis_err\tword\tkeys_halfkey\txy32\n"
      "aaab\tu\t0\tab\tab\t100,150 600,253\n"
      "aaab\tu\t1\tab\tab\t100,150\n");
  ASSERT_EQ(read.size(), 1U);
  EXPECT_EQ(read[0].keys, (std::vector<Key>{0, 1}));
  EXPECT_EQ(read[0].events, (std::vector<Key>{0, 0, 0, 1}));
  EXPECT_EQ(read[0].points[1], (KeyboardPoint{.x = 6, .y = 2.53F}));
}

TEST(GestureReaderTest, SaysWhichCellIsWrong) {
  EXPECT_THAT(refusal_of_gestures("uid\tword\nu\ta\n"), HasSubstr("no column 'keys'"));
  EXPECT_THAT(refusal_of_gestures("word\tkeys\na\ta\n"), HasSubstr("no column 'uid'"));
  EXPECT_THAT(refusal_of_gestures("uid\tkeys\nu\ta\n"), HasSubstr("no column 'word'"));
  EXPECT_THAT(refusal_of_gestures("uid\tword\tkeys\n"), HasSubstr("no gestures"));
  EXPECT_THAT(refusal_of_gestures("uid\tword\tkeys\nu\ta\ta\nu\ta\ta7\n"),
              AllOf(HasSubstr("swipes.tsv:3"), HasSubstr("'a7'"), HasSubstr("a .. z")));
  EXPECT_THAT(refusal_of_gestures("uid\tword\tkeys\nu\ta\n"), HasSubstr("swipes.tsv:2"));
  for (const char* points : {"5", "5,", ",5", "5,6,7", "5,6  7,8", "a,b", "5,6 ", "nan,1", "1,1e9"})
    EXPECT_THAT(refusal_of_gestures(std::string("uid\tword\tkeys\txy\nu\ta\ta\t") + points + "x\n"),
                AllOf(HasSubstr("swipes.tsv:2"), HasSubstr("not a list of points")))
        << points;
}

TEST(MakeGestureTest, IsWhatAFileWithTheSamePartsHolds) {
  const std::vector<Gesture> read = gestures_in("uid\tword\tkeys\tkeys_events\txy\nu\tab\tab\taaab\t100,150 600,253\n");
  const std::vector<double> xy = {100, 150, 600, 253};
  const Gesture made = make_gesture("ab", xy, "aaab", {});
  EXPECT_EQ(made.keys, read[0].keys);
  EXPECT_EQ(made.points, read[0].points);
  EXPECT_EQ(made.events, read[0].events);
  const std::vector<double> centres = {100 * key_centre(7).x, 100 * key_centre(7).y, 100 * key_centre(8).x,
                                       100 * key_centre(8).y};
  EXPECT_EQ(make_gesture("", centres, "", {}).keys, (std::vector<Key>{7, 8}));
  EXPECT_THROW(make_gesture("", {}, "", {}), InputError);
  EXPECT_THROW(make_gesture("a7", {}, "", {}), InputError);
  EXPECT_THROW(make_gesture(std::string(1001, 'a'), {}, "", {}), InputError);
  const std::vector<double> beyond = {1, std::nan("")};
  EXPECT_THROW(make_gesture("a", beyond, "", {}), InputError);
}

TEST(ResampleTest, PointsAreAtEqualStepsOfTheWay) {
  const auto points = resample<5>({{0, 0}, {3, 0}, {3, 1}});
  for (std::size_t i = 0; i < 4; ++i) EXPECT_NEAR(distance(points[i], {static_cast<float>(i), 0}), 0, 1e-6) << i;
  EXPECT_NEAR(distance(points[4], {3, 1}), 0, 1e-6);
  for (const KeyboardPoint& point : resample<5>({{2, 1}})) EXPECT_EQ(point, (KeyboardPoint{.x = 2, .y = 1}));
}

}  // namespace
}  // namespace fovea::gestures
