// SPDX-License-Identifier: Apache-2.0
#include "fovea/synthesis/rule/rule_formula.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>

namespace fovea::synthesis {
namespace {

double value_of(const RuleSummand& part, const RuleTable& table, std::size_t row) {
  const RuleColumn& column = table.columns[part.column];
  if (!column.is_numeric) return column.categories[row] == part.category ? part.coefficient : 0;
  const double number = column.numbers[row];
  return part.coefficient * (std::isnan(number) ? part.if_missing : number);
}

}  // namespace

double sum_at(const std::vector<RuleSummand>& sum, const RuleTable& table, std::size_t row) {
  double total = 0;
  for (const RuleSummand& part : sum) total += value_of(part, table, row);
  return total;
}

bool RuleAtom::holds(const RuleTable& table, std::size_t row) const {
  const RuleColumn& first = table.columns[sum[0].column];
  if (kind == Kind::kIsMissing) return first.is_missing(row);
  if (sum.size() == 1 && first.is_missing(row)) return false;
  if (kind == Kind::kIs || kind == Kind::kIsNot)
    return (first.categories[row] == sum[0].category) == (kind == Kind::kIs);
  return (sum_at(sum, table, row) <= bound) == (kind == Kind::kAtMost);
}

bool RuleFormula::holds(const RuleTable& table, std::size_t row) const {
  return std::any_of(disjuncts.begin(), disjuncts.end(), [&](const Conjunction& atoms) {
    return std::all_of(atoms.begin(), atoms.end(), [&](const RuleAtom& atom) { return atom.holds(table, row); });
  });
}

std::size_t RuleFormula::size() const {
  std::size_t total = 0;
  for (const Conjunction& atoms : disjuncts)
    for (const RuleAtom& atom : atoms) total += atom.size();
  return total;
}

namespace {

/// One language: how it writes numbers, names, comparisons and connectives.
class Writer {
 public:
  explicit Writer(const RuleTable& table) : table_(table) {}
  virtual ~Writer() = default;

  std::string formula(const RuleFormula& formula) const {
    std::vector<std::string> parts;
    for (const RuleFormula::Conjunction& atoms : formula.disjuncts) {
      std::vector<std::string> words;
      for (const RuleAtom& one : atoms) words.push_back(atom(one));
      parts.push_back(words.empty() ? truth(true) : words.size() == 1 ? words[0] : conjunction(words));
    }
    if (parts.empty()) return truth(false);
    return parts.size() == 1 ? parts[0] : disjunction(parts);
  }

 protected:
  virtual std::string atom(const RuleAtom& atom) const = 0;
  virtual std::string conjunction(const std::vector<std::string>& parts) const = 0;
  virtual std::string disjunction(const std::vector<std::string>& parts) const = 0;
  virtual std::string truth(bool value) const = 0;

  const RuleColumn& column(const RuleSummand& part) const { return table_.columns[part.column]; }
  const std::string& category(const RuleSummand& part) const {
    return column(part).names[static_cast<std::size_t>(part.category)];
  }
  bool can_miss(const RuleSummand& part) const { return column(part).may_miss; }

 private:
  const RuleTable& table_;
};

class WordsWriter : public Writer {
 public:
  using Writer::Writer;

 private:
  std::string atom(const RuleAtom& atom) const override {
    const RuleSummand& first = atom.sum[0];
    switch (atom.kind) {
      case RuleAtom::Kind::kIs:
        return fmt::format("{} is {}", column(first).name, category(first));
      case RuleAtom::Kind::kIsNot:
        return fmt::format("{} is not {}", column(first).name, category(first));
      case RuleAtom::Kind::kIsMissing:
        return fmt::format("{} is missing", column(first).name);
      default:
        return fmt::format("{} {} {}", sum(atom), atom.kind == RuleAtom::Kind::kAtMost ? "<=" : ">", atom.bound);
    }
  }

  std::string sum(const RuleAtom& atom) const {
    std::string text;
    for (const RuleSummand& part : atom.sum) {
      const double size = std::abs(part.coefficient);
      text += part.coefficient < 0 ? (text.empty() ? "-" : " - ") : (text.empty() ? "" : " + ");
      if (size != 1) text += fmt::format("{} ", size);
      text +=
          column(part).is_numeric ? column(part).name : fmt::format("[{} is {}]", column(part).name, category(part));
      if (atom.sum.size() > 1 && can_miss(part) && column(part).is_numeric)
        text += fmt::format(" (or {})", part.if_missing);
    }
    return text;
  }

  std::string conjunction(const std::vector<std::string>& parts) const override {
    return fmt::format("{}", fmt::join(parts, " and "));
  }
  std::string disjunction(const std::vector<std::string>& parts) const override {
    return fmt::format("{}", fmt::join(parts, ", or "));
  }
  std::string truth(bool value) const override { return value ? "always" : "never"; }
};

std::string doubled(const std::string& text, char quote) {
  std::string result(1, quote);
  for (const char c : text) result += std::string(c == quote ? 2 : 1, c);
  return result + quote;
}

class SqlWriter : public Writer {
 public:
  using Writer::Writer;

 private:
  std::string name(const RuleSummand& part) const { return doubled(column(part).name, '"'); }

  std::string atom(const RuleAtom& atom) const override {
    const RuleSummand& first = atom.sum[0];
    switch (atom.kind) {
      case RuleAtom::Kind::kIs:
        return fmt::format("{} = {}", name(first), sql_literal(category(first)));
      case RuleAtom::Kind::kIsNot:
        return fmt::format("{} <> {}", name(first), sql_literal(category(first)));
      case RuleAtom::Kind::kIsMissing:
        return fmt::format("{} IS NULL", name(first));
      default:
        return fmt::format("{} {} {}", sum(atom), atom.kind == RuleAtom::Kind::kAtMost ? "<=" : ">", atom.bound);
    }
  }

  std::string sum(const RuleAtom& atom) const {
    std::string text;
    for (const RuleSummand& part : atom.sum) {
      std::string value = name(part);
      if (!column(part).is_numeric)
        value = fmt::format("CASE WHEN {} = {} THEN 1 ELSE 0 END", name(part), sql_literal(category(part)));
      else if (atom.sum.size() > 1 && can_miss(part))
        value = fmt::format("COALESCE({}, {})", name(part), part.if_missing);
      text += text.empty() ? "" : " + ";
      text += part.coefficient == 1 ? value : fmt::format("{} * {}", part.coefficient, value);
    }
    return text;
  }

  std::string conjunction(const std::vector<std::string>& parts) const override {
    return fmt::format("({})", fmt::join(parts, " AND "));
  }
  std::string disjunction(const std::vector<std::string>& parts) const override {
    return fmt::format("({})", fmt::join(parts, "\n   OR "));
  }
  std::string truth(bool value) const override { return value ? "1 = 1" : "1 = 0"; }
};

constexpr const char* kPythonNone = "None";

class PythonWriter : public Writer {
 public:
  using Writer::Writer;

 private:
  std::string cell(const RuleSummand& part) const { return fmt::format("row[{}]", python_literal(column(part).name)); }

  std::string atom(const RuleAtom& atom) const override {
    const RuleSummand& first = atom.sum[0];
    const std::string known = can_miss(first) ? fmt::format("{} is not None and ", cell(first)) : "";
    switch (atom.kind) {
      case RuleAtom::Kind::kIs:
        return fmt::format("{} == {}", cell(first), python_literal(category(first)));
      case RuleAtom::Kind::kIsNot:
        return fmt::format("{}{} != {}", known, cell(first), python_literal(category(first)));
      case RuleAtom::Kind::kIsMissing:
        return cell(first) + " is " + kPythonNone;
      default:
        return fmt::format("{}{} {} {}", atom.sum.size() == 1 ? known : "", sum(atom),
                           atom.kind == RuleAtom::Kind::kAtMost ? "<=" : ">", atom.bound);
    }
  }

  std::string sum(const RuleAtom& atom) const {
    std::string text;
    for (const RuleSummand& part : atom.sum) {
      std::string value = cell(part);
      if (!column(part).is_numeric) value = fmt::format("({} == {})", cell(part), python_literal(category(part)));
      else if (atom.sum.size() > 1 && can_miss(part))
        value = fmt::format("({} if {} is not None else {})", cell(part), cell(part), part.if_missing);
      text += text.empty() ? "" : " + ";
      text += part.coefficient == 1 ? value : fmt::format("{} * {}", part.coefficient, value);
    }
    return text;
  }

  std::string conjunction(const std::vector<std::string>& parts) const override {
    return fmt::format("({})", fmt::join(parts, " and "));
  }
  std::string disjunction(const std::vector<std::string>& parts) const override {
    return fmt::format("({})", fmt::join(parts, "\n or "));
  }
  std::string truth(bool value) const override { return value ? "True" : "False"; }
};

class SmtWriter : public Writer {
 public:
  using Writer::Writer;

 private:
  static std::string number(double value) {
    return value < 0 ? fmt::format("(- {})", decimal(-value)) : decimal(value);
  }
  /// SMT-LIB knows decimals without exponents.
  static std::string decimal(double value) {
    std::string text = fmt::format("{}", value);
    if (text.find_first_of("en") != std::string::npos) text = fmt::format("{:.17f}", value);
    return text.find('.') == std::string::npos ? text + ".0" : text;
  }
  std::string missing(const RuleSummand& part) const { return smt_symbol(column(part).name + " is missing"); }
  std::string name(const RuleSummand& part) const { return smt_symbol(column(part).name); }
  std::string is(const RuleSummand& part) const {
    const std::string same = fmt::format("(= {} {})", name(part), doubled(category(part), '"'));
    return can_miss(part) ? fmt::format("(and (not {}) {})", missing(part), same) : same;
  }

  std::string atom(const RuleAtom& atom) const override {
    const RuleSummand& first = atom.sum[0];
    if (atom.kind == RuleAtom::Kind::kIs) return is(first);
    if (atom.kind == RuleAtom::Kind::kIsMissing) return missing(first);
    std::string text = atom.kind == RuleAtom::Kind::kIsNot
                           ? fmt::format("(not (= {} {}))", name(first), doubled(category(first), '"'))
                           : fmt::format("({} {} {})", atom.kind == RuleAtom::Kind::kAtMost ? "<=" : ">", sum(atom),
                                         number(atom.bound));
    return atom.sum.size() == 1 && can_miss(first) ? fmt::format("(and (not {}) {})", missing(first), text) : text;
  }

  std::string sum(const RuleAtom& atom) const {
    std::vector<std::string> parts;
    for (const RuleSummand& part : atom.sum) {
      if (!column(part).is_numeric) {
        parts.push_back(fmt::format("(ite {} {} 0.0)", is(part), number(part.coefficient)));
        continue;
      }
      std::string value = name(part);
      if (atom.sum.size() > 1 && can_miss(part))
        value = fmt::format("(ite {} {} {})", missing(part), number(part.if_missing), value);
      parts.push_back(part.coefficient == 1 ? value : fmt::format("(* {} {})", number(part.coefficient), value));
    }
    return parts.size() == 1 ? parts[0] : fmt::format("(+ {})", fmt::join(parts, " "));
  }

  std::string conjunction(const std::vector<std::string>& parts) const override {
    return fmt::format("(and {})", fmt::join(parts, " "));
  }
  std::string disjunction(const std::vector<std::string>& parts) const override {
    return fmt::format("(or {})", fmt::join(parts, " "));
  }
  std::string truth(bool value) const override { return value ? "true" : "false"; }
};

}  // namespace

std::string sql_literal(const std::string& text) { return doubled(text, '\''); }

std::string python_literal(const std::string& text) {
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') result += '\\';
    if (c == '\n' || c == '\r') result += c == '\n' ? "\\n" : "\\r";
    else result += c;
  }
  return result + "\"";
}

std::string smt_symbol(const std::string& name) {
  std::string bare;
  for (const char c : name) bare += c == '|' || c == '\\' ? '_' : c;
  return "|" + bare + "|";
}

std::string text_of(const RuleFormula& formula, const RuleTable& columns, RuleLanguage language) {
  switch (language) {
    case RuleLanguage::kSql:
      return SqlWriter(columns).formula(formula);
    case RuleLanguage::kPython:
      return PythonWriter(columns).formula(formula);
    case RuleLanguage::kSmtLib:
      return SmtWriter(columns).formula(formula);
    case RuleLanguage::kWords:
      break;
  }
  return WordsWriter(columns).formula(formula);
}

}  // namespace fovea::synthesis
