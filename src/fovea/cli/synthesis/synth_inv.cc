// SPDX-License-Identifier: Apache-2.0
// fovea synth inv: an inductive invariant that proves a loop.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "fovea/base/budget.h"
#include "fovea/base/error.h"
#include "fovea/base/run_control.h"
#include "fovea/cli/run/commands.h"
#include "fovea/io/output_file.h"
#include "fovea/synthesis/invariant/invariant_search.h"
#include "fovea/synthesis/program/term.h"
#include "fovea/synthesis/sygus/sygus.h"

namespace fovea::cli {
namespace {

struct SynthInvOptions {
  std::string time_limit, output;

  template <class V>
  static void describe(V&& visit) {
    using O = SynthInvOptions;
    visit(&O::time_limit, OptionInfo{.name = "time-limit",
                                     .description = "Wall clock from process start to exit, as in 10s; default 60s.",
                                     .value_name = "TIME"});
    visit(&O::output, OptionInfo{.name = "output",
                                 .description = "Where to write the invariant; - or none is standard output.",
                                 .value_name = "FILE",
                                 .letter = 'o',
                                 .file = FileRole::kOutput});
  }
};

constexpr double kDefaultInvariantSeconds = 60;
/// States that a message names at each end of a run.
constexpr std::size_t kRunEnds = 10;

std::string state_text(const synthesis::TransitionSystem& system, const synthesis::ProgramState& state) {
  std::string text;
  for (std::size_t i = 0; i < system.size(); ++i) {
    const synthesis::ProgramVariable& variable = system.variables[i];
    const std::string value =
        variable.sort == synthesis::Sort::kBoolean ? (state[i] ? "true" : "false") : fmt::format("{}", state[i]);
    text += fmt::format("{}{} = {}", i ? ", " : "", variable.name, value);
  }
  return text;
}

class SynthInv : public Command {
 public:
  void bind(Binder& binder) override {
    binder.argument(file_,
                    {.name = "PROBLEM",
                     .description = "An invariant problem in SyGuS; - is standard input.",
                     .file = FileRole::kInput},
                    Binder::Presence::kRequired);
    binder.options(search_, "The search");
    binder.options(options_);
  }

  void run(const Context& context) override {
    const Budget budget = parse_budget({}, options_.time_limit);
    if (budget.seconds_per_item) throw UsageError("a problem is one item: leave out '/item'");
    const synthesis::TransitionSystem system = synthesis::read_sygus(io::ByteSource(file_));
    search_.seed = context.common.seed;
    const double seconds = options_.time_limit.empty() ? kDefaultInvariantSeconds : budget.seconds;
    const double spent = seconds_since(context.started);
    const Stop stop = Stop{.cancel = &context.cancel}.within(seconds - spent);
    const synthesis::InvariantAnswer answer =
        synthesis::find_invariant(system, search_, stop, context.console.progress());
    context.console.clear_progress();
    if (context.common.json) write(report(system, answer, context));
    if (answer.verdict != synthesis::ProgramVerdict::kProved) fail(system, answer, context);
    if (context.common.json) return;
    write(definition(system, answer));
    context.console.note(fmt::format("found by {}, proved by Z3; {}", found_by(answer), work(answer)));
  }

 private:
  static std::string definition(const synthesis::TransitionSystem& system, const synthesis::InvariantAnswer& answer) {
    return fmt::format("(define-fun {} ({}) Bool\n  {})\n", system.name, synthesis::parameter_text(system),
                       answer.body);
  }

  static const char* found_by(const synthesis::InvariantAnswer& answer) {
    return answer.is_spacers ? "spacer" : "search";
  }

  static std::string work(const synthesis::InvariantAnswer& answer) {
    return fmt::format("{} candidates, {} examples, {} steps of the search, {} calls of the solver", answer.rounds,
                       answer.examples, answer.search_steps, answer.solver_calls);
  }

  void write(const std::string& text) const {
    io::OutputFile output(options_.output);
    output.write(text);
    output.finish();
  }

  std::string report(const synthesis::TransitionSystem& system, const synthesis::InvariantAnswer& answer,
                     const Context& context) const {
    const bool is_proved = answer.verdict == synthesis::ProgramVerdict::kProved;
    const bool is_infeasible = answer.verdict == synthesis::ProgramVerdict::kInfeasible;
    nlohmann::ordered_json json = {{"outcome", is_proved       ? "proved"
                                               : is_infeasible ? "infeasible"
                                                               : "unknown"},
                                   {"found_by", nullptr},
                                   {"definition", nullptr},
                                   {"unsafe_run", nlohmann::ordered_json::array()},
                                   {"candidates", answer.rounds},
                                   {"examples", answer.examples},
                                   {"transitions", answer.search_steps},
                                   {"solver_calls", answer.solver_calls},
                                   {"solver_seconds", answer.solver_seconds},
                                   {"seconds", seconds_since(context.started)},
                                   {"options", nlohmann::ordered_json::parse(options_json(search_))}};
    if (is_proved) json["definition"] = definition(system, answer);
    if (is_proved || is_infeasible) json["found_by"] = found_by(answer);
    for (const synthesis::ProgramState& state : answer.unsafe_run)
      json["unsafe_run"].push_back(state_text(system, state));
    return json.dump() + "\n";
  }

  [[noreturn]] void fail(const synthesis::TransitionSystem& system, const synthesis::InvariantAnswer& answer,
                         const Context& context) const {
    if (answer.verdict == synthesis::ProgramVerdict::kInfeasible)
      throw InfeasibleError(fmt::format("{}: there is no invariant: {}", file_, unsafe_text(system, answer)));
    if (context.cancel.cancelled()) throw CancelledError("interrupted; " + work(answer));
    throw LimitError(
        fmt::format("{}: no invariant was found in time: {}. Allow more time (--time-limit), or larger formulas from "
                    "the start (--terms, --atoms)",
                    file_, work(answer)));
  }

  /// The whole run where it is short, else how it begins and ends.
  static std::string unsafe_text(const synthesis::TransitionSystem& system, const synthesis::InvariantAnswer& answer) {
    const synthesis::UnsafeRun& run = answer.unsafe_run;
    if (run.empty()) return "Spacer has proved that some run breaks the postcondition; none was found in the time left";
    std::string text = run.size() == 1
                           ? "this start state breaks the postcondition:"
                           : fmt::format("this run breaks the postcondition after {} steps:", run.size() - 1);
    for (std::size_t i = 0; i < run.size(); ++i) {
      if (run.size() > 2 * kRunEnds && i == kRunEnds) text += "\n  ...";
      if (i < kRunEnds || i + kRunEnds >= run.size()) text += "\n  " + state_text(system, run[i]);
    }
    return text;
  }

  std::string file_;
  synthesis::InvariantSearchOptions search_;
  SynthInvOptions options_;
};

}  // namespace

CommandEntry synth_inv_command() {
  return {.name = "synth inv",
          .summary = "Find an inductive invariant that proves a loop.",
          .description =
              "Reads an invariant problem as the SyGuS competitions write them (track Inv, version 1 or 2, linear "
              "integer arithmetic and Booleans). Formulas that fit all examples are proposed, Z3 tests them, and the "
              "states at which they fail become examples; Z3's own search (Spacer) runs in a thread beside. Writes "
              "the invariant as a define-fun, which a fresh Z3 has proved. A loop that breaks its postcondition: exit "
              "4, and a run that does. None within the time: exit 5.",
          .examples =
              "  fovea synth inv loop.sl --time-limit 30s\n"
              "  fovea synth inv loop.sl --terms 4 --atoms 4 --seed 7 --no-spacer\n"
              "  fovea synth inv loop.sl --json -o loop.json\n",
          .create = []() -> std::unique_ptr<Command> { return std::make_unique<SynthInv>(); }};
}

}  // namespace fovea::cli
