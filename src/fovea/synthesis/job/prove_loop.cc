// SPDX-License-Identifier: Apache-2.0
#include "fovea/synthesis/job/prove_loop.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <utility>

#include "fovea/base/error.h"

namespace fovea::synthesis {
namespace {

constexpr double kDefaultInvariantSeconds = 60;
/// Number of states that a message shows at each end of a long run.
constexpr std::size_t kRunEnds = 10;

const char* outcome_of(ProgramVerdict verdict) {
  switch (verdict) {
    case ProgramVerdict::kProved:
      return "proved";
    case ProgramVerdict::kInfeasible:
      return "infeasible";
    case ProgramVerdict::kUnknown:
      break;
  }
  return "unknown";
}

const char* found_by(const InvariantAnswer& answer) { return answer.is_spacers ? "spacer" : "search"; }

}  // namespace

double LoopOptions::seconds() const {
  const Budget budget = parse_budget({}, time_limit);
  if (budget.seconds_per_item) throw UsageError("a problem is one item: leave out '/item'");
  return time_limit.empty() ? kDefaultInvariantSeconds : budget.seconds;
}

std::string LoopProof::work() const {
  return fmt::format("{} candidates, {} examples, {} steps of the search, {} calls of the solver", answer.rounds,
                     answer.examples, answer.search_steps, answer.solver_calls);
}

std::string LoopProof::brief() const { return fmt::format("found by {}, proved by Z3; {}", found_by(answer), work()); }

std::string LoopProof::unsafe_text() const {
  if (!is_loop) return "Spacer has proved that the clauses contradict each other";
  if (unsafe_run.empty())
    return "Spacer has proved that some run breaks the postcondition; none was found in the time left";
  std::string text = unsafe_run.size() == 1
                         ? "this start state breaks the postcondition:"
                         : fmt::format("this run breaks the postcondition after {} steps:", unsafe_run.size() - 1);
  for (std::size_t i = 0; i < unsafe_run.size(); ++i) {
    if (unsafe_run.size() > 2 * kRunEnds && i == kRunEnds) text += "\n  ...";
    if (i < kRunEnds || i + kRunEnds >= unsafe_run.size()) text += "\n  " + unsafe_run[i];
  }
  return text;
}

std::string LoopProof::json() const {
  nlohmann::ordered_json report = {{"outcome", outcome_of(answer.verdict)},
                                   {"found_by", nullptr},
                                   {"definition", nullptr},
                                   {"unsafe_run", unsafe_run},
                                   {"candidates", answer.rounds},
                                   {"examples", answer.examples},
                                   {"transitions", answer.search_steps},
                                   {"solver_calls", answer.solver_calls},
                                   {"solver_seconds", answer.solver_seconds},
                                   {"seconds", seconds},
                                   {"options", nlohmann::ordered_json::parse(options_json(search))}};
  if (answer.verdict == ProgramVerdict::kProved) report["definition"] = definition;
  if (answer.verdict != ProgramVerdict::kUnknown) report["found_by"] = found_by(answer);
  return report.dump();
}

std::string state_text(const InvariantProblem& problem, const ProgramState& state) {
  const std::size_t predicate = problem.location ? static_cast<std::size_t>(state[*problem.location]) : 0;
  std::string text = problem.location ? problem.clauses.predicates[predicate].name + ": " : "";
  bool is_first = true;
  for (const std::size_t i : problem.slots[predicate]) {
    const ProgramVariable& variable = problem.loop->variables[i];
    const std::string value =
        variable.sort == Sort::kBoolean ? (state[i] ? "true" : "false") : fmt::format("{}", state[i]);
    text += fmt::format("{}{} = {}", std::exchange(is_first, false) ? "" : ", ", variable.name, value);
  }
  return text;
}

LoopProof prove_loop(const InvariantProblem& problem, LoopJob job, const Run& run) {
  job.search.seed = run.random.key();
  if (!problem.loop && job.search.no_spacer)
    throw UsageError(fmt::format("option 'no-spacer': Spacer alone can be asked here: {}", problem.why_no_loop));
  const double spent = seconds_since(run.started);
  const Stop stop = run.stop.within(job.options.seconds() - spent);
  LoopProof proof = {.answer = find_invariant(problem, job.search, stop, run.progress),
                     .is_loop = problem.loop.has_value(),
                     .search = job.search};
  for (std::size_t i = 0; i < proof.answer.bodies.size(); ++i)
    proof.definition += fmt::format("(define-fun {} ({}) Bool\n  {})\n", problem.clauses.predicates[i].name,
                                    parameter_text(problem.clauses.predicates[i]), proof.answer.bodies[i]);
  for (const ProgramState& state : proof.answer.unsafe_run) proof.unsafe_run.push_back(state_text(problem, state));
  proof.seconds = seconds_since(run.started);
  return proof;
}

}  // namespace fovea::synthesis
