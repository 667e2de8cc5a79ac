// SPDX-License-Identifier: Apache-2.0
#include "fovea/cli/run/console.h"

#include <gtest/gtest.h>
#include <stdlib.h>

#include <sstream>

namespace fovea::cli {
namespace {

struct Streams {
  std::ostringstream out, err;
};

TEST(ConsoleTest, KeepsResultsApartFromTalk) {
  Streams s;
  Console console(s.out, s.err, {});
  console.out() << "answer\n";
  console.note("reading a.txt");
  console.warn("label X was never seen");
  console.error("a.txt:7: ragged");
  EXPECT_EQ(s.out.str(), "answer\n");
  EXPECT_EQ(s.err.str(),
            "fovea: reading a.txt\nfovea: warning: label X was never seen\nfovea: error: a.txt:7: ragged\n");
}

TEST(ConsoleTest, QuietSilencesAllButErrors) {
  Streams s;
  Console console(s.out, s.err, {.progress = true});
  console.set_quiet(true);
  console.note("reading");
  console.warn("odd");
  EXPECT_FALSE(console.progress());
  console.error("wrong");
  console.note("still quiet");
  EXPECT_EQ(s.err.str(), "fovea: error: wrong\n");
}

TEST(ConsoleTest, ColoursOnlyWhereTheyAreSeen) {
  Streams s;
  Console(s.out, s.err, {.color_err = true}).error("wrong");
  EXPECT_EQ(s.err.str(), "fovea: \x1b[1;31merror: \x1b[0mwrong\n");
  EXPECT_FALSE(Console(s.out, s.err, {.color_err = true}).color());
  EXPECT_TRUE(Console(s.out, s.err, {.color_out = true}).color());
}

TEST(ConsoleTest, EnvironmentForbidsColours) {
  ::setenv("TERM", "xterm", 1);
  ::setenv("NO_COLOR", "1", 1);
  const Console::Capabilities capabilities = Console::detect();
  ::unsetenv("NO_COLOR");
  EXPECT_FALSE(capabilities.color_out);
  EXPECT_FALSE(capabilities.color_err);
}

TEST(ConsoleTest, ProgressNeedsATerminal) {
  Streams s;
  EXPECT_FALSE(Console(s.out, s.err, {}).progress());
  Console terminal(s.out, s.err, {.progress = true});
  terminal.progress()({.phase = "reading", .done = 1});
  terminal.note("done");
  EXPECT_EQ(s.err.str(), "\r\x1b[Kreading 1\r\x1b[Kfovea: done\n");
}

TEST(ConsoleTest, FailuresAreAlsoJsonOnRequest) {
  Streams s;
  Console console(s.out, s.err, {});
  console.report({.code = ExitCode::kLimit, .kind = "limit", .message = "late"}, false);
  EXPECT_EQ(s.out.str(), "");
  console.report({.code = ExitCode::kLimit, .kind = "limit", .message = "late"}, true);
  EXPECT_EQ(s.out.str(), "{\"error\":{\"exit_code\":5,\"kind\":\"limit\",\"message\":\"late\"}}\n");
}

}  // namespace
}  // namespace fovea::cli
