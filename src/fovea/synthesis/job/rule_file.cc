// SPDX-License-Identifier: Apache-2.0
#include "fovea/synthesis/job/rule_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <vector>

#include "fovea/base/error.h"
#include "fovea/io/output_file.h"

namespace fovea::synthesis {
namespace {

constexpr std::size_t kMostRowsNamed = 10;

/// Refuses rows that contradict each other, by their lines.
void check_rows(const io::Table& table, const LabelledRows& labelled) {
  if (!labelled.examples.contradiction()) return;
  const auto [good, bad] = *labelled.examples.contradiction();
  const InputLocation first = table.location(labelled.rows[good]), second = table.location(labelled.rows[bad]);
  throw InfeasibleError(fmt::format("{}:{} and {}:{} contradict each other: the row {} is labelled true and false",
                                    first.file, first.line, second.file, second.line,
                                    fmt::join(labelled.examples.row(good), ",")));
}

void write_rule(const std::string& path, const std::string& text) {
  io::OutputFile output(path);
  output.write(text + "\n");
  output.finish();
}

/// Reports that no formula was found, with the best one and the lines that it gets wrong.
[[noreturn]] void end_without_rule(const RuleFileJob& job, const LearnedRule& rule, const Run& run) {
  const std::vector<std::uint64_t>& wrong_lines = rule.wrong_lines;
  std::string lines;
  for (std::size_t i = 0; i < std::min(wrong_lines.size(), kMostRowsNamed); ++i)
    lines += fmt::format("{}{}", i == 0 ? "" : ", ", wrong_lines[i]);
  if (wrong_lines.size() > kMostRowsNamed) lines += ", ...";
  const std::string nearest = fmt::format("the best, {}, errs on {} of {} rows: lines {}", rule.text(),
                                          wrong_lines.size(), rule.examples, lines);
  if (run.is_cancelled()) throw CancelledError("interrupted; " + nearest);
  throw LimitError(
      fmt::format("no formula of {} terms with {} atoms was found in {} steps; {}. Allow more time, "
                  "terms, atoms or coefficients",
                  job.rule.search.terms, job.rule.search.atoms, rule.steps, nearest));
}

}  // namespace

LearnedRule learn_rule_file(const RuleFileJob& job, const Run& run) {
  (void)job.rule.options.limits();  // before the table is read, which may take long
  const io::Table table = io::read_table(job.file, job.reading, run.threads);
  const LabelledRows labelled = labelled_rows(table);
  check_rows(table, labelled);
  LearnedRule rule = learn_rule(labelled, job.rule, run);
  std::ranges::transform(rule.wrong_rows, rule.wrong_lines.begin(),
                         [&](std::size_t row) { return table.location(row).line; });
  if (job.as_json) write_rule(job.files.output, rule.json());
  else if (rule.is_found) write_rule(job.files.output, rule.text());
  if (!rule.is_found) end_without_rule(job, rule, run);
  return rule;
}

}  // namespace fovea::synthesis
