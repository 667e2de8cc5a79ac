// SPDX-License-Identifier: Apache-2.0
#include "fovea/base/line_process.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <thread>

#include "fovea/base/error.h"
#include "tests/support/expect_error.h"

namespace fovea {
namespace {

using ::testing::HasSubstr;
using testing::message_of;

TEST(LineProcess, AnswersLineByLine) {
  LineProcess process("while read -r line; do echo \"<$line>\"; done");
  EXPECT_EQ(process.ask("one", {}), "<one>");
  EXPECT_EQ(process.ask("", {}), "<>");
  EXPECT_EQ(process.ask("two words", {}), "<two words>");
}

TEST(LineProcess, LongLinesPass) {
  LineProcess process("cat");
  const std::string line(1'000'000, 'x');
  EXPECT_EQ(process.ask(line, {}), line);
}

TEST(LineProcess, SaysThatTheCommandEnded) {
  LineProcess process("read -r line; echo 1; exit 3");
  EXPECT_EQ(process.ask("a", {}), "1");
  EXPECT_THAT(message_of<InputError>([&] { process.ask("b", {}); }),
              HasSubstr("ended with exit code 3 before it had answered line 2"));
  LineProcess unknown("no-such-command-of-fovea 2> /dev/null");
  EXPECT_THAT(message_of<InputError>([&] { unknown.ask("a", {}); }), HasSubstr("exit code 127"));
}

TEST(LineProcess, ACommandThatIsSilentCanBeStopped) {
  LineProcess process("sleep 100"), other("sleep 100");
  const auto started = std::chrono::steady_clock::now();
  EXPECT_THROW(process.ask("a", Stop{}.within(.1)), LimitError);
  CancelToken cancel;
  cancel.cancel();
  EXPECT_THROW(other.ask("a", {.cancel = &cancel}), CancelledError);
  EXPECT_LT(seconds_since(started), 5);
}

TEST(LineProcess, ALateAnswerIsNotTakenForThatOfTheNextQuestion) {
  LineProcess process("while read -r line; do sleep .2; echo $line; done");
  EXPECT_THROW(process.ask("first", Stop{}.within(.05)), LimitError);
  std::this_thread::sleep_for(std::chrono::milliseconds(400));
  EXPECT_THROW(process.ask("second", {}), LimitError);
}

TEST(LineProcess, ACommandThatDoesNotEndIsKilled) {
  const auto started = std::chrono::steady_clock::now();
  { LineProcess process("trap '' HUP TERM; sleep 100"); }
  EXPECT_LT(seconds_since(started), 10);
}

}  // namespace
}  // namespace fovea
