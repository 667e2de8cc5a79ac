// SPDX-License-Identifier: Apache-2.0
#include "fovea/cli/run/program.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

#include "fovea/cli/run/exit_code.h"
#include "tests/support/expect_error.h"

namespace fovea::cli {
namespace {

struct FailOptions {
  std::string with = "nothing";
  static void describe(auto&& visit) {
    visit(&FailOptions::with, OptionInfo{.name = "with", .description = "What to throw.", .value_name = "WHAT"});
  }
};

/// Throws what it is told to.
class Fail : public Command {
 public:
  static std::unique_ptr<Command> create() { return std::make_unique<Fail>(); }
  void bind(Binder& binder) override { binder.options(options_); }
  void run(const Context& context) override {
    context.console.out() << "begun\n";
    const std::string& what = options_.with;
    if (what == "bug") FOVEA_CHECK(what.empty());
    if (what == "input") throw InputError({.file = "a.txt", .line = 7}, "ragged", "Make it even");
    if (what == "infeasible") throw InfeasibleError("no labeling");
    if (what == "limit") throw LimitError("no time");
    if (what == "interrupt") throw CancelledError("stopped before there was an answer");
    if (what == "memory") throw std::bad_alloc();
    if (what == "closed") throw OutputClosed();
  }

 private:
  FailOptions options_;
};

/// Prints its argument and the common options.
class Echo : public Command {
 public:
  static std::unique_ptr<Command> create() { return std::make_unique<Echo>(); }
  void bind(Binder& binder) override {
    binder.argument(word_, {.name = "WORD", .description = "What to say."}, Binder::Presence::kRequired);
  }
  void run(const Context& context) override {
    context.console.note("about to speak");
    context.console.out() << word_ << ' ' << context.common.threads << ' ' << context.common.seed << '\n';
  }

 private:
  std::string word_;
};

constexpr CommandEntry kCommands[] = {
    {"fail", "Fail in a chosen way", "It reads nothing.", "  fovea fail --with input", Fail::create},
    {"echo", "Say a word", "It writes it.", "  fovea echo hello", Echo::create},
    {"eval tags", "Score tags", "", "", Echo::create, "Scores"},
    {"eval clusters", "Score clusters", "", "", Echo::create, "Scores"},
};

struct Outcome {
  int status;
  std::string out, err;
};

Outcome run(const std::vector<std::string>& args, bool interrupted = false) {
  std::ostringstream out, err;
  Console console(out, err, {});
  CancelToken cancel;
  if (interrupted) cancel.cancel();
  const int status = run_program(kCommands, args, {.console = console, .cancel = cancel});
  return {status, out.str(), err.str()};
}

TEST(ProgramTest, RunsTheCommandWithItsOptions) {
  const Outcome o = run({"echo", "hello", "--threads", "3", "--seed", "9"});
  EXPECT_EQ(o.status, 0);
  EXPECT_EQ(o.out, "hello 3 9\n");
  EXPECT_EQ(o.err, "fovea: about to speak\n");
  EXPECT_EQ(run({"echo", "-q", "hello"}).err, "");
}

TEST(ProgramTest, CommandsMayHaveTwoWords) {
  EXPECT_EQ(run({"eval", "tags", "a"}).out, "a 0 1\n");
  const Outcome o = run({"eval"});
  EXPECT_EQ(o.status, 2);
  EXPECT_THAT(o.err, AllOf(HasSubstr("eval tags"), HasSubstr("eval clusters"), Not(HasSubstr("echo"))));
}

TEST(ProgramTest, HelpGroupsCommandsByJob) {
  EXPECT_THAT(run({"--help"}).out, HasSubstr("\nScores:\n  eval tags          Score tags\n  eval clusters "));
}

TEST(ProgramTest, ExceptionsBecomeExitCodes) {
  EXPECT_EQ(run({"fail"}).status, 0);
  EXPECT_EQ(run({"fail", "--with", "bug"}).status, 1);
  EXPECT_EQ(run({"fail", "--with", "input"}).status, 3);
  EXPECT_EQ(run({"fail", "--with", "infeasible"}).status, 4);
  EXPECT_EQ(run({"fail", "--with", "limit"}).status, 5);
  EXPECT_EQ(run({"fail", "--with", "memory"}).status, 5);
  EXPECT_EQ(run({"fail", "--with", "interrupt"}).status, 130);
}

TEST(ProgramTest, ErrorsGoToStandardError) {
  const Outcome o = run({"fail", "--with", "input"});
  EXPECT_EQ(o.err, "fovea: error: a.txt:7: ragged. Make it even\n");
  EXPECT_EQ(o.out, "begun\n");
  EXPECT_THAT(run({"fail", "--with", "memory"}).err, HasSubstr("out of memory"));
}

TEST(ProgramTest, ErrorsAreTheLastLineOfJsonOutput) {
  EXPECT_THAT(run({"fail", "--json", "--with", "limit"}).out, HasSubstr("\n{\"error\":{\"exit_code\":5,"));
  EXPECT_THAT(run({"nonsense", "--json"}).out, StartsWith("{\"error\":{\"exit_code\":2,\"kind\":\"usage\""));
}

TEST(ProgramTest, ReaderThatWentAwayIsNoFailure) {
  const Outcome o = run({"fail", "--with", "closed"});
  EXPECT_EQ(o.status, 0);
  EXPECT_EQ(o.err, "");
}

TEST(ProgramTest, InterruptedRunThatKeptItsBestReturns130) {
  const Outcome o = run({"echo", "best"}, true);
  EXPECT_EQ(o.status, 130);
  EXPECT_EQ(o.out, "best 0 1\n");
}

TEST(ProgramTest, UsageErrorsPointToHelpAndSuggestNames) {
  const auto expect_usage_error = [](const std::vector<std::string>& args, const std::string& text) {
    const Outcome o = run(args);
    EXPECT_EQ(o.status, 2);
    EXPECT_EQ(o.out, "");
    EXPECT_THAT(o.err, AllOf(StartsWith("fovea: error: "), HasSubstr(text), HasSubstr("--help")));
  };
  expect_usage_error({}, "a command is needed");
  expect_usage_error({"ecko", "hello"}, "unknown command 'ecko'. Did you mean 'echo'?");
  expect_usage_error({"--threads", "2", "echo", "hello"}, "options come after the command");
  expect_usage_error({"echo", "hello", "--thread", "2"}, "unknown option '--thread'. Did you mean '--threads'?");
  expect_usage_error({"echo", "--thread=2"}, "unknown option '--thread'. Did you mean '--threads'?");
  expect_usage_error({"echo", "hello", "world"}, "unexpected argument 'world'");
  expect_usage_error({"echo"}, "WORD is required");
  expect_usage_error({"echo", "hello", "--threads"}, "--threads");
  expect_usage_error({"echo", "hello", "--threads", "many"}, "--threads many: must be a whole number");
  expect_usage_error({"echo", "hello", "--threads", "-1"}, "--threads -1: must be at least 0");
}

TEST(ProgramTest, HelpIsAnAnswer) {
  for (const char* flag : {"--help", "-h", "help"}) {
    const Outcome o = run({flag});
    EXPECT_EQ(o.status, 0);
    EXPECT_THAT(o.out, AllOf(HasSubstr("Usage: fovea COMMAND"), HasSubstr("Say a word"), HasSubstr("eval tags")));
  }
  const Outcome o = run({"echo", "--help"});
  EXPECT_EQ(o.status, 0);
  EXPECT_THAT(o.out,
              AllOf(HasSubstr("Usage: fovea echo [OPTIONS] WORD"), HasSubstr("What to say."),
                    HasSubstr("Examples:\n  fovea echo hello"), HasSubstr("--threads N"), HasSubstr("-h,--help")));
  EXPECT_EQ(o.err, "");
}

TEST(ProgramTest, VersionIsAnAnswer) {
  const Outcome o = run({"--version"});
  EXPECT_EQ(o.status, 0);
  EXPECT_THAT(o.out, StartsWith("fovea "));
}

}  // namespace
}  // namespace fovea::cli
