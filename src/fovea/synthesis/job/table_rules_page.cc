// SPDX-License-Identifier: Apache-2.0
#include "fovea/synthesis/job/table_rules_page.h"

#include <fmt/format.h>

#include <algorithm>

namespace fovea::synthesis {
namespace {

using report::Cell;

constexpr std::size_t kMostRows = 20'000;

void add_errors(const LearnedTableRules& learned, std::optional<double> test_error, report::Page& page) {
  const TableRules& rules = learned.rules;
  std::vector<std::pair<std::string, Cell>> facts = {
      {"rows", learned.row_count},
      {"classes", rules.classes.size()},
      {"class of rows where no rule holds", rules.classes[rules.otherwise]},
      {"share wrong among the rows", rules.training_error}};
  if (rules.is_validated) {
    facts.emplace_back("share wrong among rows left out (cross-validation)", rules.error);
    facts.emplace_back("its standard error", rules.standard_error);
    facts.emplace_back("the same of always the largest class", rules.error_of_largest_class);
  }
  if (test_error) facts.emplace_back("share wrong among the rows of the test", *test_error);
  page.add_facts("Errors", facts);
  if (!rules.is_validated) page.add_note("Stopped before cross-validation could choose how long rules are.", true);
}

/// Errors against sizes of the rules that were tried.
void add_lengths(const TableRules& rules, const ClassRule& rule, report::Page& page) {
  if (rule.lengths.empty()) return;
  std::vector<const RuleLength*> by_size;
  for (const RuleLength& length : rule.lengths) by_size.push_back(&length);
  std::ranges::stable_sort(by_size, {}, &RuleLength::size);
  report::Chart chart = {
      .title = fmt::format("Errors against size: {}", rules.classes[rule.of_class]),
      .about = fmt::format("The shortest rule within the allowed distance of the least error was taken: "
                           "of mean size {:.3g}.",
                           rule.lengths[rule.chosen].size),
      .x = "mean size of the rule",
      .y = "share wrong",
      .series = {{"rows left out", {}}, {"rows learned from", {}}}};
  for (const RuleLength* length : by_size) {
    chart.series[0].points.push_back({length->size, length->error});
    chart.series[1].points.push_back({length->size, length->training_error});
  }
  page.add(chart);
}

Cell cell_of(const RuleColumn& column, std::size_t row) {
  if (column.is_missing(row)) return {};
  return column.is_numeric ? Cell(column.numbers[row])
                           : Cell(column.names[static_cast<std::size_t>(column.categories[row])]);
}

void add_wrong_rows(const RuleExamples& examples, const TableRules& rules, report::Page& page) {
  report::TableOfCells shown = {.title = "Rows that the rules get wrong",
                                .columns = {"row", "class", "class by the rules"}};
  for (const RuleColumn& column : examples.table.columns) shown.columns.push_back(column.name);
  std::size_t wrong = 0;
  for (std::size_t row = 0; row < examples.table.row_count; ++row) {
    const std::uint32_t by_rules = rules.class_of(examples.table, row);
    if (by_rules == examples.class_of[row] || ++wrong > kMostRows) continue;
    std::vector<Cell>& cells = shown.rows.emplace_back(
        std::vector<Cell>{row + 1, examples.classes[examples.class_of[row]], rules.classes[by_rules]});
    for (const RuleColumn& column : examples.table.columns) cells.push_back(cell_of(column, row));
  }
  if (wrong == 0) return page.add_note("No row of the table is wrong.");
  shown.about = wrong > kMostRows ? fmt::format("The first {} of {} rows.", kMostRows, wrong)
                                  : fmt::format("{} of {} rows.", wrong, examples.table.row_count);
  page.add(shown);
}

}  // namespace

report::Page table_rules_page(const std::string& table, const RuleExamples& examples, const LearnedTableRules& learned,
                              std::optional<double> test_error) {
  report::Page page(fmt::format("Rules for {}", learned.target), table);
  page.add_text("Rules", learned.text(RuleLanguage::kWords));
  add_errors(learned, test_error, page);
  for (const ClassRule& rule : learned.rules.rules) add_lengths(learned.rules, rule, page);
  add_wrong_rows(examples, learned.rules, page);
  page.add_text("The same in SQL", learned.text(RuleLanguage::kSql));
  page.add_text("The same in Python", learned.text(RuleLanguage::kPython));
  return page;
}

}  // namespace fovea::synthesis
