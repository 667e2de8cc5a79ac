// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "fovea/base/words.h"
#include "fovea/synthesis/rule/rule_table.h"

namespace fovea::synthesis {

/// coefficient * (number of a column), or coefficient * [the column is this category].
struct RuleSummand {
  std::size_t column = 0;
  std::int32_t category = RuleColumn::kMissingCategory;  ///< none: the column is numeric
  double coefficient = 1;
  double if_missing = 0;  ///< stands for a number that is missing, where there are several summands

  bool operator==(const RuleSummand&) const = default;
};

/// A comparison of a table's row.
struct RuleAtom {
  enum class Kind : std::uint8_t {
    kAtMost,    ///< the sum is at most `bound`
    kAbove,     ///< the sum is above `bound`
    kIs,        ///< the column of the one summand is its category
    kIsNot,     ///< it is another one
    kIsMissing  ///< the column of the one summand is missing
  };
  Kind kind = Kind::kAtMost;
  std::vector<RuleSummand> sum = {};
  double bound = 0;

  /// False for a missing cell, unless that is what the atom asks for, or a sum of several has a number for it.
  bool holds(const RuleTable& table, std::size_t row) const;
  /// The columns that it names, and one more for a sum of several.
  std::size_t size() const { return sum.size() == 1 ? 1 : sum.size() + 1; }

  bool operator==(const RuleAtom&) const = default;
};

/// The value of a sum at a row.
double sum_at(const std::vector<RuleSummand>& sum, const RuleTable& table, std::size_t row);

/// OR of ANDs of comparisons; no disjuncts: false.
struct RuleFormula {
  using Conjunction = std::vector<RuleAtom>;
  std::vector<Conjunction> disjuncts = {};

  bool holds(const RuleTable& table, std::size_t row) const;
  /// Sum of the sizes of its atoms.
  std::size_t size() const;
};

/// Languages in which a rule can be written.
enum class RuleLanguage : std::uint8_t { kWords, kSql, kPython, kSmtLib };
constexpr auto words_of(RuleLanguage) {
  using enum RuleLanguage;
  return std::array{Word{kWords, "words"}, Word{kSql, "sql"}, Word{kPython, "python"}, Word{kSmtLib, "smt-lib"}};
}

/// The formula as a Boolean expression over the columns of a table:
///
///   words    age <= 30 and colour is red, or 2 height + weight > 190.5
///   SQL      a condition for WHERE, with names in double quotes; NULL is missing
///   Python   over a dict `row`; None is missing
///   SMT-LIB  over a Real for each number and a String for each category; "x is missing" is a Bool of that name
std::string text_of(const RuleFormula& formula, const RuleTable& columns, RuleLanguage language);

/// Texts as string literals: in single quotes for SQL, in double quotes for Python.
std::string sql_literal(const std::string& text);
std::string python_literal(const std::string& text);

/// A name as a symbol of SMT-LIB, in bars; characters that no symbol may have become "_".
std::string smt_symbol(const std::string& name);

}  // namespace fovea::synthesis
