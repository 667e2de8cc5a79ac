// SPDX-License-Identifier: Apache-2.0
#include "fovea/synthesis/verify/z3_program.h"

#include <algorithm>

#include "fovea/base/error.h"
#include "fovea/synthesis/program/term.h"

namespace fovea::synthesis {

Z3Program::Z3Program(z3::context& context, const TransitionSystem& system)
    : context_(context), system_(system), built_(system.terms.size()) {
  const std::vector<std::string> names = variable_names(system);
  for (std::size_t i = 0; i < names.size(); ++i)
    variables_.push_back(system.sort_of(i) == Sort::kBoolean ? context.bool_const(names[i].c_str())
                                                             : context.int_const(names[i].c_str()));
}

z3::expr Z3Program::expression(TermId root) {
  for (const TermId id : system_.terms.sub_terms({&root, 1})) {
    if (built_[id]) continue;
    const Term term = system_.terms[id];
    z3::expr_vector operands(context_);
    for (const TermId operand : term.operands) operands.push_back(*built_[operand]);
    built_[id] = build(term, operands);
  }
  return *built_[root];
}

z3::expr Z3Program::build(const Term& term, const z3::expr_vector& operands) const {
  const auto operand = [&](int i) { return operands[i]; };
  switch (term.kind) {
    case TermKind::kNumber:
      return context_.int_val(term.number);
    case TermKind::kTruth:
      return context_.bool_val(term.number != 0);
    case TermKind::kVariable:
      return variables_[static_cast<std::size_t>(term.number)];
    case TermKind::kNot:
      return !operand(0);
    case TermKind::kAnd:
      return z3::mk_and(operands);
    case TermKind::kOr:
      return z3::mk_or(operands);
    case TermKind::kIfThenElse:
      return z3::ite(operand(0), operand(1), operand(2));
    case TermKind::kEqual:
      return operand(0) == operand(1);
    case TermKind::kAtMost:
      return operand(0) <= operand(1);
    case TermKind::kLess:
      return operand(0) < operand(1);
    case TermKind::kSum:
      return z3::sum(operands);
    case TermKind::kScaled:
      return context_.int_val(term.number) * operand(0);
    case TermKind::kQuotient:
      return operand(0) / context_.int_val(term.number);
    case TermKind::kRemainder:
      return z3::mod(operand(0), context_.int_val(term.number));
  }
  FOVEA_CHECK(false);
  return context_.bool_val(false);
}

z3::expr Z3Program::integer(std::size_t i) const {
  const z3::expr& variable = variables_[i];
  return variable.is_bool() ? z3::ite(variable, context_.int_val(1), context_.int_val(0)) : variable;
}

z3::expr Z3Program::atom(const Atom& atom, bool after) const {
  z3::expr_vector parts(context_);
  const std::size_t offset = after ? system_.size() : 0;
  for (std::size_t i = 0; i < atom.coefficients.size(); ++i)
    if (const std::int64_t factor = atom.coefficients[i])
      parts.push_back(factor == 1 ? integer(offset + i) : context_.int_val(factor) * integer(offset + i));
  if (parts.empty()) return context_.bool_val(0 <= atom.bound);
  return (parts.size() == 1 ? parts[0] : z3::sum(parts)) <= context_.int_val(atom.bound);
}

z3::expr Z3Program::conjunction(const Dnf::Conjunction& atoms, bool after) const {
  z3::expr_vector parts(context_);
  for (const Atom& part : atoms) parts.push_back(atom(part, after));
  return z3::mk_and(parts);
}

z3::expr Z3Program::formula(const Dnf& formula, bool after) const {
  z3::expr_vector parts(context_);
  for (const Dnf::Conjunction& disjunct : formula.disjuncts) parts.push_back(conjunction(disjunct, after));
  return z3::mk_or(parts);
}

z3::expr Z3Program::clause(const Clause& clause, bool after) const {
  z3::expr_vector parts(context_);
  for (const Atom& part : clause.atoms) parts.push_back(atom(part, after));
  return z3::mk_or(parts);
}

z3::expr Z3Program::is_small(std::int64_t size, bool after) const {
  z3::expr_vector parts(context_);
  for (std::size_t i = 0; i < (after ? 2 : 1) * system_.size(); ++i) {
    if (variables_[i].is_bool()) continue;
    parts.push_back(variables_[i] <= context_.int_val(size));
    parts.push_back(variables_[i] >= context_.int_val(-size));
  }
  return z3::mk_and(parts);
}

std::optional<ProgramState> Z3Program::state(const z3::model& model, bool after) const {
  ProgramState state;
  for (std::size_t i = 0; i < system_.size(); ++i) {
    const z3::expr value = model.eval(integer((after ? system_.size() : 0) + i), true);
    std::int64_t number = 0;
    if (!value.is_numeral_i64(number)) return std::nullopt;
    state.push_back(number);
  }
  return state;
}

}  // namespace fovea::synthesis
