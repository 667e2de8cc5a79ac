// SPDX-License-Identifier: Apache-2.0
#include "fovea/linkage/blocking/blocking.h"

#include <fmt/format.h>
#include <tsl/robin_map.h>

#include <algorithm>
#include <charconv>
#include <system_error>
#include <utility>

#include "fovea/base/dictionary.h"
#include "fovea/base/error.h"
#include "fovea/base/pair_hash.h"
#include "fovea/base/text.h"
#include "fovea/io/table/json_lines_reader.h"
#include "fovea/linkage/similarity/normalise.h"

namespace fovea::linkage {
namespace {

constexpr char kPartEnd = '\x1f';  // never occurs in a normalised text
constexpr std::string_view kAny = "any(", kWord = "word", kElement = "element";

/// The words of a text, or the elements of a list, normalised.
std::vector<std::string> pieces(std::string_view text, bool are_words) {
  if (are_words) return tokens(text);
  std::vector<std::string> elements;
  for (const std::string_view element : split_text(text, io::kElementSeparator))
    if (std::string normal = normalised(element); !normal.empty()) elements.push_back(std::move(normal));
  return elements;
}

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
    if (part.starts_with(kAny) && !table.find_column(part)) {
      add_any(part, table);
      continue;
    }
    parts_.emplace_back(part, table);
    add_columns(parts_.back());
  }
}

void BlockingRule::add_columns(const ColumnExpression& expression) {
  for (const std::size_t column : expression.columns())
    if (std::ranges::find(columns_, column) == columns_.end()) columns_.push_back(column);
}

void BlockingRule::add_any(std::string_view part, const io::Table& table) {
  const auto refuse = [&](std::string_view why) {
    throw UsageError(
        fmt::format("blocking rule '{}': {}; write any(word, column) or any(element, column, 100)", text_, why));
  };
  if (any_) refuse("any() occurs twice");
  if (part.back() != ')') refuse("a ')' is missing");
  const auto arguments = split_expression(part.substr(kAny.size(), part.size() - kAny.size() - 1), ',');
  if (arguments.size() < 2 || arguments.size() > 3) refuse("any() takes two or three arguments");
  if (arguments[0] != kWord && arguments[0] != kElement)
    refuse(fmt::format("'{}' is neither word nor element", arguments[0]));
  any_.emplace(Any{arguments[0] == kWord, ColumnExpression(arguments[1], table)});
  add_columns(any_->expression);
  if (arguments.size() < 3) return;
  const auto [end, error] = std::from_chars(arguments[2].data(), arguments[2].data() + arguments[2].size(), any_->most);
  if (error != std::errc() || end != arguments[2].data() + arguments[2].size() || any_->most < 2)
    refuse(fmt::format("'{}' is not a number of records from 2 on", arguments[2]));
}

std::string_view BlockingRule::any_of() const { return any_->is_word ? "words" : "elements"; }

BlockingRule::Keys BlockingRule::keys(const io::Table& table) const {
  const std::vector<std::uint32_t> others = key_numbers(table);
  const NumberedValues values = number_values(any_->expression, table);
  Keys keys;
  std::vector<std::vector<std::uint32_t>> texts_of(values.values.size());  // [value] numbers of its words or elements
  for (std::uint32_t value = 0; value < texts_of.size(); ++value) {
    for (const std::string& text : pieces(values.values.text(value), any_->is_word))
      texts_of[value].push_back(keys.texts.add(text));
    std::ranges::sort(texts_of[value]);
    texts_of[value].erase(std::unique(texts_of[value].begin(), texts_of[value].end()), texts_of[value].end());
  }
  tsl::robin_map<std::uint64_t, std::uint32_t, PairHash> known;  // (other parts, text) -> number
  for (std::size_t row = 0; row < table.row_count(); ++row) {
    if (others[row] != kNoId && values.of_row[row] != kNoId)
      for (const std::uint32_t text : texts_of[values.of_row[row]]) {
        const auto [found, is_new] = known.try_emplace(pair_key(others[row], text), known.size());
        if (is_new) keys.text_of_key.push_back(text);
        keys.numbers.push_back(found->second);
      }
    keys.begin.push_back(keys.numbers.size());
  }
  return keys;
}

std::vector<const ColumnExpression*> BlockingRule::expressions() const {
  std::vector<const ColumnExpression*> all;
  for (const ColumnExpression& part : parts_) all.push_back(&part);
  if (any_) all.push_back(&any_->expression);
  return all;
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
