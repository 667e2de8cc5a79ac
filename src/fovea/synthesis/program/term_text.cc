// SPDX-License-Identifier: Apache-2.0
#include "fovea/synthesis/program/term_text.h"

#include <fmt/format.h>

namespace fovea::synthesis {
namespace {

const char* operator_text(TermKind kind) {
  switch (kind) {
    case TermKind::kNot:
      return "not";
    case TermKind::kAnd:
      return "and";
    case TermKind::kOr:
      return "or";
    case TermKind::kIfThenElse:
      return "ite";
    case TermKind::kEqual:
      return "=";
    case TermKind::kAtMost:
      return "<=";
    case TermKind::kLess:
      return "<";
    case TermKind::kSum:
      return "+";
    default:
      return "*";
  }
}

void append_term(std::string& text, const TermPool& terms, TermId id, std::span<const std::string> names) {
  const Term term = terms[id];
  if (term.kind == TermKind::kNumber) text += number_text(term.number);
  else if (term.kind == TermKind::kVariable) text += names[static_cast<std::size_t>(term.number)];
  else if (term.kind == TermKind::kTruth) text += term.number ? "true" : "false";
  else if (term.operands.empty()) text += term.kind == TermKind::kAnd ? "true" : "false";
  else {
    text += '(';
    text += operator_text(term.kind);
    if (term.kind == TermKind::kScaled) text += ' ' + number_text(term.number);
    for (const TermId operand : term.operands) {
      text += ' ';
      append_term(text, terms, operand, names);
    }
    text += ')';
  }
}

/// "x!", and "|a b!|" for "|a b|".
std::string next_name(const std::string& name) {
  return name.ends_with('|') ? name.substr(0, name.size() - 1) + "!|" : name + "!";
}

}  // namespace

std::string number_text(std::int64_t number) {
  return number < 0 ? fmt::format("(- {})", 0 - static_cast<std::uint64_t>(number)) : fmt::format("{}", number);
}

std::string term_text(const TermPool& terms, TermId term, std::span<const std::string> names) {
  std::string text;
  append_term(text, terms, term, names);
  return text;
}

std::string_view sort_text(Sort sort) { return sort == Sort::kBoolean ? "Bool" : "Int"; }

std::vector<std::string> state_names(const TransitionSystem& system) {
  std::vector<std::string> names;
  for (const ProgramVariable& variable : system.variables) names.push_back(variable.name);
  for (const ProgramVariable& variable : system.variables) names.push_back(next_name(variable.name));
  return names;
}

std::string parameter_text(const TransitionSystem& system, bool with_next) {
  const std::vector<std::string> names = state_names(system);
  std::string text;
  for (std::size_t i = 0; i < (with_next ? 2 : 1) * system.size(); ++i)
    text += fmt::format("{}({} {})", i ? " " : "", names[i], sort_text(system.variables[i % system.size()].sort));
  return text;
}

}  // namespace fovea::synthesis
