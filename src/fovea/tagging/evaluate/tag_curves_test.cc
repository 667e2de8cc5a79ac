// SPDX-License-Identifier: Apache-2.0
#include "fovea/tagging/evaluate/tag_curves.h"

#include <gtest/gtest.h>

namespace fovea::tagging {
namespace {

TagCurvePoint point(sequence::DecodeMethod method, sequence::DecodeStart start, double accuracy, double f1,
                    double seconds) {
  TagCurvePoint row;
  row.options.method = method;
  row.options.start = start;
  row.accuracy = accuracy;
  row.f1 = f1;
  row.seconds = {seconds};
  return row;
}

std::vector<double> seconds_of(const TagCurves& curves) {
  std::vector<double> seconds;
  for (const TagCurvePoint& row : curves.rows) seconds.push_back(row.median_seconds());
  return seconds;
}

TEST(TagCurves, KeepTheFastestOfEachMethodAndStartThatIsCloseToItsBest) {
  TagCurves curves;
  curves.rows = {point(sequence::DecodeMethod::kGibbs, sequence::DecodeStart::kUnigram, .90, .5, 1),
                 point(sequence::DecodeMethod::kGibbs, sequence::DecodeStart::kUnigram, .93, .4, 2),
                 point(sequence::DecodeMethod::kGibbs, sequence::DecodeStart::kUnigram, .931, .3, 4),
                 point(sequence::DecodeMethod::kGibbs, sequence::DecodeStart::kUnigram, .931, .3, 3),
                 point(sequence::DecodeMethod::kGibbs, sequence::DecodeStart::kRandom, .80, .2, 5),
                 point(sequence::DecodeMethod::kExact, sequence::DecodeStart::kUnigram, .95, .1, 7)};
  EXPECT_EQ(seconds_of(curves.cheapest(.002)), (std::vector<double>{2, 5, 7}));
  EXPECT_EQ(seconds_of(curves.cheapest(0)), (std::vector<double>{3, 5, 7}));
  curves.has_entities = true;  // then F1 counts
  EXPECT_EQ(seconds_of(curves.cheapest(.002)), (std::vector<double>{1, 5, 7}));
}

}  // namespace
}  // namespace fovea::tagging
