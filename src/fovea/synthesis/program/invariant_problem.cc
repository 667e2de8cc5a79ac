// SPDX-License-Identifier: Apache-2.0
#include "fovea/synthesis/program/invariant_problem.h"

#include <fmt/format.h>

#include <numeric>
#include <span>
#include <utility>

namespace fovea::synthesis {
namespace {

/// Names that no file's name hides: those of the file occur in definitions alone.
constexpr const char* kPredicate = "!invariant";

class LoopClauses {
 public:
  explicit LoopClauses(const TransitionSystem& system) : system_(system) {
    for (std::size_t i = 0; i < system.variable_count(); ++i) names_.push_back(fmt::format("!{}", i));
  }

  HornClauses written() const {
    const TermPool& terms = system_.terms;
    HornClauses result;
    HornClauses::Predicate predicate = {.name = system_.name, .symbol = kPredicate, .parameters = {}, .sorts = {}};
    for (const ProgramVariable& variable : system_.variables) {
      predicate.parameters.push_back(variable.name);
      predicate.sorts.emplace_back(sort_text(variable.sort));
    }
    result.predicates = {std::move(predicate)};
    result.clauses = {
        clause(fmt::format("(=> {} {})", text_of(terms, system_.pre), predicate_at(0)), false),
        clause(fmt::format("(=> (and {} {}) {})", predicate_at(0), text_of(terms, system_.trans), predicate_at(1)),
               true),
        clause(fmt::format("(=> (and {} (not {})) false)", predicate_at(0), text_of(terms, system_.post)), false)};
    return result;
  }

 private:
  std::string text_of(const TermPool& terms, TermId term) const { return shared_term_text(terms, term, names_, "!s"); }

  /// The predicate before (0) or after a step.
  std::string predicate_at(std::size_t step) const {
    std::string text = fmt::format("({}", kPredicate);
    for (std::size_t i = 0; i < system_.size(); ++i) text += " " + names_[step * system_.size() + i];
    return text + ")";
  }

  /// For all values of the variables; `with_next`: of those after a step, too.
  ScriptLine clause(const std::string& body, bool with_next) const {
    std::string variables;
    for (std::size_t i = 0; i < names_.size(); ++i)
      if (with_next || i < system_.size() || i >= 2 * system_.size())
        variables += fmt::format("({} {})", names_[i], sort_text(system_.sort_of(i)));
    return {.text = fmt::format("(forall ({}) {})", variables, body)};
  }

  const TransitionSystem& system_;
  std::vector<std::string> names_;  // of the variables of the terms
};

}  // namespace

std::string parameter_text(const HornClauses::Predicate& predicate) {
  std::string text;
  for (std::size_t i = 0; i < predicate.parameters.size(); ++i)
    text += fmt::format("{}({} {})", i ? " " : "", predicate.parameters[i], predicate.sorts[i]);
  return text;
}

InvariantProblem::InvariantProblem(TransitionSystem system) : clauses(LoopClauses(system).written()), slots(1) {
  slots[0].resize(system.size());
  std::iota(slots[0].begin(), slots[0].end(), std::size_t{0});
  loop = std::move(system);
}

}  // namespace fovea::synthesis
