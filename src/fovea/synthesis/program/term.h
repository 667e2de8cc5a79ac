// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

namespace fovea::synthesis {

/// Terms of linear integer arithmetic with Booleans, as verification problems write them:
///
///   integer  ::= number | variable | sum of integers | number * integer | if Boolean then integer else integer
///   Boolean  ::= truth | variable | not B | and B... | or B... | if B then B else B
///              | integer <= integer | integer < integer | x = y (both of one sort)
///
/// What other languages have besides (>=, =>, distinct, xor, minus) is said with these. A pool holds each different
/// term once, so that sub-terms are shared and equal terms have equal numbers; the operands of a term have smaller
/// numbers than the term itself, so that a pass in the order of numbers sees operands first.
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
  kScaled       ///< `number` times the one operand
};

struct Term {
  TermKind kind = TermKind::kTruth;
  Sort sort = Sort::kBoolean;
  std::int64_t number = 0;
  std::span<const TermId> operands = {};  ///< valid until the pool grows
};

/// Holds terms and builds them, sorts being the caller's to check (FOVEA_CHECK). Sums and products of numbers alone
/// become numbers where they fit 64 bits; nothing else is simplified.
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

  Term operator[](TermId term) const;
  Sort sort(TermId term) const { return nodes_[term].sort; }
  bool is_number(TermId term) const { return nodes_[term].kind == TermKind::kNumber; }
  std::size_t size() const { return nodes_.size(); }

  /// The sub-terms of these roots, the roots included, each once: operands first.
  std::vector<TermId> sub_terms(std::span<const TermId> roots) const;

  /// Terms that there are when shared ones are written out at each use, the term itself included; at most 2^62.
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

}  // namespace fovea::synthesis
