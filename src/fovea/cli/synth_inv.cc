// SPDX-License-Identifier: Apache-2.0
// fovea synth inv: an inductive invariant that proves a loop.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "fovea/base/budget.h"
#include "fovea/base/error.h"
#include "fovea/cli/commands.h"
#include "fovea/io/output_file.h"
#include "fovea/io/program/sygus.h"
#include "fovea/synthesis/invariant/invariant_search.h"
#include "fovea/synthesis/program/term_text.h"

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
                                 .letter = 'o'});
  }
};

constexpr double kDefaultInvariantSeconds = 60;

std::string state_text(const TransitionSystem& system, const ProgramState& state) {
  std::string text;
  for (std::size_t i = 0; i < system.size(); ++i) {
    const ProgramVariable& variable = system.variables[i];
    const std::string value =
        variable.sort == Sort::kBoolean ? (state[i] ? "true" : "false") : fmt::format("{}", state[i]);
    text += fmt::format("{}{} = {}", i ? ", " : "", variable.name, value);
  }
  return text;
}

class SynthInv : public Command {
 public:
  void bind(Binder& binder) override {
    binder.argument(file_, {.name = "PROBLEM", .description = "An invariant problem in SyGuS; - is standard input."},
                    Binder::Presence::kRequired);
    binder.options(search_, "The search");
    binder.options(options_);
  }

  void run(const Context& context) override {
    const Budget budget = parse_budget({}, options_.time_limit);
    if (budget.seconds_per_item) throw UsageError("a problem is one item: leave out '/item'");
    const TransitionSystem system = read_sygus(ByteSource(file_));
    search_.seed = context.common.seed;
    const double seconds = options_.time_limit.empty() ? kDefaultInvariantSeconds : budget.seconds;
    const double spent = std::chrono::duration<double>(Stop::Clock::now() - context.started).count();
    const Stop stop = Stop{.cancel = &context.cancel}.within(seconds - spent);
    const InvariantAnswer answer = find_invariant(system, search_, stop, context.console.progress());
    context.console.clear_progress();
    if (context.common.json) write(report(system, answer, context));
    if (answer.outcome != InvariantAnswer::Outcome::kProved) fail(system, answer, context);
    if (context.common.json) return;
    write(definition(system, answer));
    context.console.note(fmt::format("proved by Z3; {}", work(answer)));
  }

 private:
  static std::string definition(const TransitionSystem& system, const InvariantAnswer& answer) {
    return fmt::format("(define-fun {} ({}) Bool\n  {})\n", system.name, parameter_text(system), answer.body);
  }

  static std::string work(const InvariantAnswer& answer) {
    return fmt::format("{} candidates, {} examples, {} steps of the search, {} calls of the solver", answer.rounds,
                       answer.examples, answer.search_steps, answer.solver_calls);
  }

  void write(const std::string& text) const {
    OutputFile output(options_.output);
    output.write(text);
    output.finish();
  }

  std::string report(const TransitionSystem& system, const InvariantAnswer& answer, const Context& context) const {
    using Outcome = InvariantAnswer::Outcome;
    const bool is_proved = answer.outcome == Outcome::kProved;
    nlohmann::ordered_json json = {
        {"outcome", is_proved                                ? "proved"
                    : answer.outcome == Outcome::kInfeasible ? "infeasible"
                                                             : "unknown"},
        {"definition", nullptr},
        {"unsafe_start", nullptr},
        {"candidates", answer.rounds},
        {"examples", answer.examples},
        {"transitions", answer.search_steps},
        {"solver_calls", answer.solver_calls},
        {"solver_seconds", answer.solver_seconds},
        {"seconds", std::chrono::duration<double>(Stop::Clock::now() - context.started).count()},
        {"options", nlohmann::ordered_json::parse(options_json(search_))}};
    if (is_proved) json["definition"] = definition(system, answer);
    if (answer.unsafe_start) json["unsafe_start"] = state_text(system, *answer.unsafe_start);
    return json.dump() + "\n";
  }

  [[noreturn]] void fail(const TransitionSystem& system, const InvariantAnswer& answer, const Context& context) const {
    if (answer.outcome == InvariantAnswer::Outcome::kInfeasible) {
      const std::string state =
          answer.unsafe_start ? state_text(system, *answer.unsafe_start) : "numbers of more than 64 bits";
      throw InfeasibleError(fmt::format("{}: there is no invariant: {} {}", file_,
                                        answer.is_start_allowed
                                            ? "a run from this start state breaks the postcondition:"
                                            : "this start state breaks the postcondition:",
                                        state));
    }
    if (context.cancel.cancelled()) throw CancelledError("interrupted; " + work(answer));
    throw LimitError(
        fmt::format("{}: no invariant was found: {}. Allow more time, terms or atoms", file_, work(answer)));
  }

  std::string file_;
  InvariantSearchOptions search_;
  SynthInvOptions options_;
};

}  // namespace

CommandEntry synth_inv_command() {
  return {.name = "synth inv",
          .summary = "Find an inductive invariant that proves a loop.",
          .description =
              "Reads an invariant problem as the SyGuS competitions write them (track Inv, version 1 or 2, linear "
              "integer arithmetic and Booleans). Formulas that fit all examples are proposed, Z3 tests them, and the "
              "states at which they fail become examples. Writes the invariant as a define-fun, which a fresh Z3 has "
              "proved. A loop that breaks its postcondition: exit 4, and the state it starts from. None within the "
              "time: exit 5.",
          .examples =
              "  fovea synth inv loop.sl --time-limit 30s\n"
              "  fovea synth inv loop.sl --terms 4 --atoms 4 --seed 7\n"
              "  fovea synth inv loop.sl --json -o loop.json\n",
          .create = []() -> std::unique_ptr<Command> { return std::make_unique<SynthInv>(); }};
}

}  // namespace fovea::cli
