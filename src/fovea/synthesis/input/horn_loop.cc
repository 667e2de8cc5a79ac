// SPDX-License-Identifier: Apache-2.0
#include "fovea/synthesis/input/horn_loop.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <unordered_map>
#include <utility>

#include "fovea/synthesis/input/file_terms.h"

namespace fovea::synthesis {
namespace {

using Children = std::vector<std::uint32_t>;

/// Variables that a clause quantifies have these numbers until they become variables of the state or inputs.
constexpr std::size_t kFirstQuantified = std::size_t{1} << 30;

enum class Naming : std::uint8_t { kNone, kHead, kBody };

/// A clause: its body, if any, and its condition imply its head, if any.
struct HornClause {
  std::optional<FileTerms::Application> body = {}, head = {};
  std::vector<TermId> condition = {};
};

class LoopEncoder {
 public:
  LoopEncoder(const SExpressions& file, InvariantProblem& problem)
      : file_(file), problem_(problem), system_(problem.loop.emplace()), terms_(file, system_.terms) {}

  void encode() {
    declare_predicates();
    for (const std::uint32_t node : file_.top()) read_command(node);
    system_.pre = system_.terms.disjunction(starts_);
    system_.trans = system_.terms.disjunction(steps_);
    system_.post = system_.terms.conjunction(allowed_);
    name_variables();
  }

 private:
  bool is_command(std::uint32_t node, std::string_view name) const {
    const Children& parts = file_[node].children;
    return !parts.empty() && file_[parts[0]].word == name;
  }

  /// Gives each predicate its variables, and the state its size, before any term is read.
  void declare_predicates() {
    for (const std::uint32_t node : file_.top()) {
      if (!is_command(node, "declare-fun")) continue;
      const Children& parts = file_[node].children;
      std::vector<Sort> sorts;
      for (const std::uint32_t sort : file_[parts[2]].children) sorts.push_back(terms_.sort(sort));
      add_slots(sorts);
      terms_.declare_predicate(parts[1], std::move(sorts));
    }
    if (problem_.slots.size() > 1) {
      problem_.location = system_.size();
      system_.variables.push_back({"location", Sort::kInteger});
    }
    // The solvers' counterpart of a state without variables.
    if (system_.variables.empty()) system_.variables.push_back({"nothing", Sort::kInteger});
    system_.name = problem_.clauses.predicates[0].name;
    named_by_.resize(system_.size());
  }

  void add_slots(const std::vector<Sort>& sorts) {
    std::vector<std::size_t> slots;
    for (const Sort sort : sorts) {
      std::size_t slot = 0;
      while (slot < system_.size() &&
             (system_.variables[slot].sort != sort || std::find(slots.begin(), slots.end(), slot) != slots.end()))
        ++slot;
      if (slot == system_.size()) system_.variables.push_back({fmt::format("x{}", slot + 1), sort});
      slots.push_back(slot);
    }
    problem_.slots.push_back(std::move(slots));
  }

  void read_command(std::uint32_t node) {
    const Children& parts = file_[node].children;
    const std::string& name = file_[parts[0]].word;
    if (name == "define-fun") {
      if (parts.size() != 5) terms_.refuse(node, "a command of the wrong form");
      terms_.define(parts[1],
                    {.parameters = terms_.parameters(parts[2]), .sort = terms_.sort(parts[3]), .body = parts[4]});
    } else if (name == "assert") {
      read_clause(parts[1]);
    } else if (name.starts_with("define-") || name.starts_with("declare-datatype")) {
      terms_.refuse(node, fmt::format("{} is beyond linear integer arithmetic", name));
    }
  }

  /// (forall (VARIABLES) TERM), its opposite's negation, or a term without variables.
  void read_clause(std::uint32_t node) {
    names_.clear();
    FileTerms::Scope scope;
    bool is_negated = false;
    while (true) {
      const Children& parts = file_[node].children;
      if (is_command(node, "not") && parts.size() == 2 &&
          (is_command(parts[1], "exists") || is_command(parts[1], "not") || is_command(parts[1], "forall"))) {
        is_negated = !is_negated;
        node = parts[1];
      } else if (is_command(node, is_negated ? "exists" : "forall") && parts.size() == 3) {
        for (const FileTerms::Parameter& variable : terms_.parameters(parts[1])) {
          scope[variable.name] = system_.terms.variable(kFirstQuantified + names_.size(), variable.sort);
          names_.push_back(variable.name);
        }
        node = parts[2];
      } else {
        break;
      }
    }
    const TermId term = terms_.term(node, scope);
    if (system_.terms.sort(term) != Sort::kBoolean) terms_.refuse(node, "a clause that is not Bool");
    applications_ = terms_.take_applications();
    take_clauses(node, term, is_negated);
  }

  /// The clauses that a term, or its negation, stands for.
  void take_clauses(std::uint32_t node, TermId term, bool is_negated) {
    const Term whole = system_.terms[term];
    if (whole.kind == TermKind::kNot) return take_clauses(node, whole.operands[0], !is_negated);
    if (whole.kind == (is_negated ? TermKind::kOr : TermKind::kAnd)) {
      const std::vector<TermId> parts(whole.operands.begin(), whole.operands.end());
      for (const TermId part : parts) take_clauses(node, part, is_negated);
      return;
    }
    HornClause clause;
    take_literal(node, term, is_negated, clause);
    add(clause);
  }

  /// Adds a disjunct of a clause to it: the head, the body's predicate, or what the condition denies.
  void take_literal(std::uint32_t node, TermId term, bool is_negated, HornClause& clause) {
    const Term literal = system_.terms[term];
    if (literal.kind == TermKind::kNot) return take_literal(node, literal.operands[0], !is_negated, clause);
    if (literal.kind == (is_negated ? TermKind::kAnd : TermKind::kOr)) {
      const std::vector<TermId> parts(literal.operands.begin(), literal.operands.end());
      for (const TermId part : parts) take_literal(node, part, is_negated, clause);
      return;
    }
    if (const FileTerms::Application* const found = application(term)) {
      std::optional<FileTerms::Application>& place = is_negated ? clause.body : clause.head;
      if (place)
        terms_.refuse(node, is_negated ? "a clause with several predicates in its body is not a step of a loop"
                                       : "a clause with several predicates in its head is not a Horn clause");
      place = *found;
      return;
    }
    for (const TermId part : system_.terms.sub_terms({&term, 1}))
      if (application(part)) terms_.refuse(node, "a predicate inside a condition is not a step of a loop");
    clause.condition.push_back(is_negated ? term : system_.terms.negation(term));
  }

  const FileTerms::Application* application(TermId term) const {
    const auto found = std::find_if(applications_.begin(), applications_.end(),
                                    [&](const FileTerms::Application& one) { return one.variable == term; });
    return found == applications_.end() ? nullptr : &*found;
  }

  TermId slot(std::size_t i, bool after) {
    return system_.terms.variable((after ? system_.size() : 0) + i, system_.variables[i].sort);
  }

  bool is_quantified(TermId term) const {
    const Term variable = system_.terms[term];
    return variable.kind == TermKind::kVariable && static_cast<std::size_t>(variable.number) >= kFirstQuantified &&
           static_cast<std::size_t>(variable.number) < FileTerms::kFirstApplication;
  }

  void add(HornClause& clause) {
    meanings_.clear();
    std::vector<TermId> parts;
    if (clause.body) enter(*clause.body, Naming::kBody, false, parts);
    if (clause.head) {
      enter(*clause.head, Naming::kHead, clause.body.has_value(), parts);
      clear_others(clause.head->predicate, clause.body.has_value(), parts);
    }
    parts.insert(parts.end(), clause.condition.begin(), clause.condition.end());
    TermId whole = system_.terms.conjunction(parts);
    give_inputs(whole);
    whole = substituted(system_.terms, whole, meanings_);
    if (!clause.head) allowed_.push_back(system_.terms.negation(whole));
    else (clause.body ? steps_ : starts_).push_back(whole);
    // A clause without predicates must hold by itself: if it fails, then every start is not allowed.
    if (!clause.head && !clause.body) starts_.push_back(whole);
  }

  /// Says that a state is that of the predicate with these arguments. A quantified variable that is an argument
  /// becomes the variable of the state.
  void enter(const FileTerms::Application& place, Naming naming, bool after, std::vector<TermId>& parts) {
    const std::vector<std::size_t>& slots = problem_.slots[place.predicate];
    for (std::size_t i = 0; i < slots.size(); ++i) {
      const TermId argument = place.arguments[i], variable = slot(slots[i], after);
      if (!is_quantified(argument) || !meanings_.emplace(argument, variable).second)
        parts.push_back(system_.terms.equal(variable, argument));
      else name(slots[i], argument, naming);
    }
    if (problem_.location)
      parts.push_back(system_.terms.equal(slot(*problem_.location, after),
                                          system_.terms.number(static_cast<std::int64_t>(place.predicate))));
  }

  void clear_others(std::size_t predicate, bool after, std::vector<TermId>& parts) {
    const std::vector<std::size_t>& slots = problem_.slots[predicate];
    for (std::size_t i = 0; i < system_.size(); ++i) {
      if (i == problem_.location || std::find(slots.begin(), slots.end(), i) != slots.end()) continue;
      const TermId zero =
          system_.variables[i].sort == Sort::kBoolean ? system_.terms.truth(false) : system_.terms.number(0);
      parts.push_back(system_.terms.equal(slot(i, after), zero));
    }
  }

  /// Makes the other quantified variables inputs, which clauses share.
  void give_inputs(TermId whole) {
    std::vector<bool> is_taken(system_.inputs.size());
    for (const TermId term : system_.terms.sub_terms({&whole, 1})) {
      if (!is_quantified(term) || meanings_.contains(term)) continue;
      const Sort sort = system_.terms.sort(term);
      std::size_t input = 0;
      while (input < system_.inputs.size() && (is_taken[input] || system_.inputs[input].sort != sort)) ++input;
      if (input == system_.inputs.size()) {
        system_.inputs.push_back({fmt::format("input{}", input + 1), sort});
        is_taken.push_back(false);
      }
      is_taken[input] = true;
      meanings_[term] = system_.terms.variable(2 * system_.size() + input, sort);
    }
  }

  /// A variable of the state is called what the first body calls it, or else the first head.
  void name(std::size_t i, TermId argument, Naming naming) {
    if (named_by_[i] >= naming) return;
    named_by_[i] = naming;
    system_.variables[i].name = names_[static_cast<std::size_t>(system_.terms[argument].number) - kFirstQuantified];
  }

  /// Makes names unique, also those after a step, and gives predicates their parameters' names.
  void name_variables() {
    std::set<std::string> taken;
    for (const HornClauses::Predicate& predicate : problem_.clauses.predicates) taken.insert(predicate.name);
    const auto make_unique = [&](std::string& name) {
      const char* const bar = name.starts_with('|') ? "|" : "";
      std::string base = *bar ? name.substr(1, name.size() - 2) : name;
      while (base.ends_with('!')) base.pop_back();  // "x!" is x after a step
      name = bar + base + bar;
      for (int number = 2; base.empty() || taken.contains(name); ++number)
        name = fmt::format("{}{}_{}{}", bar, std::exchange(base, base.empty() ? "x" : base), number, bar);
      taken.insert(name);
    };
    for (ProgramVariable& variable : system_.variables) make_unique(variable.name);
    for (ProgramVariable& input : system_.inputs) make_unique(input.name);
    for (std::size_t i = 0; i < problem_.slots.size(); ++i)
      for (const std::size_t slot : problem_.slots[i])
        problem_.clauses.predicates[i].parameters.push_back(system_.variables[slot].name);
  }

  const SExpressions& file_;
  InvariantProblem& problem_;
  TransitionSystem& system_;
  FileTerms terms_;
  std::vector<TermId> starts_, steps_, allowed_;
  std::vector<Naming> named_by_;  // [variable of the state]
  // The clause that is read:
  std::vector<std::string> names_;  // of the variables that it quantifies
  std::vector<FileTerms::Application> applications_;
  std::unordered_map<TermId, TermId> meanings_;
};

}  // namespace

void encode_as_loop(const SExpressions& file, InvariantProblem& problem) { LoopEncoder(file, problem).encode(); }

}  // namespace fovea::synthesis
