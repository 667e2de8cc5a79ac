// SPDX-License-Identifier: Apache-2.0
#include "fovea/synthesis/verify/horn_script.h"

#include <fmt/format.h>

#include <algorithm>

namespace fovea::synthesis {

std::string declarations(const HornClauses& clauses) {
  std::string script;
  for (const ScriptLine& definition : clauses.definitions) script += definition.text + "\n";
  for (const HornClauses::Predicate& predicate : clauses.predicates)
    script += fmt::format("(declare-fun {} ({}) Bool)\n", predicate.symbol, fmt::join(predicate.sorts, " "));
  return script;
}

std::string one_line(const z3::expr& expression) {
  std::string text = expression.to_string();
  std::replace(text.begin(), text.end(), '\n', ' ');
  const auto are_blanks = [](char a, char b) { return a == ' ' && b == ' '; };
  text.erase(std::unique(text.begin(), text.end(), are_blanks), text.end());
  return text;
}

}  // namespace fovea::synthesis
