// SPDX-License-Identifier: Apache-2.0
#include "fovea/cli/run/program.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <nlohmann/json.hpp>

#include "fovea/base/phase_log.h"
#include "fovea/base/task_clock.h"
#include "fovea/base/text.h"
#include "fovea/cli/run/exit_code.h"

namespace fovea::cli {
namespace {

using Commands = std::span<const CommandEntry>;
using Arguments = std::vector<std::string>;

std::size_t word_count(std::string_view name) {
  return 1 + static_cast<std::size_t>(std::count(name.begin(), name.end(), ' '));
}

std::string first_words(const Arguments& args, std::size_t count) {
  return fmt::format("{}", fmt::join(args.begin(), args.begin() + static_cast<std::ptrdiff_t>(count), " "));
}

const CommandEntry* find_command(Commands commands, const Arguments& args) {
  for (const CommandEntry& entry : commands) {
    const std::size_t words = word_count(entry.name);
    if (args.size() >= words && first_words(args, words) == entry.name) return &entry;
  }
  return nullptr;
}

std::string overview(Commands commands, std::string_view group = "") {
  std::string text;
  std::string_view job;
  for (const CommandEntry& entry : commands) {
    if (!std::string_view(entry.name).starts_with(group)) continue;
    if (group.empty() && entry.job != job) text += fmt::format("\n{}:\n", job = entry.job);
    text += fmt::format("  {:<18} {}\n", entry.name, entry.summary);
  }
  return text;
}

std::string program_help(Commands commands) {
  return fmt::format(
      "Structured prediction that spends computation where it changes the answer.\n\n"
      "Usage: fovea COMMAND [OPTIONS]\n{}\n"
      "Run 'fovea COMMAND --help' to see what a command reads, writes and takes, 'fovea --version' for the version.\n"
      "Exit status: 0 answer, 1 internal error, 2 usage, 3 bad input, 4 infeasible, 5 limit hit without an answer,\n"
      "130 interrupted.\n",
      overview(commands));
}

[[noreturn]] void refuse_command(Commands commands, const Arguments& args) {
  const std::string group = args[0] + " ";
  if (const std::string members = overview(commands, group); !members.empty())
    throw UsageError(fmt::format("'fovea {}' needs one of these:\n{}", args[0], members));
  if (args[0].starts_with('-')) throw UsageError("options come after the command. See fovea --help");
  std::vector<std::string> names;
  for (const CommandEntry& entry : commands) names.emplace_back(entry.name);
  throw UsageError(fmt::format("unknown command '{}'.{} See fovea --help", args[0], suggestion(args[0], names)));
}

/// Refuses arguments that CLI11 does not know and leaves over, and suggests the nearest name that it knows.
void refuse_leftovers(const CLI::App& app) {
  const Arguments leftovers = app.remaining();
  if (leftovers.empty()) return;
  const std::string word = leftovers[0].substr(0, leftovers[0].find('='));
  if (!word.starts_with('-')) throw UsageError(fmt::format("unexpected argument '{}'", word));
  Arguments flags;
  for (const CLI::Option* option : app.get_options())
    for (const std::string& name : option->get_lnames()) flags.push_back("--" + name);
  throw UsageError(fmt::format("unknown option '{}'.{}", word, suggestion(word, flags)));
}

void parse(CLI::App& app, Arguments args) {
  std::reverse(args.begin(), args.end());  // as CLI11 wants them
  try {
    app.parse(std::move(args));
  } catch (const CLI::Success&) {
    throw;
  } catch (const CLI::ParseError& error) {
    refuse_leftovers(app);
    throw UsageError(error.what());
  }
}

/// The phases of a job. With one thread, what more cores would take is predicted.
std::string phase_table(const PhaseLog& log, bool has_predictions) {
  std::string text = fmt::format("{:<26} {:>9} {:>9} {:>6}", "phase", "seconds", "CPU s", "cores");
  if (has_predictions) text += "   predicted for 2, 16, 64 and any number of cores";
  text += '\n';
  PhaseLog::Phase total{.name = "total"};
  const auto add = [&](const PhaseLog::Phase& phase) {
    text +=
        fmt::format("{:<26} {:>9.3f} {:>9.3f} {:>6.2f}", phase.name, phase.seconds, phase.cpu_seconds, phase.cores());
    for (const double seconds : phase.predicted)
      if (has_predictions) text += fmt::format(" {:>9.3f}", seconds);
    text += '\n';
  };
  for (const PhaseLog::Phase& phase : log.phases()) {
    add(phase);
    total.seconds += phase.seconds;
    total.cpu_seconds += phase.cpu_seconds;
    for (std::size_t k = 0; k < total.predicted.size(); ++k) total.predicted[k] += phase.predicted[k];
  }
  add(total);
  return text;
}

/// The same as a line of JSON.
std::string phase_json(const PhaseLog& log, bool has_predictions) {
  nlohmann::ordered_json phases = nlohmann::ordered_json::array();
  for (const PhaseLog::Phase& phase : log.phases()) {
    nlohmann::ordered_json record = {
        {"phase", phase.name}, {"seconds", phase.seconds}, {"cpu_seconds", phase.cpu_seconds}};
    if (has_predictions) record["predicted_seconds"] = phase.predicted;
    phases.push_back(std::move(record));
  }
  return nlohmann::ordered_json{{"phases", std::move(phases)}}.dump() + "\n";
}

ExitCode run_command(const CommandEntry& entry, const Arguments& args, const Environment& environment) {
  CLI::App app(fmt::format("{}\n{}", entry.summary, entry.description), fmt::format("fovea {}", entry.name));
  app.footer(fmt::format("Examples:\n{}", entry.examples));
  app.get_formatter()->column_width(30);
  app.set_help_flag();  // it comes back below: groups are printed in the order of their first option
  CommonOptions common;
  const std::unique_ptr<Command> command = entry.create();
  Binder binder(app);
  command->bind(binder);
  binder.options(common, "Common options");
  app.set_help_flag("-h,--help", "Print this help.")->group("Common options");
  try {
    parse(app, {args.begin() + static_cast<std::ptrdiff_t>(word_count(entry.name)), args.end()});
    binder.validate_all();
  } catch (const CLI::CallForHelp&) {
    for (CLI::Option* option : app.get_options())
      if (!command->is_shown(option->get_group())) option->group("");  // which CLI11 does not print
    environment.console.out() << app.help();
    return ExitCode::kAnswer;
  } catch (const UsageError& error) {
    throw UsageError(fmt::format("{}\nRun 'fovea {} --help' for the options", error.what(), entry.name));
  }
  check_files(binder.files());
  environment.console.set_quiet(common.quiet);
  PhaseLog phases;
  TaskClock clock;
  const bool predicts = common.phases && common.threads == 1;
  const TaskClock::Activation activation(predicts ? &clock : nullptr);
  command->run({common, environment.console, environment.cancel, environment.started, phases});
  phases.end();
  if (common.phases)
    environment.console.tell(common.json ? phase_json(phases, predicts) : phase_table(phases, predicts));
  return environment.cancel.cancelled() ? ExitCode::kInterrupted : ExitCode::kAnswer;
}

ExitCode dispatch(Commands commands, const Arguments& args, const Environment& environment) {
  const std::string first = args.empty() ? "" : args[0];
  if (first.empty()) throw UsageError("a command is needed\n\n" + program_help(commands));
  if (first == "--version") {
    environment.console.out() << "fovea " << FOVEA_VERSION << '\n';
    return ExitCode::kAnswer;
  }
  if (first == "-h" || first == "--help" || first == "help") {
    environment.console.out() << program_help(commands);
    return ExitCode::kAnswer;
  }
  const CommandEntry* entry = find_command(commands, args);
  if (!entry) refuse_command(commands, args);
  return run_command(*entry, args, environment);
}

}  // namespace

int run_program(Commands commands, const Arguments& args, const Environment& environment) {
  ExitCode code = ExitCode::kAnswer;
  try {
    code = dispatch(commands, args, environment);
    environment.console.clear_progress();
    environment.console.out().flush();
  } catch (const OutputClosed&) {
  } catch (...) {
    const Failure failure = failure_of(std::current_exception());
    environment.console.report(failure, std::find(args.begin(), args.end(), "--json") != args.end());
    code = failure.code;
  }
  return static_cast<int>(code);
}

}  // namespace fovea::cli
