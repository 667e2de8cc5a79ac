// SPDX-License-Identifier: Apache-2.0
#include "fovea/synthesis/verify/recheck.h"

#include <fmt/format.h>
#include <z3++.h>

#include <algorithm>
#include <charconv>
#include <vector>

#include "fovea/base/error.h"
#include "fovea/synthesis/program/term.h"
#include "fovea/synthesis/verify/horn_script.h"
#include "fovea/synthesis/verify/z3_context.h"

namespace fovea::synthesis {
namespace {

z3::check_result answer_to(const std::string& script, const Stop& stop) {
  Z3Context own_context;
  z3::context& context = own_context();
  z3::solver solver(context);
  require_memory_for_z3();
  solver.from_string(script.c_str());
  return Z3Calls(context, stop).check(solver);
}

/// Z3's message about a script, 'line 3 column 7: unknown constant x', without the part that names the place.
ScriptLine refusal(std::string_view message, const HornClauses& clauses) {
  constexpr std::string_view kLine = "line ";
  std::size_t line = 0;
  const std::size_t start = message.find(kLine), end = message.find(": ");
  if (start == std::string_view::npos || end == std::string_view::npos) return {.text = std::string(message)};
  std::from_chars(message.data() + start + kLine.size(), message.data() + message.size(), line);
  std::vector<InputLocation> places;
  for (const ScriptLine& definition : clauses.definitions) places.push_back(definition.place);
  places.resize(places.size() + clauses.predicates.size());
  for (const ScriptLine& clause : clauses.clauses) places.push_back(clause.place);
  std::string text(message.substr(end + 2));
  text.erase(std::find(text.begin(), text.end(), '"'), text.end());
  return {.text = text, .place = line >= 1 && line <= places.size() ? places[line - 1] : InputLocation()};
}

}  // namespace

bool are_satisfied_by(const HornClauses& clauses, std::span<const std::string> bodies, const Stop& stop) try {
  std::string script;
  for (const ScriptLine& definition : clauses.definitions) script += definition.text + "\n";
  for (std::size_t i = 0; i < bodies.size(); ++i)
    script += fmt::format("(define-fun {} ({}) Bool {})\n", clauses.predicates[i].symbol,
                          parameter_text(clauses.predicates[i]), bodies[i]);
  return std::all_of(clauses.clauses.begin(), clauses.clauses.end(), [&](const ScriptLine& clause) {
    return answer_to(script + fmt::format("(assert (not {}))\n", clause.text), stop) == z3::unsat;
  });
} catch (const z3::exception&) {  // a body is not a term
  return false;
}

bool is_proved_by(const TransitionSystem& system, const std::string& body, const Stop& stop) {
  return are_satisfied_by(InvariantProblem(system).clauses, {&body, 1}, stop);
}

bool can_be(const TransitionSystem& system, TermId term, bool wanted, std::span<const std::int64_t> state,
            const Stop& stop) try {
  std::string script;
  std::vector<std::string> names(2 * system.size());
  for (std::size_t i = 0; i < state.size(); ++i)
    names[i] = system.sort_of(i) == Sort::kInteger ? number_text(state[i]) : state[i] ? "true" : "false";
  for (std::size_t i = names.size(); i < system.variable_count(); ++i) {
    names.push_back(fmt::format("input_{}", i));
    script += fmt::format("(declare-const {} {})\n", names[i], sort_text(system.sort_of(i)));
  }
  script += fmt::format("(assert (= {} {}))\n", shared_term_text(system.terms, term, names, "shared_"), wanted);
  return answer_to(script, stop) == z3::sat;
} catch (const z3::exception&) {  // interrupted between two calls
  return false;
}

std::optional<ScriptLine> unread_line(const HornClauses& clauses) {
  Z3Context own_context;
  z3::solver solver(own_context());
  std::string script = declarations(clauses);
  for (const ScriptLine& clause : clauses.clauses) script += fmt::format("(assert {})\n", clause.text);
  require_memory_for_z3();
  try {
    solver.from_string(script.c_str());
  } catch (const z3::exception& error) {
    return refusal(error.msg(), clauses);
  }
  return std::nullopt;
}

std::string body_of(const InvariantProblem& problem, std::size_t predicate, const std::string& invariant) {
  const std::vector<std::size_t>& slots = problem.slots[predicate];
  std::string script, lets;
  for (std::size_t i = 0; i < problem.loop->size(); ++i) {
    const ProgramVariable& variable = problem.loop->variables[i];
    if (std::find(slots.begin(), slots.end(), i) != slots.end()) {
      script += fmt::format("(declare-const {} {})\n", variable.name, sort_text(variable.sort));
      continue;
    }
    const std::string value = i == problem.location ? fmt::format("{}", predicate) : "0";
    lets += fmt::format("({} {})", variable.name, variable.sort == Sort::kBoolean ? "false" : value);
  }
  if (lets.empty()) return invariant;
  Z3Context own_context;
  z3::context& context = own_context();
  require_memory_for_z3();
  script += fmt::format("(assert (let ({}) {}))\n", lets, invariant);
  return one_line(z3::mk_and(context.parse_string(script.c_str())).simplify());
}

}  // namespace fovea::synthesis
