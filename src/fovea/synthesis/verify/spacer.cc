// SPDX-License-Identifier: Apache-2.0
#include "fovea/synthesis/verify/spacer.h"

#include <algorithm>

#include "fovea/synthesis/verify/z3_context.h"
#include "fovea/synthesis/verify/z3_program.h"

namespace fovea::synthesis {
namespace {

z3::func_decl unknown_predicate(z3::context& context, const TransitionSystem& system) {
  z3::sort_vector sorts(context);
  for (const ProgramVariable& variable : system.variables)
    sorts.push_back(variable.sort == Sort::kBoolean ? context.bool_sort() : context.int_sort());
  return context.function("!invariant", sorts, context.bool_sort());
}

/// Variables first .. end - 1, after those given.
z3::expr_vector variables_of(z3::context& context, const Z3Program& program, std::size_t first, std::size_t end,
                             const z3::expr_vector* given = nullptr) {
  z3::expr_vector variables(context);
  if (given)
    for (const z3::expr& variable : *given) variables.push_back(variable);
  for (std::size_t i = first; i < end; ++i) variables.push_back(program.variable(i));
  return variables;
}

/// The term on one line.
std::string term_line(const z3::expr& term) {
  std::string text = term.to_string();
  std::replace(text.begin(), text.end(), '\n', ' ');
  const auto are_blanks = [](char a, char b) { return a == ' ' && b == ' '; };
  text.erase(std::unique(text.begin(), text.end(), are_blanks), text.end());
  return text;
}

}  // namespace

SpacerAnswer solve_by_spacer(const TransitionSystem& system, const Stop& stop) try {
  const std::size_t n = system.size();
  Z3Context own_context;
  z3::context& context = own_context();
  Z3Program program(context, system);
  const z3::func_decl invariant = unknown_predicate(context, system);
  const z3::expr_vector before = variables_of(context, program, 0, n), after = variables_of(context, program, n, 2 * n);
  const z3::expr_vector here_and_inputs = variables_of(context, program, 2 * n, system.variable_count(), &before);
  const z3::expr here = invariant(before), there = invariant(after);

  z3::solver solver(context, "HORN");
  solver.add(z3::forall(here_and_inputs, z3::implies(program.pre(), here)));
  solver.add(z3::forall(variables_of(context, program, 0, system.variable_count()),
                        z3::implies(here && program.trans(), there)));
  solver.add(z3::forall(here_and_inputs, z3::implies(here && !program.post(), context.bool_val(false))));

  switch (Z3Calls(context, stop).check(solver)) {
    case z3::unsat:
      return {.verdict = ProgramVerdict::kInfeasible};
    case z3::sat: {
      const z3::func_interp found = solver.get_model().get_func_interp(invariant);
      return {.verdict = ProgramVerdict::kProved, .body = term_line(found.else_value().substitute(before))};
    }
    case z3::unknown:
      break;
  }
  return {};
} catch (const z3::exception&) {  // the model does not name the predicate
  return {};
}

}  // namespace fovea::synthesis
