// SPDX-License-Identifier: Apache-2.0
#include "fovea/synthesis/verify/program_runs.h"

#include <fmt/format.h>

#include <optional>
#include <set>

#include "fovea/synthesis/program/term.h"
#include "fovea/synthesis/verify/recheck.h"
#include "fovea/synthesis/verify/z3_context.h"
#include "fovea/synthesis/verify/z3_program.h"

namespace fovea::synthesis {
namespace {

constexpr unsigned kWalkMilliseconds = 200;
constexpr std::int64_t kNearby = 10;

class Walks {
 public:
  Walks(const TransitionSystem& system, const Stop& stop, Random random)
      : system_(system),
        program_(context_, system),
        start_(context_, z3::solver::simple()),
        step_(context_, z3::solver::simple()),
        calls_(context_, stop),
        random_(random) {
    for (z3::solver* solver : {&start_, &step_}) solver->set("timeout", kWalkMilliseconds);
    start_.add(program_.pre());
    step_.add(program_.trans());
  }

  std::optional<ProgramState> start() { return some_state(start_, false); }

  std::optional<ProgramState> next(const ProgramState& state) {
    step_.push();
    for (std::size_t i = 0; i < state.size(); ++i) {
      const z3::expr& variable = program_.variable(i);
      step_.add(variable.is_bool() ? (state[i] ? variable : !variable) : variable == context_.int_val(state[i]));
    }
    const std::optional<ProgramState> result = some_state(step_, true);
    step_.pop();
    return result;
  }

 private:
  /// A state that meets a random demand, if there is one; otherwise any state.
  std::optional<ProgramState> some_state(z3::solver& solver, bool after) {
    solver.push();
    solver.add(demand(after));
    std::optional<ProgramState> state = model_of(solver, after);
    solver.pop();
    return state ? state : model_of(solver, after);
  }

  z3::expr demand(bool after) {
    const auto chosen = random_.uniform_index(static_cast<std::uint32_t>(system_.size()));
    const z3::expr& variable = program_.variable(chosen + (after ? system_.size() : 0));
    if (variable.is_bool()) return random_.bernoulli(.5) ? variable : !variable;
    const z3::expr value =
        context_.int_val(static_cast<std::int64_t>(random_.uniform_index(2 * kNearby + 1)) - kNearby);
    return random_.bernoulli(.5) ? variable >= value : variable <= value;
  }

  std::optional<ProgramState> model_of(z3::solver& solver, bool after) {
    if (calls_.check(solver) != z3::sat) return std::nullopt;
    return program_.state(solver.get_model(), after);
  }

  const TransitionSystem& system_;
  Z3Context own_context_;
  z3::context& context_ = own_context_();
  Z3Program program_;
  z3::solver start_, step_;
  Z3Calls calls_;
  Random random_;
};

}  // namespace

std::vector<ProgramState> walk_states(const TransitionSystem& system, int runs, int steps, const Stop& stop,
                                      Random random) try {
  std::set<ProgramState> states;
  Walks walks(system, stop, random);
  for (int run = 0; run < runs && !stop.requested(); ++run) {
    std::optional<ProgramState> state = walks.start();
    for (int step = 0; state && step <= steps && !stop.requested(); ++step) {
      states.insert(*state);
      state = walks.next(*state);
    }
  }
  return {states.begin(), states.end()};
} catch (const z3::exception&) {  // interrupted between two calls
  return {};
}

namespace {

/// Decides what a condition of a program can be in a state, or before and after a step.
class ConditionCheck {
 public:
  /// All must outlive it.
  ConditionCheck(const TransitionSystem& system, TermId condition, const Stop& stop)
      : system_(system), condition_(condition), stop_(stop), evaluator_(system.terms, condition) {}

  bool can_be(bool wanted, const ProgramState& state) {
    return system_.inputs.empty() ? evaluator_.value(state) == std::int64_t{wanted}
                                  : synthesis::can_be(system_, condition_, wanted, state, stop_);
  }

 private:
  const TransitionSystem& system_;
  TermId condition_;
  const Stop& stop_;
  TermEvaluator evaluator_;
};

}  // namespace

bool is_unsafe_run(const TransitionSystem& system, std::span<const ProgramState> run, const Stop& stop) {
  if (run.empty()) return false;
  if (!ConditionCheck(system, system.pre, stop).can_be(true, run.front())) return false;
  ConditionCheck trans(system, system.trans, stop);
  for (std::size_t i = 0; i + 1 < run.size() && !stop.requested(); ++i) {
    ProgramState both = run[i];
    both.insert(both.end(), run[i + 1].begin(), run[i + 1].end());
    if (!trans.can_be(true, both)) return false;
  }
  return !stop.requested() && ConditionCheck(system, system.post, stop).can_be(false, run.back());
}

namespace {

/// A program whose states after 0, 1, 2, ... steps are variables of one solver.
class Unrolling {
 public:
  Unrolling(const TransitionSystem& system, const Stop& stop)
      : system_(system),
        program_(context_, system),
        solver_(context_, z3::solver::simple()),
        calls_(context_, stop),
        states_{state(0)} {
    solver_.add(at_end(program_.pre()));
  }

  void step() {
    states_.push_back(state(states_.size()));
    z3::expr_vector from(context_), to(context_);
    for (std::size_t i = 0; i < 2 * system_.size(); ++i) {
      from.push_back(program_.variable(i));
      const z3::expr_vector& variables = states_[states_.size() - (i < system_.size() ? 2 : 1)];
      to.push_back(variables[static_cast<int>(i % system_.size())]);
    }
    add_inputs(from, to);
    solver_.add(program_.trans().substitute(from, to));
  }

  /// Checks whether the last state can be one that is not allowed.
  z3::check_result check() {
    solver_.push();
    solver_.add(at_end(!program_.post()));
    const z3::check_result result = calls_.check(solver_);
    if (result == z3::unsat) solver_.pop();
    return result;
  }

  /// The run that was found; valid after check() returned sat.
  UnsafeRun run() {
    const z3::model model = solver_.get_model();
    UnsafeRun run;
    for (const z3::expr_vector& variables : states_) {
      ProgramState& values = run.emplace_back();
      for (const z3::expr& variable : variables) {
        const z3::expr value = model.eval(variable, true);
        std::int64_t number = value.is_true();
        if (!value.is_bool() && !value.is_numeral_i64(number)) return {};
        values.push_back(number);
      }
    }
    return run;
  }

 private:
  z3::expr_vector state(std::size_t step) {
    z3::expr_vector variables(context_);
    for (std::size_t i = 0; i < system_.size(); ++i)
      variables.push_back(context_.constant(fmt::format("!{}!{}", step, i).c_str(), program_.variable(i).get_sort()));
    return variables;
  }

  z3::expr at_end(z3::expr condition) {
    z3::expr_vector from(context_), to(context_);
    for (std::size_t i = 0; i < system_.size(); ++i) {
      from.push_back(program_.variable(i));
      to.push_back(states_.back()[static_cast<int>(i)]);
    }
    add_inputs(from, to);
    return condition.substitute(from, to);
  }

  /// Inputs, and new constants for them: each condition has its own.
  void add_inputs(z3::expr_vector& from, z3::expr_vector& to) {
    for (std::size_t i = 2 * system_.size(); i < system_.variable_count(); ++i) {
      from.push_back(program_.variable(i));
      to.push_back(context_.constant(fmt::format("!input!{}", inputs_++).c_str(), program_.variable(i).get_sort()));
    }
  }

  const TransitionSystem& system_;
  Z3Context own_context_;
  z3::context& context_ = own_context_();
  Z3Program program_;
  z3::solver solver_;
  Z3Calls calls_;
  std::size_t inputs_ = 0;  // constants made for them so far
  std::vector<z3::expr_vector> states_;
};

}  // namespace

UnsafeRun find_unsafe_run(const TransitionSystem& system, std::size_t steps, const Stop& stop) {
  Unrolling unrolling(system, stop);
  for (std::size_t step = 0; step <= steps; ++step) {
    if (step > 0) unrolling.step();
    const z3::check_result result = unrolling.check();
    if (result == z3::sat) return unrolling.run();
    if (result == z3::unknown) break;
  }
  return {};
}

}  // namespace fovea::synthesis
