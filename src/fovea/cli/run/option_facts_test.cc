// SPDX-License-Identifier: Apache-2.0
#include "fovea/cli/run/option_facts.h"

#include <gtest/gtest.h>

namespace fovea::cli {
namespace {

TEST(FlagSpellingTest, OptionsOfTheLibraryBecomeFlags) {
  EXPECT_EQ(with_flags("option 'svg' needs option 'show-sampling'"), "--svg needs --show-sampling");
  EXPECT_EQ(with_flags("use option 'method exact' or beam"), "use --method exact or beam");
  EXPECT_EQ(with_flags("option 'budget' '3 parsecs': write 20 sweeps"), "--budget '3 parsecs': write 20 sweeps");
}

TEST(FlagSpellingTest, OtherTextStays) {
  for (const char* text :
       {"", "a.txt:3: label 'option' is unknown", "unknown option '--thread'", "an option 'without end", "option"})
    EXPECT_EQ(with_flags(text), text);
}

}  // namespace
}  // namespace fovea::cli
