// SPDX-License-Identifier: Apache-2.0
#include "fovea/synthesis/verify/invariant_checker.h"

#include <algorithm>
#include <chrono>

#include "fovea/base/run_control.h"
#include "fovea/synthesis/verify/z3_context.h"
#include "fovea/synthesis/verify/z3_program.h"

namespace fovea::synthesis {
namespace {

/// Undoes a solver's assertions at the end of a block. Entering one throws z3::exception once calls were interrupted.
class SolverScope {
 public:
  explicit SolverScope(z3::solver& solver) : solver_(solver) { solver.push(); }
  ~SolverScope() {
    try {
      solver_.pop();
    } catch (const z3::exception&) {  // interrupted: nothing more will be asked
    }
  }
  SolverScope(const SolverScope&) = delete;
  SolverScope& operator=(const SolverScope&) = delete;

 private:
  z3::solver& solver_;
};

}  // namespace

struct InvariantChecker::Solvers {
  Solvers(const TransitionSystem& transition_system, std::int64_t small)
      : system(transition_system),
        program(context, system),
        start(context, z3::solver::simple()),
        step(context, z3::solver::simple()),
        end(context, z3::solver::simple()),
        small_state(program.is_small(small, false)),
        small_step(program.is_small(small, true)) {
    start.add(program.pre());
    step.add(program.trans());
    end.add(!program.post());
  }

  /// Looks for a model, preferably one in which `small` holds.
  z3::check_result solve(z3::solver& solver, const z3::expr& small) {
    const auto began = std::chrono::steady_clock::now();
    z3::check_result result = z3::unknown;
    {
      const SolverScope scope(solver);
      solver.add(small);
      result = ask(solver);
    }
    if (result != z3::sat) result = ask(solver);
    seconds += seconds_since(began);
    return result;
  }

  z3::check_result ask(z3::solver& solver) {
    if (stop.requested()) return z3::unknown;
    solver.set("timeout", milliseconds_per_call);
    ++calls;
    const z3::check_result result = interruptible->check(solver);
    if (result == z3::sat) model = solver.get_model();
    return result;
  }

  /// Demands a state at some distance from `state` in one variable.
  z3::expr differs(const ProgramState& state, bool after) {
    const std::size_t chosen = ++differences % state.size();
    const z3::expr& variable = program.variable(chosen + (after ? system.size() : 0));
    if (variable.is_bool()) return state[chosen] ? !variable : variable;
    const auto distance = static_cast<std::int64_t>(1 + differences / state.size() % 4);
    const z3::expr value = context.int_val(state[chosen]);
    return differences / 2 % 2 ? variable > value + context.int_val(distance)
                               : variable < value - context.int_val(distance);
  }

  const TransitionSystem& system;
  Z3Context own_context;
  z3::context& context = own_context();
  Z3Program program;
  z3::solver start, step, end;
  z3::expr small_state, small_step;
  std::optional<z3::model> model;
  Stop stop;
  std::optional<Z3Calls> interruptible{std::in_place, context, stop};
  unsigned milliseconds_per_call = 2000;
  std::uint64_t calls = 0, differences = 0;
  double seconds = 0;
};

namespace {

/// Adds the result of one condition to the outcome of all of them.
void note_condition(InvariantChecker::Outcome& outcome, z3::check_result result) {
  using Outcome = InvariantChecker::Outcome;
  if (result == z3::sat) outcome = Outcome::kFails;
  else if (result == z3::unknown && outcome == Outcome::kHolds) outcome = Outcome::kUnknown;
}

}  // namespace

InvariantChecker::InvariantChecker(const TransitionSystem& system, std::int64_t small)
    : solvers_(std::make_unique<Solvers>(system, small)) {}

InvariantChecker::~InvariantChecker() = default;

void InvariantChecker::limit(const Stop& stop, unsigned milliseconds_per_call) {
  solvers_->stop = stop;
  solvers_->interruptible.emplace(solvers_->context, stop);
  solvers_->milliseconds_per_call = std::max(1u, milliseconds_per_call);
}

void InvariantChecker::assume(std::span<const Clause> clauses) {
  Solvers& s = *solvers_;
  for (const Clause& clause : clauses) {
    s.step.add(s.program.clause(clause, false));
    s.step.add(s.program.clause(clause, true));  // it follows
    s.end.add(s.program.clause(clause, false));
  }
}

InvariantChecker::Verdict InvariantChecker::check(const Dnf& candidate, int alternatives) try {
  Solvers& s = *solvers_;
  Verdict verdict = {.outcome = Outcome::kHolds};
  const auto seek = [&](z3::solver& solver, const z3::expr& small, bool has_step, const auto& report) {
    const SolverScope scope(solver);
    for (int i = 0; i <= alternatives; ++i) {
      const z3::check_result result = s.solve(solver, small);
      if (i == 0) note_condition(verdict.outcome, result);
      if (result != z3::sat) return;
      const std::optional<ProgramState> from = s.program.state(*s.model, false);
      const std::optional<ProgramState> to = has_step ? s.program.state(*s.model, true) : from;
      if (!from || !to) return;
      report(*from, *to);
      if (i < alternatives) solver.add(s.differs(*from, false));
    }
  };
  {
    const SolverScope scope(s.start);
    s.start.add(!s.program.formula(candidate, false));
    seek(s.start, s.small_state, false,
         [&](const ProgramState& state, const ProgramState&) { verdict.good.push_back(state); });
  }
  const SolverScope step_scope(s.step);
  s.step.add(!s.program.formula(candidate, true));
  for (const Dnf::Conjunction& disjunct : candidate.disjuncts) {
    const z3::expr holds = s.program.conjunction(disjunct, false);
    const SolverScope step_part(s.step), end_part(s.end);
    s.end.add(holds);
    seek(s.end, s.small_state, false,
         [&](const ProgramState& state, const ProgramState&) { verdict.bad.push_back(state); });
    s.step.add(holds);
    seek(s.step, s.small_step, true, [&](const ProgramState& from, const ProgramState& to) {
      verdict.implications.push_back({from, to});
    });
  }
  return verdict;
} catch (const z3::exception&) {  // interrupted between two conditions
  return {};
}

InvariantChecker::StartVerdict InvariantChecker::check_start() {
  Solvers& s = *solvers_;
  const SolverScope scope(s.start);
  s.start.add(!s.program.post());
  StartVerdict verdict = {.outcome = Outcome::kHolds};
  note_condition(verdict.outcome, s.solve(s.start, s.small_state));
  if (verdict.outcome == Outcome::kFails) verdict.state = s.program.state(*s.model, false);
  return verdict;
}

std::uint64_t InvariantChecker::calls() const { return solvers_->calls; }
double InvariantChecker::seconds() const { return solvers_->seconds; }

}  // namespace fovea::synthesis
