// SPDX-License-Identifier: Apache-2.0
#include "fovea/synthesis/job/table_rules_page.h"

#include <fmt/format.h>

#include <algorithm>

#include "fovea/report/page.h"

namespace fovea::synthesis {
namespace {

using report::Json;

constexpr std::size_t kMostRows = 20'000;

void add_errors(const TableRulesFileResult& result, report::Page& page) {
  const TableRules& rules = result.learned.rules;
  std::vector<std::pair<std::string, Json>> facts = {
      {"rows", result.learned.row_count},
      {"classes", rules.classes.size()},
      {"class of rows where no rule holds", rules.classes[rules.otherwise]},
      {"share wrong among the rows", rules.training_error}};
  if (rules.is_validated) {
    facts.emplace_back("share wrong among rows left out (cross-validation)", rules.error);
    facts.emplace_back("its standard error", rules.standard_error);
    facts.emplace_back("the same of always the largest class", rules.error_of_largest_class);
  }
  if (result.test_error) facts.emplace_back("share wrong among the rows of the test", *result.test_error);
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
      .series = {{"rows left out", {}}, {"rows learned from", {}}},
      .threshold = {}};
  for (const RuleLength* length : by_size) {
    chart.series[0].points.push_back({length->size, length->error});
    chart.series[1].points.push_back({length->size, length->training_error});
  }
  page.add(chart);
}

void add_wrong_rows(const io::Table& table, const RuleExamples& examples, const TableRules& rules, report::Page& page) {
  report::TableOfCells shown = {.title = "Rows that the rules get wrong",
                                .about = "",
                                .columns = {"row", "class", "class by the rules"},
                                .rows = {}};
  shown.columns.insert(shown.columns.end(), table.columns().begin(), table.columns().end());
  std::size_t wrong = 0;
  for (std::size_t row = 0; row < examples.table.row_count; ++row) {
    const std::uint32_t by_rules = rules.class_of(examples.table, row);
    if (by_rules == examples.class_of[row] || ++wrong > kMostRows) continue;
    std::vector<Json>& cells = shown.rows.emplace_back(
        std::vector<Json>{row + 1, examples.classes[examples.class_of[row]], rules.classes[by_rules]});
    for (std::size_t c = 0; c < table.columns().size(); ++c) cells.emplace_back(std::string(table.cell(row, c)));
  }
  if (wrong == 0) return page.add_note("No row of the table is wrong.");
  shown.about = wrong > kMostRows ? fmt::format("The first {} of {} rows.", kMostRows, wrong)
                                  : fmt::format("{} of {} rows.", wrong, examples.table.row_count);
  page.add(shown);
}

}  // namespace

void write_table_rules_page(const std::string& path, const io::Table& table, const RuleExamples& examples,
                            const TableRulesFileResult& result) {
  const LearnedTableRules& learned = result.learned;
  report::Page page(fmt::format("Rules for {}", learned.target), table.name());
  page.add_text("Rules", learned.text(RuleLanguage::kWords));
  add_errors(result, page);
  for (const ClassRule& rule : learned.rules.rules) add_lengths(learned.rules, rule, page);
  add_wrong_rows(table, examples, learned.rules, page);
  page.add_text("The same in SQL", learned.text(RuleLanguage::kSql));
  page.add_text("The same in Python", learned.text(RuleLanguage::kPython));
  page.write(path);
}

}  // namespace fovea::synthesis
