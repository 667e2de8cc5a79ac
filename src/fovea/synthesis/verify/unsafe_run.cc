// SPDX-License-Identifier: Apache-2.0
#include "fovea/synthesis/verify/unsafe_run.h"

#include <fmt/format.h>

#include "fovea/synthesis/program/term.h"
#include "fovea/synthesis/verify/z3_context.h"
#include "fovea/synthesis/verify/z3_program.h"

namespace fovea::synthesis {

bool is_unsafe_run(const TransitionSystem& system, std::span<const ProgramState> run) {
  if (run.empty()) return false;
  TermEvaluator pre(system.terms, system.pre), trans(system.terms, system.trans), post(system.terms, system.post);
  if (!pre.holds(run.front())) return false;
  for (std::size_t i = 0; i + 1 < run.size(); ++i) {
    ProgramState both = run[i];
    both.insert(both.end(), run[i + 1].begin(), run[i + 1].end());
    if (!trans.holds(both)) return false;
  }
  return post.value(run.back()) == 0;
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
    solver_.add(program_.trans().substitute(from, to));
  }

  /// Can the last state be one that is not allowed?
  z3::check_result check() {
    solver_.push();
    solver_.add(at_end(!program_.post()));
    const z3::check_result result = calls_.check(solver_);
    if (result == z3::unsat) solver_.pop();
    return result;
  }

  /// After sat.
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
    z3::expr_vector from(context_);
    for (std::size_t i = 0; i < system_.size(); ++i) from.push_back(program_.variable(i));
    return condition.substitute(from, states_.back());
  }

  const TransitionSystem& system_;
  Z3Context own_context_;
  z3::context& context_ = own_context_();
  Z3Program program_;
  z3::solver solver_;
  Z3Calls calls_;
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
