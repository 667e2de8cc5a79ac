// SPDX-License-Identifier: Apache-2.0
#include "fovea/synthesis/invariant/linear_span.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace fovea::synthesis {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(LinearSpan, FormsAreReducedToOneOfEachDirection) {
  EXPECT_THAT(canonical_form({0, -4, 6}), ElementsAre(0, 2, -3));
  EXPECT_THAT(canonical_form({0, 0}), IsEmpty());
  EXPECT_THAT(canonical_form({1, 2'000'000}), IsEmpty());
}

TEST(LinearSpan, FindsWhatIsTheSameInAllStates) {
  EXPECT_THAT(constant_forms({{1, 10}, {3, 9}, {5, 8}}), ElementsAre(ElementsAre(1, 2)));  // i + 2 j = 21
  EXPECT_THAT(constant_forms({{0, 0, 7}, {1, 2, 7}, {2, 1, 7}}), ElementsAre(ElementsAre(0, 0, 1)));
  EXPECT_THAT(constant_forms({{4, 5}}), ElementsAre(ElementsAre(1, 0), ElementsAre(0, 1)));
  EXPECT_THAT(constant_forms({{0, 0}, {1, 0}, {0, 1}}), IsEmpty());
  EXPECT_THAT(constant_forms({}), IsEmpty());
}

TEST(LinearSpan, FormsOfSeveralDimensionsAreABasis) {
  // x + y = 3 i and z = 2 i + 1.
  const std::vector<ProgramState> states = {{0, 0, 0, 1}, {1, 2, 1, 3}, {2, 1, 1, 3}, {3, 3, 2, 5}};
  const std::vector<LinearCoefficients> forms = constant_forms(states);
  EXPECT_EQ(forms.size(), 2U);
  for (const LinearCoefficients& form : forms) {
    const auto value = [&](const ProgramState& state) {
      std::int64_t sum = 0;
      for (std::size_t i = 0; i < 4; ++i) sum += form[i] * state[i];
      return sum;
    };
    for (const ProgramState& state : states) EXPECT_EQ(value(state), value(states[0]));
  }
}

TEST(LinearSpan, GivesUpWhereNumbersBecomeLarge) {
  const std::int64_t huge = std::int64_t{1} << 62;
  EXPECT_THAT(constant_forms({{huge, 0}, {-huge, 1}}), IsEmpty());
}

}  // namespace
}  // namespace fovea::synthesis
