// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "fovea/synthesis/rule/linear_scores.h"
#include "fovea/synthesis/rule/rule_formula.h"
#include "fovea/synthesis/rule/rule_table.h"

namespace fovea::synthesis {

/// Sets of rows, as bits.
using RowBits = std::vector<std::uint64_t>;

/// The comparisons that formulas are made of, with the rows at which each holds. They stand in groups: those of one
/// column or of one sum, by ascending bounds, so that neighbours are alike.
class AtomPool {
 public:
  /// Comparisons that tell rows of different classes apart: each number at up to `most_bounds` bounds where rows of
  /// both sides meet, the categories, missing cells, and the scores at their bounds.
  AtomPool(const RuleExamples& examples, const std::vector<bool>& positive, const std::vector<LinearScore>& scores,
           std::size_t most_bounds);

  std::size_t size() const { return atoms_.size(); }
  const RuleAtom& atom(std::size_t i) const { return atoms_[i]; }
  const RowBits& rows(std::size_t i) const { return rows_[i]; }
  std::size_t group_count() const { return group_begins_.size() - 1; }
  std::size_t group_of(std::size_t atom) const { return groups_[atom]; }
  std::size_t group_begin(std::size_t group) const { return group_begins_[group]; }
  std::size_t group_end(std::size_t group) const { return group_begins_[group + 1]; }

 private:
  void add_numbers(const RuleExamples& examples, const std::vector<bool>& positive, std::size_t column,
                   std::size_t most_bounds);
  void add_score(const RuleExamples& examples, const LinearScore& score);
  void add_categories(const RuleTable& table, std::size_t column);
  void add_bounds(const std::vector<RuleSummand>& sum, const std::vector<double>& values,
                  const std::vector<double>& bounds);
  void add(const RuleTable& table, const RuleAtom& atom);
  /// Adds an atom that holds at some rows, unless one of its group holds at the same ones.
  template <class Holds>
  void add(RuleAtom atom, std::size_t rows, const Holds& holds);
  void end_group();

  std::vector<RuleAtom> atoms_;
  std::vector<RowBits> rows_;        // [atom]
  std::vector<std::size_t> groups_;  // [atom]
  std::vector<std::size_t> group_begins_ = {0};
};

}  // namespace fovea::synthesis
