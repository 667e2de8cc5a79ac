// SPDX-License-Identifier: Apache-2.0
#include "fovea/base/error.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/expect_error.h"

namespace fovea {
namespace {

std::string text(InputLocation location, std::string_view remedy = {}) {
  return InputError(std::move(location), "it is wrong", remedy).what();
}

TEST(ErrorTest, InputErrorSaysWhereWhatAndWhatToDo) {
  EXPECT_EQ(text({}), "it is wrong");
  EXPECT_EQ(text({.file = "a.txt"}), "a.txt: it is wrong");
  EXPECT_EQ(text({.file = "a.txt", .line = 7}), "a.txt:7: it is wrong");
  EXPECT_EQ(text({.file = "a.txt", .line = 7, .column = 2}, "Fix it"), "a.txt:7: column 2: it is wrong. Fix it");
  EXPECT_EQ(text({.line = 7}), "line 7: it is wrong");
  EXPECT_STREQ(InputError({}, "unknown. Did you mean 'x'?", "Fix it").what(), "unknown. Did you mean 'x'? Fix it");
}

TEST(ErrorTest, FailedCheckNamesPlaceAndCondition) {
  const int answer = 41;
  FOVEA_CHECK(answer == 41);
  EXPECT_THAT(testing::message_of<InternalError>([&] { FOVEA_CHECK(answer == 42); }),
              AllOf(HasSubstr("error_test.cc:"), HasSubstr("answer == 42"), HasSubstr("bug in Fovea")));
}

}  // namespace
}  // namespace fovea
