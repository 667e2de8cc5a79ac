// SPDX-License-Identifier: Apache-2.0
#include "fovea/synthesis/job/prove_loop.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <utility>

#include "fovea/base/error.h"
#include "fovea/io/output_file.h"
#include "fovea/synthesis/program/term.h"
#include "fovea/synthesis/sygus/sygus.h"

namespace fovea::synthesis {
namespace {

constexpr double kDefaultInvariantSeconds = 60;
/// Number of states that a message shows at each end of a long run.
constexpr std::size_t kRunEnds = 10;

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

/// One call of prove_loop().
class LoopProof {
 public:
  explicit LoopProof(InvariantJob job) : job_(std::move(job)) {}

  void run(const Run& run) {
    const Budget budget = parse_budget({}, job_.options.time_limit);
    if (budget.seconds_per_item) throw UsageError("a problem is one item: leave out '/item'");
    const TransitionSystem system = read_sygus(io::ByteSource(job_.file));
    job_.search.seed = run.random.key();
    const double seconds = job_.options.time_limit.empty() ? kDefaultInvariantSeconds : budget.seconds;
    const double spent = seconds_since(run.started);
    const Stop stop = run.stop.within(seconds - spent);
    const InvariantAnswer answer = find_invariant(system, job_.search, stop, run.progress);
    if (job_.as_json) write(report(system, answer, run));
    if (answer.verdict != ProgramVerdict::kProved) fail(system, answer, run);
    if (job_.as_json) return;
    write(definition(system, answer));
    run.note_that(fmt::format("found by {}, proved by Z3; {}", found_by(answer), work(answer)));
  }

 private:
  static std::string definition(const TransitionSystem& system, const InvariantAnswer& answer) {
    return fmt::format("(define-fun {} ({}) Bool\n  {})\n", system.name, parameter_text(system), answer.body);
  }

  static const char* found_by(const InvariantAnswer& answer) { return answer.is_spacers ? "spacer" : "search"; }

  static std::string work(const InvariantAnswer& answer) {
    return fmt::format("{} candidates, {} examples, {} steps of the search, {} calls of the solver", answer.rounds,
                       answer.examples, answer.search_steps, answer.solver_calls);
  }

  void write(const std::string& text) const {
    io::OutputFile output(job_.options.output);
    output.write(text);
    output.finish();
  }

  std::string report(const TransitionSystem& system, const InvariantAnswer& answer, const Run& run) const {
    const bool is_proved = answer.verdict == ProgramVerdict::kProved;
    const bool is_infeasible = answer.verdict == ProgramVerdict::kInfeasible;
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
                                   {"seconds", seconds_since(run.started)},
                                   {"options", nlohmann::ordered_json::parse(options_json(job_.search))}};
    if (is_proved) json["definition"] = definition(system, answer);
    if (is_proved || is_infeasible) json["found_by"] = found_by(answer);
    for (const ProgramState& state : answer.unsafe_run) json["unsafe_run"].push_back(state_text(system, state));
    return json.dump() + "\n";
  }

  [[noreturn]] void fail(const TransitionSystem& system, const InvariantAnswer& answer, const Run& run) const {
    if (answer.verdict == ProgramVerdict::kInfeasible)
      throw InfeasibleError(fmt::format("{}: no invariant exists: {}", job_.file, unsafe_text(system, answer)));
    if (run.is_cancelled()) throw CancelledError("interrupted; " + work(answer));
    throw LimitError(
        fmt::format("{}: no invariant was found in time: {}. Allow more time (option 'time-limit'), or larger formulas "
                    "from the start (option 'terms', option 'atoms')",
                    job_.file, work(answer)));
  }

  /// The whole run if it is short, otherwise its beginning and its end.
  static std::string unsafe_text(const TransitionSystem& system, const InvariantAnswer& answer) {
    const UnsafeRun& states = answer.unsafe_run;
    if (states.empty())
      return "Spacer has proved that some run breaks the postcondition; none was found in the time left";
    std::string text = states.size() == 1
                           ? "this start state breaks the postcondition:"
                           : fmt::format("this run breaks the postcondition after {} steps:", states.size() - 1);
    for (std::size_t i = 0; i < states.size(); ++i) {
      if (states.size() > 2 * kRunEnds && i == kRunEnds) text += "\n  ...";
      if (i < kRunEnds || i + kRunEnds >= states.size()) text += "\n  " + state_text(system, states[i]);
    }
    return text;
  }

  InvariantJob job_;
};

}  // namespace

void prove_loop(InvariantJob job, const Run& run) { LoopProof(std::move(job)).run(run); }

}  // namespace fovea::synthesis
