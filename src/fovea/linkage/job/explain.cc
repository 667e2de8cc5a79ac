// SPDX-License-Identifier: Apache-2.0
#include "fovea/linkage/job/explain.h"

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "fovea/base/error.h"
#include "fovea/linkage/blocking/blocking.h"
#include "fovea/linkage/columns/stacked_tables.h"
#include "fovea/linkage/matching/match_model_file.h"
#include "fovea/linkage/matching/record_matching.h"

namespace fovea::linkage {
namespace {

/// The record alone, in a table with the same columns.
io::Table table_of_one(const NamedRecord& record) {
  io::Table table(record.table.name(), record.table.columns());
  std::vector<std::string_view> cells;
  for (std::size_t c = 0; c < record.table.column_count(); ++c) cells.push_back(record.table.cell(record.row, c));
  table.add_row(cells, 1);
  return table;
}

}  // namespace

MatchExplanation explain(const NamedRecord& first, const NamedRecord& second, const std::string& model_json) {
  FOVEA_CHECK(first.row < first.table.row_count() && second.row < second.table.row_count());
  const MatchModelDescription known = parse_match_model(model_json, "the model");
  const MatchingOptions options = {.compare = known.compare(), .block = known.block(), .max_block = known.max_block};
  const io::Table ones[] = {table_of_one(first), table_of_one(second)};
  for (const io::Table& one : ones) {  // both need all columns
    (void)parse_comparisons(options.compare, one);
    (void)parse_blocking_rules(options.block, one);
  }
  // Models without statistics score every table by its own.
  const bool is_alone = known.statistics != nullptr, is_one_table = &first.table == &second.table;
  std::optional<io::Table> made;
  if (is_alone) made.emplace(stack_tables(ones[0], ones[1]));
  else if (!is_one_table) made.emplace(stack_tables(first.table, second.table));
  const io::Table& table = made ? *made : first.table;
  const std::size_t first_row = is_alone ? 0 : first.row;
  const std::size_t second_row = is_alone ? 1 : is_one_table ? second.row : first.table.row_count() + second.row;
  const RecordMatching matching(table, options, {}, known.statistics);
  check_levels(known.parameters, matching.comparisons(), "the model");
  const MatchModel model(matching.comparisons(), known.parameters);
  return explain_match(model, table, {static_cast<std::uint32_t>(first_row), static_cast<std::uint32_t>(second_row)},
                       {first.name, second.name});
}

}  // namespace fovea::linkage
