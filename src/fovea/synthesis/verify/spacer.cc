// SPDX-License-Identifier: Apache-2.0
#include "fovea/synthesis/verify/spacer.h"

#include <fmt/format.h>

#include "fovea/synthesis/verify/horn_script.h"
#include "fovea/synthesis/verify/z3_context.h"

namespace fovea::synthesis {
namespace {

/// A name without the bars that quote it.
std::string bare(const std::string& name) {
  return name.size() >= 2 && name.front() == '|' && name.back() == '|' ? name.substr(1, name.size() - 2) : name;
}

/// The predicate's body in a model, over its parameters. A model that leaves a predicate out does not restrict it.
std::string body_in(const z3::model& model, const HornClauses::Predicate& predicate) {
  z3::context& context = model.ctx();
  for (unsigned i = 0; i < model.size(); ++i) {
    const z3::func_decl found = model[static_cast<int>(i)];
    if (found.name().str() != bare(predicate.symbol)) continue;
    if (found.arity() == 0) return one_line(model.get_const_interp(found));
    z3::expr_vector arguments(context);
    for (unsigned j = 0; j < found.arity(); ++j)
      arguments.push_back(context.constant(bare(predicate.parameters[j]).c_str(), found.domain(j)));
    return one_line(model.get_func_interp(found).else_value().substitute(arguments));
  }
  return "true";
}

}  // namespace

SpacerAnswer solve_by_spacer(const HornClauses& clauses, const Stop& stop) try {
  Z3Context own_context;
  z3::context& context = own_context();
  z3::solver solver(context, "HORN");
  std::string script = declarations(clauses);
  for (const ScriptLine& clause : clauses.clauses) script += fmt::format("(assert {})\n", clause.text);
  require_memory_for_z3();
  solver.from_string(script.c_str());
  switch (Z3Calls(context, stop).check(solver)) {
    case z3::unsat:
      return {.verdict = ProgramVerdict::kInfeasible};
    case z3::sat: {
      SpacerAnswer answer = {.verdict = ProgramVerdict::kProved};
      const z3::model model = solver.get_model();
      for (const HornClauses::Predicate& predicate : clauses.predicates)
        answer.bodies.push_back(body_in(model, predicate));
      return answer;
    }
    case z3::unknown:
      break;
  }
  return {};
} catch (const z3::exception&) {  // no model, or no text that Z3 reads
  return {};
}

}  // namespace fovea::synthesis
