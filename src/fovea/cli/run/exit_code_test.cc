// SPDX-License-Identifier: Apache-2.0
#include "fovea/cli/run/exit_code.h"

#include <gtest/gtest.h>

#include <cerrno>
#include <new>
#include <system_error>

namespace fovea::cli {
namespace {

template <class Exception>
Failure failure_of_thrown(const Exception& exception) {
  return failure_of(std::make_exception_ptr(exception));
}

TEST(ExitCodeTest, EveryExceptionHasItsCode) {
  EXPECT_EQ(failure_of_thrown(InternalError("bug")).code, ExitCode::kInternalError);
  EXPECT_EQ(failure_of_thrown(std::runtime_error("bug")).code, ExitCode::kInternalError);
  EXPECT_EQ(failure_of_thrown(42).code, ExitCode::kInternalError);
  EXPECT_EQ(failure_of_thrown(UsageError("--x")).code, ExitCode::kUsage);
  EXPECT_EQ(failure_of_thrown(InputError({}, "ragged")).code, ExitCode::kBadInput);
  EXPECT_EQ(failure_of_thrown(InfeasibleError("none")).code, ExitCode::kInfeasible);
  EXPECT_EQ(failure_of_thrown(LimitError("late")).code, ExitCode::kLimit);
  EXPECT_EQ(failure_of_thrown(std::bad_alloc()).code, ExitCode::kLimit);
  EXPECT_EQ(failure_of_thrown(std::system_error(EAGAIN, std::generic_category())).code, ExitCode::kLimit);
  EXPECT_EQ(failure_of_thrown(std::system_error(EIO, std::generic_category())).code, ExitCode::kInternalError);
  EXPECT_EQ(failure_of_thrown(CancelledError("stopped")).code, ExitCode::kInterrupted);
}

TEST(ExitCodeTest, NumbersAreTheInterface) {
  EXPECT_EQ(static_cast<int>(ExitCode::kAnswer), 0);
  EXPECT_EQ(static_cast<int>(ExitCode::kInternalError), 1);
  EXPECT_EQ(static_cast<int>(ExitCode::kUsage), 2);
  EXPECT_EQ(static_cast<int>(ExitCode::kBadInput), 3);
  EXPECT_EQ(static_cast<int>(ExitCode::kInfeasible), 4);
  EXPECT_EQ(static_cast<int>(ExitCode::kLimit), 5);
  EXPECT_EQ(static_cast<int>(ExitCode::kInterrupted), 130);
}

TEST(ExitCodeTest, JsonHoldsWhatIsKnown) {
  EXPECT_EQ(failure_of_thrown(LimitError("late")).json(),
            R"({"error":{"exit_code":5,"kind":"limit","message":"late"}})");
  EXPECT_EQ(failure_of_thrown(InputError({.file = "a.txt", .line = 7, .column = 2}, "\xff")).json(),
            "{\"error\":{\"exit_code\":3,\"kind\":\"input\",\"message\":\"a.txt:7: column 2: \xEF\xBF\xBD\","
            "\"file\":\"a.txt\",\"line\":7,\"column\":2}}");
}

}  // namespace
}  // namespace fovea::cli
