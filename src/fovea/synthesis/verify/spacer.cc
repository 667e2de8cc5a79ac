// SPDX-License-Identifier: Apache-2.0
#include "fovea/synthesis/verify/spacer.h"

#include <algorithm>
#include <atomic>
#include <chrono>

#include "fovea/synthesis/verify/z3_program.h"

namespace fovea {

struct Spacer::Engine {
  explicit Engine(const TransitionSystem& transition_system)
      : system(transition_system), program(context, system), solver(context, "HORN"), invariant(declare()) {}

  z3::func_decl declare() {
    z3::sort_vector sorts(context);
    for (const ProgramVariable& variable : system.variables)
      sorts.push_back(variable.sort == Sort::kBoolean ? context.bool_sort() : context.int_sort());
    return context.function("!invariant", sorts, context.bool_sort());
  }

  z3::expr_vector state(bool after) {
    z3::expr_vector variables(context);
    for (std::size_t i = 0; i < system.size(); ++i)
      variables.push_back(program.variable(i + (after ? system.size() : 0)));
    return variables;
  }

  void add_rules() {
    const z3::expr_vector before = state(false), after = state(true);
    z3::expr_vector both = state(false);
    for (const z3::expr& variable : after) both.push_back(variable);
    const z3::expr here = invariant(before), there = invariant(after);
    solver.add(z3::forall(before, z3::implies(program.pre(), here)));
    solver.add(z3::forall(both, z3::implies(here && program.trans(), there)));
    solver.add(z3::forall(before, z3::implies(here && !program.post(), context.bool_val(false))));
  }

  /// The predicate that a model gives, over the program's variables.
  std::string body() {
    const z3::func_interp found = solver.get_model().get_func_interp(invariant);
    const z3::expr_vector variables = state(false);
    std::string text = found.else_value().substitute(variables).to_string();
    std::replace(text.begin(), text.end(), '\n', ' ');
    const auto both_blank = [](char a, char b) { return a == ' ' && b == ' '; };
    text.erase(std::unique(text.begin(), text.end(), both_blank), text.end());
    return text;
  }

  const TransitionSystem& system;
  z3::context context;
  Z3Program program;
  z3::solver solver;
  z3::func_decl invariant;
  std::atomic<bool> is_interrupted = false;
};

Spacer::Spacer(const TransitionSystem& system) : engine_(std::make_unique<Engine>(system)) {}

Spacer::~Spacer() = default;

Spacer::Answer Spacer::solve(unsigned milliseconds) {
  Answer answer;
  const auto began = std::chrono::steady_clock::now();
  try {
    engine_->solver.set("timeout", std::max(1u, milliseconds));
    engine_->add_rules();
    const z3::check_result result = engine_->is_interrupted ? z3::unknown : engine_->solver.check();
    if (result == z3::unsat) answer.outcome = Outcome::kInfeasible;
    if (result == z3::sat) {
      answer.body = engine_->body();
      answer.outcome = Outcome::kProved;
    }
  } catch (const z3::exception&) {  // interrupted, or the model has no such predicate
    answer.outcome = Outcome::kUnknown;
  }
  answer.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
  return answer;
}

void Spacer::interrupt() {
  engine_->is_interrupted = true;
  engine_->context.interrupt();
}

}  // namespace fovea
