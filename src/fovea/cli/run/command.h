// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "fovea/base/options.h"
#include "fovea/base/run.h"
#include "fovea/cli/run/bind_options.h"
#include "fovea/cli/run/console.h"

namespace fovea::cli {

/// The options that every subcommand takes.
struct CommonOptions {
  int threads = 0;
  std::uint64_t seed = 1;
  bool json = false;
  bool quiet = false;
  bool phases = false;

  static void describe(auto&& visit) {
    visit(&CommonOptions::threads,
          number_in(0, 1024, "threads", "Number of threads; 0 is all cores. It never changes the answer."));
    visit(&CommonOptions::seed, option("seed", "Seed of all random numbers: the same seed gives the same answer."));
    visit(&CommonOptions::json, option("json", "Write the result as JSON."));
    visit(&CommonOptions::quiet,
          OptionInfo{.name = "quiet", .description = "Write only results and errors.", .letter = 'q'});
    visit(&CommonOptions::phases,
          option("phases",
                 "Say at the end how long each phase took and how many cores worked, on standard error; with one "
                 "thread, also what more cores are predicted to take. With --json, as JSON."));
  }
};

/// The option that all `fovea generate` commands share.
struct GenerateOptions {
  std::string output;

  static void describe(auto&& visit) {
    visit(&GenerateOptions::output, output_file("output", "Where to write; standard output if omitted or -.", 'o'));
  }
};

/// Everything that a running command may use besides its own options.
struct Context {
  const CommonOptions& common;
  Console& console;
  const CancelToken& cancel;                      ///< set by Ctrl-C: stop at the next safe point, keep the best so far
  std::chrono::steady_clock::time_point started;  ///< of the process: time limits count from here
  PhaseLog& phases;
};

/// A Run for the library that stops with the process and speaks through the console.
inline Run run_of(const Context& context) {
  return {.stop = {.cancel = &context.cancel},
          .threads = context.common.threads,
          .random = Random(context.common.seed),
          .progress = context.console.progress(),
          .warn = context.console.warnings(),
          .note = [&console = context.console](const std::string& text) { console.note(text); },
          .phases = &context.phases,
          .started = context.started};
}

/// One subcommand: its options and what it does with them. One object serves one run.
class Command {
 public:
  virtual ~Command() = default;

  /// Binds the members that hold the options and arguments.
  virtual void bind(Binder& binder) = 0;

  /// False for a group of options, by its heading, that cannot be used with the options given so far: --help leaves it
  /// out.
  virtual bool is_shown([[maybe_unused]] std::string_view group) const { return true; }

  /// Called after the options have been read and validated. Results go to context.console.out(). Failure is an
  /// exception of base/error.h; returning means success, or, if context.cancel is set, an interruption that kept the
  /// best answer so far.
  virtual void run(const Context& context) = 0;
};

/// A row of the table of subcommands (commands.cc).
struct CommandEntry {
  const char* name;         ///< one word, or two where commands share the first: "tag", "eval tags"
  const char* summary;      ///< one line of `fovea --help`
  const char* description;  ///< further lines of `fovea <name> --help`: what is read, what is written
  const char* examples;     ///< command lines, one a line
  std::unique_ptr<Command> (*create)();
  const char* job = "";  ///< heading in `fovea --help`, the same for neighbours in the table
};

/// The entry of the command C, to which all_commands() adds the job.
template <class C>
CommandEntry command_of(const char* name, const char* summary, const char* description, const char* examples) {
  return {.name = name,
          .summary = summary,
          .description = description,
          .examples = examples,
          .create = []() -> std::unique_ptr<Command> { return std::make_unique<C>(); }};
}

}  // namespace fovea::cli
