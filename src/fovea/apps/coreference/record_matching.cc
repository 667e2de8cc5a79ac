// SPDX-License-Identifier: Apache-2.0
#include "fovea/apps/coreference/record_matching.h"

#include <fmt/format.h>

#include <cmath>
#include <utility>

#include "fovea/base/error.h"

namespace fovea {
namespace {

std::string required(const std::string& list, const char* option, const char* example) {
  if (list.empty()) throw UsageError(fmt::format("--{} is needed, for example --{} '{}'", option, option, example));
  return list;
}

}  // namespace

double MatchingOptions::least_score() const { return std::log(threshold / (1 - threshold)); }

RecordMatching::RecordMatching(const Table& table, const MatchingOptions& options, const PairScope& scope)
    : table_(&table),
      options_(options),
      comparisons_(
          parse_comparisons(required(options.compare, "compare", "name:jaro_winkler, born:date, city"), table)),
      rules_(parse_blocking_rules(required(options.block, "block", "surname, soundex(name)+year(born)"), table)),
      candidates_(table, rules_, static_cast<std::size_t>(options.max_block), scope) {}

std::vector<std::string> RecordMatching::warnings() const {
  std::vector<std::string> warnings;
  for (std::size_t r = 0; r < rules_.size(); ++r) {
    const std::vector<OversizedBlock>& blocks = candidates_.oversized(r);
    if (blocks.empty()) continue;
    warnings.push_back(fmt::format(
        "rule '{}' leaves out {} block(s) of more than {} records, the largest '{}' with {}. Add a part to the rule by "
        "+, or raise --max-block",
        rules_[r].text(), blocks.size(), options_.max_block, blocks.front().key, blocks.front().rows));
  }
  if (warnings.empty() && candidates_.empty())
    warnings.emplace_back("no two records agree in any blocking rule: none are compared");
  return warnings;
}

MatchParameters RecordMatching::nothing_known() const {
  MatchParameters parameters{.weights = {.prior_log_odds = -std::log(1e9), .weights = {}}};
  for (const Comparison& comparison : comparisons_) parameters.weights.weights.emplace_back(comparison.levels().size());
  return parameters;
}

MatchModelDescription RecordMatching::describe(MatchParameters parameters) const {
  MatchModelDescription description;
  description.parameters = std::move(parameters);
  description.max_block = options_.max_block;
  for (const Comparison& comparison : comparisons_) description.comparisons.push_back(comparison.text());
  for (const BlockingRule& rule : rules_) description.rules.push_back(rule.text());
  return description;
}

Table stack_tables(const Table& first, const Table& second) {
  Table stacked(first.name(), first.columns());
  std::vector<std::size_t> column_of;  // [column of second]
  for (const std::string& name : second.columns()) {
    const auto found = first.find_column(name);
    column_of.push_back(found ? *found : stacked.add_column(name));
  }
  std::vector<std::string_view> cells(stacked.column_count());
  for (std::size_t row = 0; row < first.row_count(); ++row) {
    for (std::size_t c = 0; c < first.column_count(); ++c) cells[c] = first.cell(row, c);
    stacked.add_row(cells, static_cast<std::int64_t>(row + 1));
  }
  for (std::size_t row = 0; row < second.row_count(); ++row) {
    std::ranges::fill(cells, std::string_view());
    for (std::size_t c = 0; c < second.column_count(); ++c) cells[column_of[c]] = second.cell(row, c);
    stacked.add_row(cells, static_cast<std::int64_t>(first.row_count() + row + 1));
  }
  return stacked;
}

}  // namespace fovea
