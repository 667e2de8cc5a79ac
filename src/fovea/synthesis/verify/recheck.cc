// SPDX-License-Identifier: Apache-2.0
#include "fovea/synthesis/verify/recheck.h"

#include <fmt/format.h>
#include <z3++.h>

#include "fovea/synthesis/program/term.h"
#include "fovea/synthesis/verify/z3_context.h"

namespace fovea::synthesis {
namespace {

/// The names of a script: those of the file occur only as parameters of the invariant, so that none can collide.
constexpr const char* kInvariant = "invariant";

/// Names of the constants for the state before a step, of those after it, and of inputs.
std::vector<std::string> constants(const TransitionSystem& system) {
  std::vector<std::string> names;
  for (const char* when : {"before", "after"})
    for (std::size_t i = 0; i < system.size(); ++i) names.push_back(fmt::format("{}_{}", when, i));
  for (std::size_t i = 0; i < system.inputs.size(); ++i) names.push_back(fmt::format("input_{}", i));
  return names;
}

/// Constants for the state before and after a step and for inputs, and the invariant as a function.
std::string declarations(const TransitionSystem& system, const std::string& body) {
  const std::vector<std::string> names = constants(system);
  std::string text = fmt::format("(define-fun {} ({}) Bool {})\n", kInvariant, parameter_text(system), body);
  for (std::size_t i = 0; i < names.size(); ++i)
    text += fmt::format("(declare-const {} {})\n", names[i], sort_text(system.sort_of(i)));
  return text;
}

std::string invariant_at(const TransitionSystem& system, bool after) {
  const std::vector<std::string> names = constants(system);
  std::string text = fmt::format("({}", kInvariant);
  for (std::size_t i = 0; i < system.size(); ++i) text += " " + names[(after ? system.size() : 0) + i];
  return text + ")";
}

std::string assertion(const TransitionSystem& system, TermId term, bool wanted, const std::vector<std::string>& names) {
  const SharedTermText text = shared_term_text(system.terms, term, names, "shared_");
  return text.definitions + fmt::format("(assert (= {} {}))\n", text.term, wanted);
}

std::string assertion(const TransitionSystem& system, TermId term, bool wanted) {
  return assertion(system, term, wanted, constants(system));
}

z3::check_result answer_to(const std::string& script, const Stop& stop) {
  Z3Context own_context;
  z3::context& context = own_context();
  z3::solver solver(context);
  require_memory_for_z3();
  solver.from_string(script.c_str());
  return Z3Calls(context, stop).check(solver);
}

bool is_unsatisfiable(const std::string& script, const Stop& stop) { return answer_to(script, stop) == z3::unsat; }

}  // namespace

std::string start_condition_text(const TransitionSystem& system, const std::string& body) {
  return declarations(system, body) + assertion(system, system.pre, true) +
         fmt::format("(assert (not {}))\n", invariant_at(system, false));
}

std::string step_condition_text(const TransitionSystem& system, const std::string& body) {
  return declarations(system, body) +
         fmt::format("(assert {})\n(assert (not {}))\n", invariant_at(system, false), invariant_at(system, true)) +
         assertion(system, system.trans, true);
}

std::string end_condition_text(const TransitionSystem& system, const std::string& body) {
  return declarations(system, body) + assertion(system, system.post, false) +
         fmt::format("(assert {})\n", invariant_at(system, false));
}

bool can_be(const TransitionSystem& system, TermId term, bool wanted, std::span<const std::int64_t> state,
            const Stop& stop) try {
  std::vector<std::string> names = constants(system);
  std::string script;
  for (std::size_t i = 2 * system.size(); i < names.size(); ++i)
    script += fmt::format("(declare-const {} {})\n", names[i], sort_text(system.sort_of(i)));
  for (std::size_t i = 0; i < state.size(); ++i)
    names[i] = system.sort_of(i) == Sort::kInteger ? number_text(state[i]) : state[i] ? "true" : "false";
  return answer_to(script + assertion(system, term, wanted, names), stop) == z3::sat;
} catch (const z3::exception&) {  // interrupted between two calls
  return false;
}

bool is_proved_by(const TransitionSystem& system, const std::string& body, const Stop& stop) try {
  return is_unsatisfiable(start_condition_text(system, body), stop) &&
         is_unsatisfiable(end_condition_text(system, body), stop) &&
         is_unsatisfiable(step_condition_text(system, body), stop);
} catch (const z3::exception&) {  // `body` is not a term
  return false;
}

}  // namespace fovea::synthesis
