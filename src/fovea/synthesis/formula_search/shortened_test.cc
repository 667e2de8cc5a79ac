// SPDX-License-Identifier: Apache-2.0
#include "fovea/synthesis/formula_search/shortened.h"

#include <gtest/gtest.h>

namespace fovea::synthesis {
namespace {

TEST(ShortenedTest, KeepsWhatTheExamplesNeed) {
  ExampleSet examples(2);
  examples.add_good(ExampleSet::Row{1, 0});
  examples.add_bad(ExampleSet::Row{5, 0});
  examples.add_bad(ExampleSet::Row{0, 3});
  const Dnf formula = {{{{{1, 0}, 2}, {{0, 1}, 2}, {{-1, 0}, 9}},  // x <= 2 and y <= 2 and x >= -9
                        {{{1, 1}, -20}}}};
  const Dnf expected = {{{{{1, 0}, 2}, {{0, 1}, 2}}}};
  EXPECT_EQ(shortened(formula, examples), expected);
  EXPECT_EQ(shortened(expected, examples), expected);
}

TEST(ShortenedTest, NeverErrsMore) {
  ExampleSet examples(1);
  examples.add_good(ExampleSet::Row{0});
  examples.add_bad(ExampleSet::Row{1});
  examples.add_implication(ExampleSet::Row{0}, ExampleSet::Row{-1});
  const Dnf formula = {{{{{1}, 0}, {{-1}, 0}}, {{{1}, -1}}}};  // x = 0 or x <= -1
  const Dnf shorter = shortened(formula, examples);
  EXPECT_EQ(examples.errors(formula), 0u);
  EXPECT_EQ(examples.errors(shorter), 0u);
  EXPECT_EQ(simplified(shorter).text(std::vector<std::string>{"x"}), "x <= 0");
}

}  // namespace
}  // namespace fovea::synthesis
