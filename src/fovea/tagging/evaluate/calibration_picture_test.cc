// SPDX-License-Identifier: Apache-2.0
#include "fovea/tagging/evaluate/calibration_picture.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace fovea::tagging {
namespace {

std::size_t occurrences(std::string_view text, std::string_view part) {
  std::size_t count = 0;
  for (std::size_t at = text.find(part); at != text.npos; at = text.find(part, at + 1)) ++count;
  return count;
}

TEST(CalibrationPictureTest, HasABarForEachBinWithItems) {
  Calibration calibration;
  for (const double confidence : {.31, .32, .95})
    calibration.add({.confidence = confidence, .right = confidence > .31});
  const std::string svg = calibration_svg(calibration, 10);
  EXPECT_TRUE(svg.starts_with("<svg xmlns="));
  EXPECT_TRUE(svg.ends_with("</svg>\n"));
  EXPECT_EQ(occurrences(svg, "steelblue\" stroke=\"white"), 2u);
  EXPECT_EQ(occurrences(svg, "fill=\"silver\""), 2u);
  EXPECT_EQ(occurrences(svg, "<text"), occurrences(svg, "</text>"));
  EXPECT_THAT(svg, ::testing::HasSubstr("2 items, mean confidence 0.3150, accuracy 0.5000"));
  EXPECT_THAT(svg, ::testing::HasSubstr("calibration error 14.00 %"));  // (2 * .185 + .05) / 3
}

TEST(CalibrationPictureTest, RiskAxisEndsAboveTheGreatestRisk) {
  Calibration right, wrong, mixed;
  right.add({.confidence = 1, .right = true});
  wrong.add({.confidence = 1, .right = false});
  for (int i = 0; i < 1000; ++i) mixed.add({.confidence = 1 - i / 1000., .right = i % 70 != 69});
  for (const auto* all : {&right, &wrong}) EXPECT_EQ(occurrences(calibration_svg(*all, 1), ">1</text>"), 4u + 1u);
  const std::string svg = calibration_svg(mixed, 15);
  EXPECT_EQ(occurrences(svg, ">0.02</text>"), 1u) << "1/70 is the greatest risk";
  EXPECT_EQ(occurrences(svg, "nan"), 0u);
}

}  // namespace
}  // namespace fovea::tagging
