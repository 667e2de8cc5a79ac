// SPDX-License-Identifier: Apache-2.0
#include "fovea/synthesis/job/table_rules.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "fovea/base/budget.h"
#include "fovea/base/error.h"
#include "fovea/base/text.h"

namespace fovea::synthesis {
namespace {

using TableJson = nlohmann::ordered_json;

std::optional<std::uint32_t> class_named(const std::string& name, const std::vector<std::string>& classes) {
  if (name.empty()) return std::nullopt;
  const auto found = std::find(classes.begin(), classes.end(), name);
  if (found == classes.end())
    throw UsageError(fmt::format("option 'only {}': no row has this class.{}", name, suggestion(name, classes)));
  return static_cast<std::uint32_t>(found - classes.begin());
}

double seconds_of(const std::string& limit) {
  const Budget budget = parse_budget({}, limit);
  if (budget.seconds_per_item) throw UsageError("a table is one item: leave out '/item'");
  return budget.seconds;
}

/// The most precise first, as they are tried.
std::vector<ClassRule> by_precision(const TableRules& rules) {
  std::vector<ClassRule> sorted = rules.rules;
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](const ClassRule& a, const ClassRule& b) { return a.precision > b.precision; });
  return sorted;
}

std::string in_words(const LearnedTableRules& learned) {
  const TableRules& rules = learned.rules;
  std::string text;
  for (const ClassRule& rule : by_precision(rules)) {
    text +=
        fmt::format("{}{} is {} if", text.empty() ? "" : "otherwise ", learned.target, rules.classes[rule.of_class]);
    for (std::size_t i = 0; i < rule.formula.disjuncts.size(); ++i)
      text += fmt::format("\n  {}{}", i ? "or " : "",
                          text_of({.disjuncts = {rule.formula.disjuncts[i]}}, rules.columns, RuleLanguage::kWords));
    text += rule.formula.disjuncts.empty() ? " never\n" : "\n";
  }
  return text + fmt::format("otherwise {} is {}\n", learned.target, rules.classes[rules.otherwise]);
}

/// For a comment, which ends with its line.
std::string on_one_line(std::string text) {
  std::replace_if(
      text.begin(), text.end(), [](char c) { return c == '\n' || c == '\r'; }, ' ');
  return text;
}

std::string in_sql(const LearnedTableRules& learned) {
  const TableRules& rules = learned.rules;
  if (rules.rules.size() == 1)
    return fmt::format("-- {} is {}\nWHERE {}\n", on_one_line(learned.target),
                       on_one_line(rules.classes[rules.rules[0].of_class]),
                       text_of(rules.rules[0].formula, rules.columns, RuleLanguage::kSql));
  std::string text = "CASE\n";
  for (const ClassRule& rule : by_precision(rules))
    text += fmt::format("  WHEN {} THEN {}\n", text_of(rule.formula, rules.columns, RuleLanguage::kSql),
                        sql_literal(rules.classes[rule.of_class]));
  return text + fmt::format("  ELSE {}\nEND\n", sql_literal(rules.classes[rules.otherwise]));
}

std::string in_python(const LearnedTableRules& learned) {
  const TableRules& rules = learned.rules;
  std::string text = "def predict(row):\n";
  for (const ClassRule& rule : by_precision(rules))
    text +=
        fmt::format("    if ({}):\n        return {}\n", text_of(rule.formula, rules.columns, RuleLanguage::kPython),
                    python_literal(rules.classes[rule.of_class]));
  return text + fmt::format("    return {}\n", python_literal(rules.classes[rules.otherwise]));
}

std::string in_smt_lib(const LearnedTableRules& learned) {
  std::string parameters, text;
  for (const RuleColumn& column : learned.rules.columns.columns) {
    parameters += fmt::format("{}({} {})", parameters.empty() ? "" : " ", smt_symbol(column.name),
                              column.is_numeric ? "Real" : "String");
    if (column.may_miss) parameters += fmt::format(" ({} Bool)", smt_symbol(column.name + " is missing"));
  }
  for (const ClassRule& rule : learned.rules.rules)
    text += fmt::format("(define-fun {} ({}) Bool\n  {})\n",
                        smt_symbol(fmt::format("{} is {}", learned.target, learned.rules.classes[rule.of_class])),
                        parameters, text_of(rule.formula, learned.rules.columns, RuleLanguage::kSmtLib));
  return text;
}

TableJson atom_json(const RuleAtom& atom) {
  TableJson sum = TableJson::array();
  for (const RuleSummand& part : atom.sum)
    sum.push_back({{"column", part.column},
                   {"category", part.category},
                   {"coefficient", part.coefficient},
                   {"if_missing", part.if_missing}});
  return {{"kind", static_cast<int>(atom.kind)}, {"sum", sum}, {"bound", atom.bound}};
}

}  // namespace

std::string LearnedTableRules::text(RuleLanguage language) const {
  switch (language) {
    case RuleLanguage::kSql:
      return in_sql(*this);
    case RuleLanguage::kPython:
      return in_python(*this);
    case RuleLanguage::kSmtLib:
      return in_smt_lib(*this);
    case RuleLanguage::kWords:
      break;
  }
  return in_words(*this);
}

std::string LearnedTableRules::brief() const {
  std::size_t size = 0;
  for (const ClassRule& rule : rules.rules) size += rule.formula.size();
  const std::string start =
      fmt::format("{} rows, rules of size {}, wrong {:.1f} %", row_count, size, 100 * rules.training_error);
  if (!rules.is_validated)
    return start +
           " of these; how wrong elsewhere is not known, since cross-validation was cut short, and rules have a "
           "middling length";
  return start + fmt::format(
                     " of these; {:.1f} % (standard error {:.1f}) of rows left out; the largest class "
                     "alone {:.1f} %",
                     100 * rules.error, 100 * rules.standard_error, 100 * rules.error_of_largest_class);
}

std::string LearnedTableRules::curve() const {
  std::string text = "class\tpenalty\tsize\ttraining_error\terror\tstandard_error\tchosen\n";
  for (const ClassRule& rule : rules.rules)
    for (std::size_t i = 0; i < rule.lengths.size(); ++i) {
      const RuleLength& length = rule.lengths[i];
      text += fmt::format("{}\t{}\t{:.2f}\t{:.4f}\t{:.4f}\t{:.4f}\t{}\n", rules.classes[rule.of_class],
                          length.penalty == 0             ? "one sum"
                          : std::isfinite(length.penalty) ? fmt::format("{}", length.penalty)
                                                          : "none",
                          length.size, length.training_error, length.error, length.standard_error,
                          i == rule.chosen ? 1 : 0);
    }
  return text;
}

std::string LearnedTableRules::json() const {
  TableJson columns = TableJson::array(), class_rules = TableJson::array(), texts;
  for (const RuleColumn& column : rules.columns.columns)
    columns.push_back({{"name", column.name},
                       {"numeric", column.is_numeric},
                       {"may_miss", column.may_miss},
                       {"categories", column.names}});
  for (const ClassRule& rule : rules.rules) {
    TableJson disjuncts = TableJson::array(), lengths = TableJson::array();
    for (const RuleFormula::Conjunction& atoms : rule.formula.disjuncts) {
      TableJson conjunction = TableJson::array();
      for (const RuleAtom& atom : atoms) conjunction.push_back(atom_json(atom));
      disjuncts.push_back(conjunction);
    }
    for (const RuleLength& length : rule.lengths)
      lengths.push_back({{"penalty", std::isfinite(length.penalty) ? TableJson(length.penalty) : TableJson(nullptr)},
                         {"size", length.size},
                         {"training_error", length.training_error},
                         {"error", length.error},
                         {"standard_error", length.standard_error}});
    class_rules.push_back({{"class", rules.classes[rule.of_class]},
                           {"text", text_of(rule.formula, rules.columns, RuleLanguage::kWords)},
                           {"size", rule.formula.size()},
                           {"precision", rule.precision},
                           {"disjuncts", disjuncts},
                           {"lengths", lengths},
                           {"chosen", rule.chosen}});
  }
  for (const auto& [language, word] : words_of(RuleLanguage{})) texts[std::string(word)] = text(language);
  TableJson report = {{"target", target},
                      {"classes", rules.classes},
                      {"columns", columns},
                      {"rules", class_rules},
                      {"otherwise", rules.classes[rules.otherwise]},
                      {"text", texts},
                      {"rows", row_count},
                      {"training_error", rules.training_error},
                      {"validated", rules.is_validated},
                      {"error", nullptr},
                      {"standard_error", nullptr},
                      {"error_of_largest_class", nullptr},
                      {"seconds", seconds},
                      {"options", TableJson::parse(options_json(options))}};
  if (rules.is_validated) {
    report["error"] = rules.error;
    report["standard_error"] = rules.standard_error;
    report["error_of_largest_class"] = rules.error_of_largest_class;
  }
  return report.dump();
}

LearnedTableRules learn_rules(const RuleExamples& examples, const std::string& target, const TableRulesJob& job,
                              const Run& run) {
  const std::optional<std::uint32_t> only = class_named(job.options.only, examples.classes);
  if (only && examples.classes.size() > 2)
    throw UsageError("option 'only': with more than two classes, each gets a rule");
  const Stop stop = run.stop.within(seconds_of(job.options.time_limit) - seconds_since(run.started));
  LearnedTableRules learned = {.target = target, .row_count = examples.table.row_count, .options = job.learning};
  learned.rules = learn_table_rules(examples, job.learning, only, run.threads, run.random, stop, run.progress);
  learned.seconds = seconds_since(run.started);
  return learned;
}

namespace {

constexpr const char* kRemedy = "Give a report that LearnedTableRules::json wrote";

void check(const RuleSummand& part, const RuleTable& table) {
  if (part.column >= table.columns.size()) throw InputError({}, "a rule of a column that is not there", kRemedy);
  const auto categories = static_cast<std::int32_t>(table.columns[part.column].names.size());
  if (part.category < RuleColumn::kMissingCategory || part.category >= categories)
    throw InputError({}, "a rule of a category that is not there", kRemedy);
}

RuleAtom atom_from(const TableJson& json, const RuleTable& columns) {
  RuleAtom atom = {.kind = static_cast<RuleAtom::Kind>(json.at("kind").get<int>()),
                   .bound = json.at("bound").get<double>()};
  for (const TableJson& part : json.at("sum")) {
    atom.sum.push_back({.column = part.at("column").get<std::size_t>(),
                        .category = part.at("category").get<std::int32_t>(),
                        .coefficient = part.at("coefficient").get<double>(),
                        .if_missing = part.at("if_missing").get<double>()});
    check(atom.sum.back(), columns);
  }
  const bool is_bound = atom.kind == RuleAtom::Kind::kAtMost || atom.kind == RuleAtom::Kind::kAbove;
  const bool is_of_category = atom.kind == RuleAtom::Kind::kIs || atom.kind == RuleAtom::Kind::kIsNot;
  if (atom.sum.empty() || atom.kind > RuleAtom::Kind::kIsMissing || (!is_bound && atom.sum.size() > 1) ||
      (is_of_category && columns.columns[atom.sum[0].column].is_numeric))
    throw InputError({}, "a comparison that no rule has", kRemedy);
  return atom;
}

std::uint32_t class_in(const TableJson& name, const std::vector<std::string>& classes) {
  const auto found = std::find(classes.begin(), classes.end(), name.get<std::string>());
  if (found == classes.end()) throw InputError({}, "a class that is not there", kRemedy);
  return static_cast<std::uint32_t>(found - classes.begin());
}

}  // namespace

LearnedTableRules learned_from_json(const std::string& report) try {
  const TableJson json = TableJson::parse(report);
  LearnedTableRules learned = {.target = json.at("target").get<std::string>(),
                               .row_count = json.at("rows").get<std::size_t>()};
  TableRules& rules = learned.rules;
  rules.classes = json.at("classes").get<std::vector<std::string>>();
  for (const TableJson& column : json.at("columns"))
    rules.columns.columns.push_back({.name = column.at("name").get<std::string>(),
                                     .is_numeric = column.at("numeric").get<bool>(),
                                     .may_miss = column.at("may_miss").get<bool>(),
                                     .names = column.at("categories").get<std::vector<std::string>>()});
  for (const TableJson& one : json.at("rules")) {
    ClassRule rule = {.of_class = class_in(one.at("class"), rules.classes),
                      .precision = one.at("precision").get<double>()};
    for (const TableJson& conjunction : one.at("disjuncts")) {
      auto& atoms = rule.formula.disjuncts.emplace_back();
      for (const TableJson& atom : conjunction) atoms.push_back(atom_from(atom, rules.columns));
    }
    for (const TableJson& length : one.at("lengths"))
      rule.lengths.push_back({.penalty = length.at("penalty").is_null() ? std::numeric_limits<double>::infinity()
                                                                        : length.at("penalty").get<double>(),
                              .size = length.at("size").get<double>(),
                              .training_error = length.at("training_error").get<double>(),
                              .error = length.at("error").get<double>(),
                              .standard_error = length.at("standard_error").get<double>()});
    rule.chosen = one.at("chosen").get<std::size_t>();
    rules.rules.push_back(std::move(rule));
  }
  rules.otherwise = class_in(json.at("otherwise"), rules.classes);
  rules.training_error = json.at("training_error").get<double>();
  rules.is_validated = json.at("validated").get<bool>();
  if (rules.is_validated) {
    rules.error = json.at("error").get<double>();
    rules.standard_error = json.at("standard_error").get<double>();
    rules.error_of_largest_class = json.at("error_of_largest_class").get<double>();
  }
  return learned;
} catch (const TableJson::exception& error) {
  throw InputError({}, fmt::format("this is not a report of rules: {}", error.what()));
}

}  // namespace fovea::synthesis
