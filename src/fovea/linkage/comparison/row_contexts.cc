// SPDX-License-Identifier: Apache-2.0
#include "fovea/linkage/comparison/row_contexts.h"

#include <fmt/format.h>
#include <tsl/robin_map.h>

#include <optional>
#include <utility>

#include "fovea/base/dictionary.h"
#include "fovea/base/error.h"
#include "fovea/base/pair_hash.h"
#include "fovea/base/text.h"
#include "fovea/linkage/blocking/blocking.h"
#include "fovea/linkage/columns/column_expression.h"

namespace fovea::linkage {
namespace {

/// A context's text, taken apart.
struct Context {
  ContextNumber number;
  std::optional<ColumnExpression> column;  // none for a size
  BlockingRule key;
};

BlockingRule parse_key(std::string_view text, const io::Table& table) {
  BlockingRule key(text, table);
  if (key.has_any()) throw UsageError(fmt::format("'{}': a context needs one key for each record, not any()", text));
  return key;
}

Context parse_context(std::string_view text, const io::Table& table) {
  const std::string_view call = trimmed(text);
  const std::size_t open = call.find('(');
  const std::string_view name = trimmed(call.substr(0, open));
  if (open != call.npos && call.back() == ')') {
    const auto arguments = split_expression(call.substr(open + 1, call.size() - open - 2), ',');
    const std::optional<ContextNumber> number = value_of<ContextNumber>(name);
    if (number == ContextNumber::kSize && arguments.size() == 1)
      return {ContextNumber::kSize, std::nullopt, parse_key(arguments[0], table)};
    if (number && number != ContextNumber::kSize && arguments.size() == 2)
      return {*number, ColumnExpression(arguments[0], table), parse_key(arguments[1], table)};
  }
  throw UsageError(
      fmt::format("'{}' is not a context; write size(key), distinct(column, key) or variety(column, key)", call));
}

std::vector<std::uint8_t> contexts_of_table(const Context& context, const io::Table& table) {
  std::vector<std::uint32_t> value_of_row;
  if (context.column) value_of_row = number_values(*context.column, table).of_row;
  const Blocks blocks = group_rows(table, context.key);
  std::vector<std::uint8_t> contexts(table.row_count(), context_range(context.column ? 0 : 1));
  std::vector<double> counts;
  for (std::size_t block = 0; block < blocks.size(); ++block) {
    counts.clear();
    if (!context.column) {
      counts.push_back(static_cast<double>(blocks[block].size()));
    } else {
      tsl::robin_map<std::uint32_t, double> of_values;
      for (const std::uint32_t row : blocks[block])
        if (value_of_row[row] != kNoId) ++of_values[value_of_row[row]];
      for (const auto& [value, count] : of_values) counts.push_back(count);
    }
    const std::uint8_t range = context_range(context_number(context.number, counts));
    for (const std::uint32_t row : blocks[block]) contexts[row] = range;
  }
  return contexts;
}

/// The keys of a table's rows.
struct RowKeys {
  RowKeys(const BlockingRule& rule, const io::Table& table) : of_row(rule.key_numbers(table)) {
    for (std::size_t row = 0; row < of_row.size(); ++row) {
      if (of_row[row] == kNoId) continue;
      if (of_row[row] >= hashes.size()) {
        hashes.resize(of_row[row] + std::size_t{1});
        rows.resize(hashes.size());
      }
      if (rows[of_row[row]]++ == 0) hashes[of_row[row]] = hash_text(rule.key(table, row));
    }
  }

  std::vector<std::uint32_t> of_row;        // number of its key, kNoId if it has none
  std::vector<std::uint64_t> hashes, rows;  // [number]; no rows: a number that is not used
};

/// Hash of a value; never 0, which stands for none.
std::uint64_t hash_of_value(std::string_view value) {
  const std::uint64_t hash = hash_text(value);
  return hash == 0 ? 1 : hash;
}

}  // namespace

std::vector<std::uint8_t> row_contexts(std::string_view text, const io::Table& table,
                                       const ContextStatistics* statistics) {
  const Context context = parse_context(text, table);
  std::vector<std::uint8_t> contexts = contexts_of_table(context, table);
  if (statistics == nullptr) return contexts;
  const RowKeys keys(context.key, table);
  std::vector<const ContextStatistics::Key*> known;
  for (std::size_t key = 0; key < keys.hashes.size(); ++key) {
    const ContextStatistics::Key* found = keys.rows[key] > 0 ? statistics->find(keys.hashes[key]) : nullptr;
    known.push_back(found != nullptr && found->rows >= keys.rows[key] ? found : nullptr);
  }
  for (std::size_t row = 0; row < contexts.size(); ++row)
    if (const std::uint32_t key = keys.of_row[row]; key != kNoId && known[key] != nullptr)
      contexts[row] = known[key]->range;
  return contexts;
}

std::vector<std::size_t> context_columns(std::string_view text, const io::Table& table) {
  const Context context = parse_context(text, table);
  std::vector<std::size_t> columns = context.key.columns();
  if (context.column) columns.insert(columns.end(), context.column->columns().begin(), context.column->columns().end());
  return columns;
}

ContextStatistics collect_contexts(std::string_view text, const io::Table& table) {
  const Context context = parse_context(text, table);
  const RowKeys keys(context.key, table);
  std::optional<NumberedValues> values;
  if (context.column) values = number_values(*context.column, table);
  tsl::robin_map<std::uint64_t, std::uint64_t, PairHash> counts;  // (key, value) -> rows
  for (std::uint32_t row = 0; row < keys.of_row.size(); ++row)
    if (keys.of_row[row] != kNoId) ++counts[pair_key(keys.of_row[row], values ? values->of_row[row] : kNoId)];
  std::vector<KeyedValue> rows;
  for (const auto& [pair, count] : counts) {
    const auto key = static_cast<std::uint32_t>(pair >> 32), value = static_cast<std::uint32_t>(pair);
    rows.push_back({keys.hashes[key], value == kNoId ? 0 : hash_of_value(values->values.text(value)), count});
  }
  return count_contexts(context.number, std::move(rows));
}

}  // namespace fovea::linkage
