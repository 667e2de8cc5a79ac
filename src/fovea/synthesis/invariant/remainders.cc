// SPDX-License-Identifier: Apache-2.0
#include "fovea/synthesis/invariant/remainders.h"

#include <fmt/format.h>

#include <array>
#include <optional>
#include <set>
#include <unordered_map>

namespace fovea::synthesis {
namespace {

constexpr std::int64_t kLargestDivisor = 64;
constexpr std::size_t kMostRemainders = 8;

bool is_divisor(std::int64_t number) { return number >= 2 && number <= kLargestDivisor; }

/// The divisors and the variables of a program between which a congruence may hold.
class Suggestions {
 public:
  explicit Suggestions(const TransitionSystem& system) : system_(system) {
    for (const TermId id : system.terms.sub_terms(std::array{system.pre, system.trans, system.post})) {
      const Term term = system.terms[id];
      if ((term.kind == TermKind::kRemainder || term.kind == TermKind::kQuotient) && is_divisor(term.number))
        add(form(term.operands[0]), term.number);
      if (term.kind == TermKind::kEqual && system.terms.sort(term.operands[0]) == Sort::kInteger) add_step(term);
    }
  }

  /// Those of the variables named above come first, since others may be related to them.
  std::vector<WithRemainders::Remainder> remainders() const {
    std::vector<WithRemainders::Remainder> result;
    for (const bool is_named : {true, false})
      for (const std::int64_t divisor : divisors_)
        for (std::size_t i = 0; i < system_.size(); ++i)
          if (variables_.contains(i) == is_named && system_.sort_of(i) == Sort::kInteger &&
              result.size() < kMostRemainders)
            result.push_back({i, divisor});
    return result;
  }

 private:
  std::optional<LinearForm> form(TermId term) const { return linear_form(system_.terms, term, 2 * system_.size()); }

  void add(const std::optional<LinearForm>& form, std::int64_t divisor) {
    divisors_.insert(divisor);
    if (!form) return;
    for (std::size_t i = 0; i < form->coefficients.size(); ++i)
      if (form->coefficients[i] != 0) variables_.insert(i % system_.size());
  }

  /// x' = x + 3
  void add_step(const Term& term) {
    const std::optional<LinearForm> left = form(term.operands[0]), right = form(term.operands[1]);
    if (!left || !right) return;
    LinearForm difference = *left;
    for (std::size_t i = 0; i < difference.coefficients.size(); ++i)
      if (__builtin_sub_overflow(left->coefficients[i], right->coefficients[i], &difference.coefficients[i])) return;
    if (__builtin_sub_overflow(left->constant, right->constant, &difference.constant)) return;
    const std::int64_t size = difference.constant < 0 ? -(difference.constant + 1) + 1 : difference.constant;
    std::size_t used = 0, changed = system_.size();
    for (std::size_t i = 0; i < system_.size(); ++i) {
      const std::int64_t before = difference.coefficients[i], after = difference.coefficients[system_.size() + i];
      used += (before != 0 ? 1 : 0) + (after != 0 ? 1 : 0);
      if (before + after == 0 && (after == 1 || after == -1)) changed = i;
    }
    if (used != 2 || changed == system_.size() || !is_divisor(size)) return;
    divisors_.insert(size);
    variables_.insert(changed);
  }

  const TransitionSystem& system_;
  std::set<std::int64_t> divisors_;
  std::set<std::size_t> variables_;
};

}  // namespace

std::string WithRemainders::over_program(const std::string& invariant) const {
  std::string lets;
  const std::size_t first = system.size() - remainders.size();
  for (std::size_t i = 0; i < remainders.size(); ++i)
    lets += fmt::format("({} (mod {} {}))", system.variables[first + i].name,
                        system.variables[remainders[i].variable].name, remainders[i].divisor);
  return lets.empty() ? invariant : fmt::format("(let ({}) {})", lets, invariant);
}

WithRemainders with_remainders(const TransitionSystem& program) {
  WithRemainders result = {.system = program, .remainders = Suggestions(program).remainders()};
  TransitionSystem& system = result.system;
  TermPool& terms = system.terms;
  const std::size_t old_size = program.size(), more = result.remainders.size();
  for (std::size_t i = 0; i < more; ++i) system.variables.push_back({fmt::format("!remainder{}", i), Sort::kInteger});
  std::unordered_map<TermId, TermId> moved;  // variables after a step, and inputs, have larger numbers now
  for (std::size_t i = old_size; i < program.variable_count(); ++i)
    moved[terms.variable(i, program.sort_of(i))] =
        terms.variable(i + (i < 2 * old_size ? more : 2 * more), program.sort_of(i));
  std::vector<TermId> now, next;  // "the remainder is that of the variable"
  for (std::size_t i = 0; i < more; ++i)
    for (const bool after : {false, true}) {
      const std::size_t offset = after ? system.size() : 0;
      const auto [variable, divisor] = result.remainders[i];
      (after ? next : now)
          .push_back(terms.equal(terms.variable(offset + old_size + i, Sort::kInteger),
                                 terms.remainder(terms.variable(offset + variable, Sort::kInteger), divisor)));
    }
  const TermId is_right = terms.conjunction(now), stays_right = terms.conjunction(next);
  system.pre = terms.conjunction(std::array{substituted(terms, program.pre, moved), is_right});
  system.trans = terms.conjunction(std::array{is_right, substituted(terms, program.trans, moved), stays_right});
  system.post = terms.disjunction(std::array{terms.negation(is_right), substituted(terms, program.post, moved)});
  return result;
}

}  // namespace fovea::synthesis
