// SPDX-License-Identifier: Apache-2.0
// The extension module fovea._synthesis: rules from labelled rows, and invariants that prove loops. It loads Z3.
#include <fmt/format.h>
#include <fovea/synthesis.h>
#include <nanobind/nanobind.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "arrays.h"
#include "errors.h"
#include "long_call.h"
#include "options.h"
#include "pages.h"

namespace fovea::python {
namespace nb = nanobind;
namespace {

/// Coefficients and bound of each comparison, [disjunct][comparison].
using Disjuncts = std::vector<std::vector<std::pair<std::vector<std::int64_t>, std::int64_t>>>;

Disjuncts disjuncts_of(const synthesis::Dnf& formula) {
  Disjuncts result;
  for (const synthesis::Dnf::Conjunction& conjunction : formula.disjuncts) {
    auto& atoms = result.emplace_back();
    for (const synthesis::Atom& atom : conjunction) atoms.emplace_back(atom.coefficients, atom.bound);
  }
  return result;
}

/// [row], whether the formula holds.
nb::object holds(const Disjuncts& disjuncts, Rows<std::int64_t> X) {
  synthesis::Dnf formula;
  for (const auto& conjunction : disjuncts) {
    auto& atoms = formula.disjuncts.emplace_back();
    for (const auto& [coefficients, bound] : conjunction) {
      if (coefficients.size() != X.shape(1))
        throw UsageError(
            fmt::format("argument X has {} features, but the rule was learned of {}", X.shape(1), coefficients.size()));
      atoms.push_back({.coefficients = coefficients, .bound = bound});
    }
  }
  std::vector<std::uint8_t> result;
  for (std::size_t i = 0; i < X.shape(0); ++i)
    result.push_back(formula.holds({X.data() + i * X.shape(1), X.shape(1)}) ? 1 : 0);
  return array_of(std::move(result));
}

synthesis::LabelledRows labelled_rows(std::vector<std::string> names, Rows<std::int64_t> X, Row<std::uint8_t> y) {
  synthesis::LabelledRows rows(std::move(names));
  for (std::size_t i = 0; i < X.shape(0); ++i) rows.add({X.data() + i * X.shape(1), X.shape(1)}, y.data()[i] != 0);
  if (const auto contradiction = rows.examples.contradiction()) {
    const auto [good, bad] = *contradiction;
    throw InfeasibleError(
        fmt::format("X[{}] and X[{}] are equal, but y is True and False", rows.rows[good], rows.rows[bad]));
  }
  return rows;
}

nb::dict learn_rule(std::vector<std::string> names, Rows<std::int64_t> X, Row<std::uint8_t> y, nb::kwargs arguments) {
  RunArguments limits = take_run_arguments(arguments);
  synthesis::RuleJob job;
  std::swap(job.options.time_limit, limits.time_limit);
  std::swap(job.options.budget, limits.budget);
  take_options(arguments, job.search);
  take_options(arguments, job.options);
  refuse_rest(arguments, "fit");
  const synthesis::LabelledRows rows = labelled_rows(std::move(names), X, y);
  const auto [rule, interrupted] =
      call(limits, "", [&](const Run& run) { return synthesis::learn_rule(rows, std::move(job), run); });
  nb::dict result;
  result["found"] = rule.is_found;
  result["formula"] = rule.text();
  result["disjuncts"] = disjuncts_of(rule.formula);
  result["smt"] = rule.formula.smt_text(rule.names);
  result["wrong_rows"] = array_of(std::vector<std::int64_t>(rule.wrong_rows.begin(), rule.wrong_rows.end()));
  result["report"] = rule.json();
  result["interrupted"] = interrupted;
  return result;
}

nb::object value_of_state(const synthesis::ProgramVariable& variable, std::int64_t value) {
  if (variable.sort == synthesis::Sort::kBoolean) return nb::bool_(value != 0);
  return nb::int_(value);
}

/// Names to values, and "location" to the predicate's name if there are several.
nb::dict values_of(const synthesis::InvariantProblem& problem, const synthesis::ProgramState& state) {
  const std::size_t predicate = problem.location ? static_cast<std::size_t>(state[*problem.location]) : 0;
  const std::vector<synthesis::ProgramVariable>& variables = problem.loop->variables;
  nb::dict values;
  if (problem.location) values[variables[*problem.location].name.c_str()] = problem.clauses.predicates[predicate].name;
  for (const std::size_t i : problem.slots[predicate])
    values[variables[i].name.c_str()] = value_of_state(variables[i], state[i]);
  return values;
}

/// `text`: the problem; `name`: what messages call it.
nb::dict find_invariant(const std::string& text, const std::string& name, nb::kwargs arguments) {
  RunArguments limits = take_run_arguments(arguments);
  synthesis::LoopJob job;
  std::swap(job.options.time_limit, limits.time_limit);
  take_options(arguments, job.search);
  refuse_rest(arguments, "find_invariant");
  const synthesis::InvariantProblem problem = synthesis::read_problem(io::ByteSource::from_memory(text, name));
  const auto [proof, interrupted] =
      call(limits, "", [&](const Run& run) { return synthesis::prove_loop(problem, std::move(job), run); });
  nb::dict result;
  nb::dict formulas;
  for (std::size_t i = 0; i < proof.answer.bodies.size(); ++i)
    formulas[problem.clauses.predicates[i].name.c_str()] = proof.answer.bodies[i];
  result["formulas"] = formulas;
  result["report"] = proof.json();
  nb::list states;
  for (const synthesis::ProgramState& state : proof.answer.unsafe_run) states.append(values_of(problem, state));
  result["unsafe_run"] = states;
  result["interrupted"] = interrupted;
  return result;
}

/// A column as Python gives it: (name, numbers or None, categories or None, names of categories).
synthesis::RuleColumn rule_column(nb::handle given) {
  const auto [name, numbers, categories, names] =
      nb::cast<std::tuple<std::string, nb::object, nb::object, std::vector<std::string>>>(given);
  synthesis::RuleColumn column = {.name = name, .is_numeric = categories.is_none(), .names = names};
  if (column.is_numeric) {
    const auto cells = nb::cast<Row<double>>(numbers);
    column.numbers.assign(cells.data(), cells.data() + cells.shape(0));
  } else {
    const auto cells = nb::cast<Row<std::int32_t>>(categories);
    column.categories.assign(cells.data(), cells.data() + cells.shape(0));
  }
  const std::size_t rows = std::max(column.numbers.size(), column.categories.size());
  for (std::size_t row = 0; row < rows && !column.may_miss; ++row) column.may_miss = column.is_missing(row);
  return column;
}

synthesis::RuleTable rule_table(const nb::list& columns, std::size_t rows) {
  synthesis::RuleTable table = {.columns = {}, .row_count = rows};
  for (const nb::handle column : columns) table.columns.push_back(rule_column(column));
  return table;
}

/// class_of: [row], a number of `classes`. weights: [row], or None.
nb::dict learn_rules(const nb::list& columns, Row<std::uint32_t> class_of, std::vector<std::string> classes,
                     const nb::object& weights, const std::string& target, nb::kwargs arguments) {
  RunArguments limits = take_run_arguments(arguments);
  synthesis::TableRulesJob job;
  std::swap(job.options.time_limit, limits.time_limit);
  take_options(arguments, job.learning);
  if (arguments.contains("only")) job.options.only = nb::cast<std::string>(arguments["only"]);
  if (arguments.contains("only")) nb::del(arguments["only"]);
  refuse_rest(arguments, "fit");
  synthesis::RuleExamples examples = {.table = rule_table(columns, class_of.shape(0)), .classes = std::move(classes)};
  examples.class_of.assign(class_of.data(), class_of.data() + class_of.shape(0));
  if (!weights.is_none()) {
    const auto given = nb::cast<Row<double>>(weights);
    examples.weights.assign(given.data(), given.data() + given.shape(0));
  }
  const auto [learned, interrupted] =
      call(limits, "", [&](const Run& run) { return synthesis::learn_rules(examples, target, job, run); });
  nb::dict result;
  result["report"] = learned.json();
  result["curve"] = learned.curve();
  result["interrupted"] = interrupted;
  return result;
}

/// [row], the number of its class by the rules of a report.
nb::object apply_rules(const std::string& report, const nb::list& columns, std::size_t rows) {
  const synthesis::TableRules rules = synthesis::learned_from_json(report).rules;
  const synthesis::RuleTable table = rule_table(columns, rows);
  std::vector<std::int64_t> result;
  for (std::size_t row = 0; row < rows; ++row) result.push_back(rules.class_of(table, row));
  return array_of(std::move(result));
}

/// The text of a page of rules (LearnedTableRules::json), and of the rows that they get wrong.
std::string rules_page(const std::string& report, const nb::list& columns, Row<std::uint32_t> class_of) {
  const synthesis::LearnedTableRules learned = synthesis::learned_from_json(report);
  synthesis::RuleExamples examples = {.table = rule_table(columns, class_of.shape(0)),
                                      .classes = learned.rules.classes};
  examples.class_of.assign(class_of.data(), class_of.data() + class_of.shape(0));
  return html_of([&] { return synthesis::table_rules_page("rows", examples, learned); });
}

}  // namespace

void bind_synthesis(nb::module_& module) {
  module.def("learn_rule", &learn_rule);
  module.def("holds", &holds);
  module.def("find_invariant", &find_invariant);
  module.def("learn_rules", &learn_rules, nb::arg("columns"), nb::arg("class_of"), nb::arg("classes"),
             nb::arg("weights").none(), nb::arg("target"), nb::arg("arguments"));
  module.def("apply_rules", &apply_rules);
  module.def("rules_page", &rules_page);
  module.def("synthesis_options", [] {
    nb::dict options;
    options["rule"] = describe_options<synthesis::DnfSearchOptions, synthesis::RuleOptions>();
    options["table"] = describe_options<synthesis::RuleLearningOptions>();
    options["invariant"] = describe_options<synthesis::InvariantSearchOptions>();
    return options;
  });
}

}  // namespace fovea::python

NB_MODULE(_synthesis, module) {
  fovea::python::translate_errors();
  fovea::python::bind_synthesis(module);
}
