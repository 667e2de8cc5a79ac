// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace fovea::synthesis {

/// Terms of linear integer arithmetic with Booleans, as verification problems write them:
///
///   integer  ::= number | variable | sum of integers | number * integer | if Boolean then integer else integer
///              | integer div number | integer mod number
///   Boolean  ::= truth | variable | not B | and B... | or B... | if B then B else B
///              | integer <= integer | integer < integer | x = y (both of one sort)
///
/// Operators that other languages add (>=, =>, distinct, xor, minus, abs) are expressed with these. A pool holds each
/// different term once, so that sub-terms are shared and equal terms have equal numbers; the operands of a term have
/// smaller numbers than the term itself, so that a pass in the order of numbers sees operands first.
using TermId = std::uint32_t;

enum class Sort : std::uint8_t { kBoolean, kInteger };

enum class TermKind : std::uint8_t {
  kNumber,      ///< `number`
  kTruth,       ///< `number` is 0 or 1
  kVariable,    ///< `number` is the variable's index
  kNot,         ///< one operand
  kAnd,         ///< any number of operands; none is true
  kOr,          ///< any number of operands; none is false
  kIfThenElse,  ///< condition, then, else
  kEqual,       ///< two operands of one sort
  kAtMost,      ///< two integers: first <= second
  kLess,        ///< two integers: first < second
  kSum,         ///< any number of integers; none is 0
  kScaled,      ///< `number` times the one operand
  kQuotient,    ///< the one operand over `number` > 0, rounded down
  kRemainder    ///< what is left then: at least 0, below `number`
};

struct Term {
  TermKind kind = TermKind::kTruth;
  Sort sort = Sort::kBoolean;
  std::int64_t number = 0;
  std::span<const TermId> operands = {};  ///< valid until the pool grows
};

/// Builds and holds terms. The caller must pass operands of the right sorts (FOVEA_CHECK). Sums and products of numbers
/// alone become numbers if they fit into 64 bits; nothing else is simplified.
class TermPool {
 public:
  TermId number(std::int64_t value) { return add({TermKind::kNumber, Sort::kInteger, value}, {}); }
  TermId truth(bool value) { return add({TermKind::kTruth, Sort::kBoolean, value ? 1 : 0}, {}); }
  TermId variable(std::size_t index, Sort sort) {
    return add({TermKind::kVariable, sort, static_cast<std::int64_t>(index)}, {});
  }
  TermId negation(TermId operand);
  TermId conjunction(std::span<const TermId> operands);
  TermId disjunction(std::span<const TermId> operands);
  TermId if_then_else(TermId condition, TermId then, TermId otherwise);
  TermId equal(TermId left, TermId right);
  TermId at_most(TermId left, TermId right);
  TermId less(TermId left, TermId right);
  TermId sum(std::span<const TermId> operands);
  TermId scaled(std::int64_t factor, TermId operand);
  /// divisor > 0.
  TermId quotient(TermId operand, std::int64_t divisor);
  TermId remainder(TermId operand, std::int64_t divisor);
  /// The same operator over other operands, of the same number and sorts.
  TermId with_operands(TermId term, std::span<const TermId> operands) {
    return add({nodes_[term].kind, nodes_[term].sort, nodes_[term].number}, operands);
  }

  Term operator[](TermId term) const;
  Sort sort(TermId term) const { return nodes_[term].sort; }
  bool is_number(TermId term) const { return nodes_[term].kind == TermKind::kNumber; }
  std::size_t size() const { return nodes_.size(); }

  /// The sub-terms of these roots, the roots included, each once: operands first.
  std::vector<TermId> sub_terms(std::span<const TermId> roots) const;

  /// Passes that visit shared terms at each use leave out terms whose written_size() is larger.
  static constexpr std::uint64_t kMostWritten = 100'000;
  /// Number of terms, this one included, when shared ones are written out at each use; at most 2^62.
  std::uint64_t written_size(TermId term) const { return nodes_[term].written_size; }
  /// 1 for a term without operands.
  std::uint32_t depth(TermId term) const { return nodes_[term].depth; }

 private:
  struct Head {
    TermKind kind;
    Sort sort;
    std::int64_t number;
  };
  struct Node {
    TermKind kind;
    Sort sort;
    std::uint32_t depth;
    std::int64_t number;
    std::uint32_t first_operand, operand_count;
    std::uint64_t written_size;
  };

  TermId add(const Head& head, std::span<const TermId> operands);
  bool is_same(const Node& node, const Head& head, std::span<const TermId> operands) const;
  void require(Sort sort, std::span<const TermId> operands) const;

  std::vector<Node> nodes_;
  std::vector<TermId> operands_;  // of all nodes, one after the other
  std::unordered_multimap<std::uint64_t, TermId> by_hash_;
};

/// One value per variable, in their order; Booleans are 0 or 1.
using ProgramState = std::vector<std::int64_t>;

struct ProgramVariable {
  std::string name;  ///< as the file writes it, |bars| included
  Sort sort = Sort::kInteger;
};

/// A loop: the states that it may start in, the steps that it may make, and the states that are allowed. An inductive
/// invariant I proves that no run leaves the allowed states:
///
///   pre(x, u) => I(x)        I(x) and trans(x, x', u) => I(x')        I(x) => post(x, u)
///
/// for all inputs u, which are chosen anew each time: what the environment does, or what the file leaves open. In
/// `terms`, variable i < size() is x_i, variable size() + i is x'_i, its value after the step, and variable
/// 2 size() + i is u_i.
struct TransitionSystem {
  std::string name;  ///< of the invariant, as the file writes it
  std::vector<ProgramVariable> variables;
  std::vector<ProgramVariable> inputs = {};
  TermPool terms;
  TermId pre = 0, trans = 0, post = 0;

  std::size_t size() const { return variables.size(); }
  /// The number of variables in `terms`.
  std::size_t variable_count() const { return 2 * size() + inputs.size(); }
  Sort sort_of(std::size_t variable) const {
    return variable < 2 * size() ? variables[variable % size()].sort : inputs[variable - 2 * size()].sort;
  }
};

/// Verdict on a program: an inductive invariant exists; some run reaches a state that is not allowed; neither is known.
enum class ProgramVerdict : std::uint8_t { kProved, kInfeasible, kUnknown };

/// A number in the syntax of SMT-LIB and SyGuS: "7", "(- 7)".
std::string number_text(std::int64_t number);

/// The term in the syntax of SMT-LIB and SyGuS, shared sub-terms written out at each use; names[i] is variable i's.
std::string term_text(const TermPool& terms, TermId term, std::span<const std::string> names);

/// A term in the same syntax, with a let for each sub-term that it uses more than once: its length grows with the
/// number of different sub-terms, however often each is used. `prefix`: of the names that lets bind; no name in `names`
/// may begin with it.
std::string shared_term_text(const TermPool& terms, TermId term, std::span<const std::string> names,
                             std::string_view prefix);

/// The term with other terms in the place of some: of variables, or of whole sub-terms.
TermId substituted(TermPool& terms, TermId term, const std::unordered_map<TermId, TermId>& replacements);

/// "Int" or "Bool".
std::string_view sort_text(Sort sort);

/// [variable of the terms]: names of x_0 ... x_(n-1), of x'_0 ..., which are written "x!", and of u_0 ...
std::vector<std::string> variable_names(const TransitionSystem& system);

/// "(x Int) (y Bool)"; with `with_next`, followed by "(x! Int) (y! Bool)".
std::string parameter_text(const TransitionSystem& system, bool with_next = false);

/// Computes the value of one term for values of its variables, in time linear in the number of its different sub-terms.
/// For one thread at a time; the pool must outlive it.
class TermEvaluator {
 public:
  TermEvaluator(const TermPool& terms, TermId root);

  /// values[i] is variable i's, Booleans 0 or 1; a Boolean term's value is 0 or 1. None if a number would not fit into
  /// 64 bits on the way.
  std::optional<std::int64_t> value(std::span<const std::int64_t> values);

  /// True if a Boolean term holds; false also if its value cannot be computed.
  bool holds(std::span<const std::int64_t> values) { return value(values).value_or(0) != 0; }

 private:
  bool compute(TermId term, std::span<const std::int64_t> values);

  const TermPool& terms_;
  std::vector<TermId> order_;           // the root's sub-terms, operands first, the root last
  std::vector<std::int64_t> computed_;  // by term
};

/// coefficients . x + constant over all variables x of a program, before and after a step.
struct LinearForm {
  std::vector<std::int64_t> coefficients;  ///< [variable]
  std::int64_t constant = 0;
};

/// The linear form of an integer term, or of a Boolean variable as 0 or 1, over the first `variables` variables; none
/// for terms with conditions or other variables, for those beyond TermPool::kMostWritten, or if a number
/// would not fit into 64 bits.
std::optional<LinearForm> linear_form(const TermPool& terms, TermId term, std::size_t variables);

}  // namespace fovea::synthesis
