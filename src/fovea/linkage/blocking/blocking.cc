// SPDX-License-Identifier: Apache-2.0
#include "fovea/linkage/blocking/blocking.h"

#include <fmt/format.h>
#include <tsl/robin_map.h>

#include <algorithm>

#include "fovea/base/dictionary.h"
#include "fovea/base/error.h"
#include "fovea/base/pair_hash.h"
#include "fovea/base/text.h"
#include "fovea/linkage/similarity/normalise.h"

namespace fovea::linkage {
namespace {

constexpr char kPartEnd = '\x1f';  // never occurs in a normalised text

/// Returns for each row the number of its normalised value, kNoId if that is empty.
std::vector<std::uint32_t> normalised_numbers(const ColumnExpression& expression, const io::Table& table) {
  NumberedValues values = number_values(expression, table);
  Dictionary texts;
  std::vector<std::uint32_t> number_of(values.values.size(), kNoId);
  for (std::uint32_t id = 0; id < number_of.size(); ++id)
    if (const std::string text = normalised(values.values.text(id)); !text.empty()) number_of[id] = texts.add(text);
  for (std::uint32_t& number : values.of_row)
    if (number != kNoId) number = number_of[number];
  return values.of_row;
}

}  // namespace

BlockingRule::BlockingRule(std::string_view text, const io::Table& table) : text_(text) {
  const bool is_column = table.find_column(text).has_value();
  for (const std::string_view part : is_column ? std::vector{text} : split_expression(text, '+')) {
    if (part.empty()) throw UsageError(fmt::format("blocking rule '{}': a part is empty; write column+column", text_));
    parts_.emplace_back(part, table);
    for (const std::size_t column : parts_.back().columns())
      if (std::ranges::find(columns_, column) == columns_.end()) columns_.push_back(column);
  }
}

std::string BlockingRule::key(const io::Table& table, std::size_t row) const {
  std::string key;
  for (const ColumnExpression& part : parts_) {
    const std::string value = normalised(part.value(table, row));
    if (value.empty()) return "";
    key += value;
    key += kPartEnd;
  }
  return key;
}

std::vector<std::uint32_t> BlockingRule::key_numbers(const io::Table& table) const {
  std::vector<std::uint32_t> numbers(table.row_count(), 0);
  for (const ColumnExpression& part : parts_) {
    const std::vector<std::uint32_t> values = normalised_numbers(part, table);
    tsl::robin_map<std::uint64_t, std::uint32_t, PairHash> pairs;  // (key so far, this part) -> number
    for (std::size_t row = 0; row < numbers.size(); ++row) {
      if (numbers[row] == kNoId || values[row] == kNoId) numbers[row] = kNoId;
      else numbers[row] = pairs.try_emplace(pair_key(numbers[row], values[row]), pairs.size()).first->second;
    }
  }
  return numbers;
}

std::vector<BlockingRule> parse_blocking_rules(std::string_view text, const io::Table& table) {
  std::vector<BlockingRule> rules;
  for (const std::string_view rule : split_expression(text, ',')) rules.emplace_back(rule, table);
  return rules;
}

Blocks group_by_number(std::span<const std::uint32_t> numbers) {
  std::vector<std::size_t> counts;
  for (const std::uint32_t number : numbers) {
    if (number == kNoId) continue;
    if (number >= counts.size()) counts.resize(number + std::size_t{1});
    ++counts[number];
  }
  Blocks blocks;
  std::vector<std::size_t> next(counts.size());  // where the next row of each number goes
  for (std::size_t number = 0; number < counts.size(); ++number) {
    next[number] = blocks.begin.back();
    if (counts[number] > 1) blocks.begin.push_back(blocks.begin.back() + counts[number]);
  }
  blocks.rows.resize(blocks.begin.back());
  for (std::uint32_t row = 0; row < numbers.size(); ++row)
    if (numbers[row] != kNoId && counts[numbers[row]] > 1) blocks.rows[next[numbers[row]]++] = row;
  return blocks;
}

Blocks group_rows(const io::Table& table, const BlockingRule& rule) { return group_by_number(rule.key_numbers(table)); }

}  // namespace fovea::linkage
