// SPDX-License-Identifier: Apache-2.0
#include "fovea/linkage/similarity/author_names.h"

#include <gtest/gtest.h>

#include "fovea/linkage/similarity/normalise.h"

namespace fovea::linkage {
namespace {

using enum AuthorNameAgreement;

TEST(AuthorNamesTest, EveryClass) {
  struct ClassCase {
    const char *a, *b;
    AuthorNameAgreement agreement;
  };
  constexpr ClassCase kCases[] = {
      {"", "Ann", kMissing},
      {"Ann", "Eve", kConflict},
      {"A.", "Eve", kConflict},
      {"A. B.", "A. C.", kConflict},
      {"Ann Beth", "Ann Clare", kConflict},
      {"Ann Beth", "Ann Bella", kConflict},
      {"Chris", "Christopher", kSimilar},
      {"Kate B.", "Cate", kSimilar},
      {"A.", "A. B.", kInitialOpen},
      {"A.", "Ann Beth", kInitialOpen},
      {"A.", "A.", kInitial},
      {"A", "Ann", kInitial},
      {"É.", "Emile", kInitial},
      {"A. B.", "Ann Beth", kInitialMiddle},
      {"A.B.", "A. B. C.", kInitialMiddle},
      {"Ann", "Ann B.", kFirstOpen},
      {"Ann", "ANN", kFirst},
      {"Minseok", "Min-Seok", kFirst},
      {"Ann B.", "Ann Beth", kFirstMiddle},
      {"J.-P.", "Jean-Paul", kInitialMiddle},
  };
  for (const auto& [a, b, agreement] : kCases) {
    EXPECT_EQ(compare_author_names(tokens(a), tokens(b)), agreement) << a << ", " << b;
    EXPECT_EQ(compare_author_names(tokens(b), tokens(a)), agreement) << b << ", " << a;
  }
}

}  // namespace
}  // namespace fovea::linkage
