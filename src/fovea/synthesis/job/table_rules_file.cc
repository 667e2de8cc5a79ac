// SPDX-License-Identifier: Apache-2.0
#include "fovea/synthesis/job/table_rules_file.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <utility>

#include "fovea/base/atomic_file.h"
#include "fovea/base/error.h"
#include "fovea/io/output_file.h"
#include "fovea/synthesis/job/table_rules_page.h"

namespace fovea::synthesis {
namespace {

void write_text(const std::string& path, const std::string& text) {
  io::OutputFile output(path);
  output.write(text);
  output.finish();
}

/// The share of rows whose class the rules get wrong; a class that they do not know is wrong.
double share_wrong(const io::Table& table, const TableRules& rules, const std::string& target) {
  const RuleTable rows = read_rule_table(table, rules.columns);
  const std::size_t column = table.column(target);
  std::size_t wrong = 0;
  for (std::size_t row = 0; row < table.row_count(); ++row)
    if (table.cell(row, column) != rules.classes[rules.class_of(rows, row)]) ++wrong;
  return table.row_count() == 0 ? 0 : static_cast<double>(wrong) / static_cast<double>(table.row_count());
}

}  // namespace

std::string TableRulesFileResult::brief() const {
  if (!test_error) return learned.brief();
  return learned.brief() + fmt::format("; {:.1f} % of {} rows of the test", 100 * *test_error, test_rows);
}

TableRulesFileResult learn_rules_file(const TableRulesFileJob& job, const Run& run) {
  if (!job.files.report_html.empty()) check_can_be_replaced(job.files.report_html);
  const io::Table table = io::read_table(job.file, job.reading, run.thread_count());
  const RuleExamples examples = read_rule_examples(
      table, {.target = job.files.target, .weights = job.files.weights, .ignored = job.files.ignored}, run.note);
  const std::string target =
      job.files.target.empty() ? table.columns().back() : table.columns()[table.column(job.files.target)];
  std::optional<io::Table> test;
  if (!job.files.test.empty()) test = io::read_table(job.files.test, job.reading, run.thread_count());
  TableRulesFileResult result = {.learned = learn_rules(examples, target, job.rules, run)};
  if (test) {
    result.test_error = share_wrong(*test, result.learned.rules, target);
    result.test_rows = test->row_count();
  }
  if (!job.files.curve.empty()) write_text(job.files.curve, result.learned.curve());
  if (!job.files.report_html.empty())
    table_rules_page(table.name(), examples, result.learned, result.test_error).write(job.files.report_html);
  std::string report = result.learned.text(job.files.language);
  if (job.as_json) {
    auto json = nlohmann::ordered_json::parse(result.learned.json());
    json["test_error"] = nullptr;
    if (result.test_error) json["test_error"] = *result.test_error;
    report = json.dump() + "\n";
  }
  write_text(job.files.output, report);
  if (run.is_cancelled()) throw CancelledError("interrupted; the rules found so far are written");
  return result;
}

}  // namespace fovea::synthesis
