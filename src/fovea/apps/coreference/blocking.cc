// SPDX-License-Identifier: Apache-2.0
#include "fovea/apps/coreference/blocking.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>

#include "fovea/base/error.h"
#include "fovea/base/split_text.h"
#include "fovea/base/suggest.h"
#include "fovea/feature/dictionary.h"
#include "fovea/feature/similarity/dates.h"
#include "fovea/feature/similarity/normalise.h"
#include "fovea/feature/similarity/phonetic.h"
#include "fovea/feature/utf8.h"

namespace fovea {
namespace {

constexpr char kSeparator = '\x1f';  // no text that was normalised holds it

std::string text_key(std::string_view cell, std::size_t) { return normalised(cell); }
std::string soundex_key(std::string_view cell, std::size_t) { return soundex(cell); }
std::string metaphone_key(std::string_view cell, std::size_t) { return metaphone(cell); }

std::string prefix_key(std::string_view cell, std::size_t count) {
  const std::string text = normalised(cell);
  std::size_t end = 0;
  for (std::size_t letters = 0; letters < count && end < text.size(); ++letters)
    end += first_character(std::string_view(text).substr(end)).size;
  return text.substr(0, end);
}

std::string year_key(std::string_view cell, std::size_t) {
  const std::optional<Date> date = parse_date(cell);
  return date ? std::to_string(static_cast<int>(date->year)) : "";
}

std::string month_key(std::string_view cell, std::size_t) {
  const std::optional<Date> date = parse_date(cell);
  return date && date->month.ok() ? std::to_string(static_cast<unsigned>(date->month)) : "";
}

struct NamedFunction {
  const char* name;
  std::string (*function)(std::string_view, std::size_t);
};
constexpr std::array kFunctions = {NamedFunction{"soundex", soundex_key}, NamedFunction{"metaphone", metaphone_key},
                                   NamedFunction{"initial", prefix_key},  NamedFunction{"prefix", prefix_key},
                                   NamedFunction{"year", year_key},       NamedFunction{"month", month_key}};

const NamedFunction& function_called(std::string_view name, std::string_view part) {
  const auto at = std::ranges::find(kFunctions, name, &NamedFunction::name);
  if (at != kFunctions.end()) return *at;
  std::vector<std::string> names;
  for (const NamedFunction& known : kFunctions) names.emplace_back(known.name);
  throw UsageError(fmt::format("blocking rule '{}': no function is called '{}'.{} There are {}", part, name,
                               suggestion(name, names), fmt::join(names, ", ")));
}

std::size_t parse_count(std::string_view text, std::string_view part) {
  constexpr std::size_t kMost = 1000;
  std::size_t count = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), count);
  if (error != std::errc() || end != text.data() + text.size() || count < 1 || count > kMost)
    throw UsageError(fmt::format("blocking rule '{}': '{}' must be a number of letters, 1 to {}", part, text, kMost));
  return count;
}

}  // namespace

BlockingRule::BlockingRule(std::string_view text, const Table& table) : text_(text) {
  for (const std::string_view part : split_text(text, '+')) parts_.push_back(parse_part(part, table));
  for (const Part& part : parts_)
    if (std::ranges::find(columns_, part.column) == columns_.end()) columns_.push_back(part.column);
}

BlockingRule::Part BlockingRule::parse_part(std::string_view text, const Table& table) const {
  if (text.empty()) throw UsageError(fmt::format("blocking rule '{}': a part is empty; write column+column", text_));
  const std::size_t open = text.find('(');
  if (open == text.npos) return {text_key, table.column(text), 0};
  if (text.back() != ')') throw UsageError(fmt::format("blocking rule '{}': a ')' is missing", text_));
  const std::string_view name = trimmed(text.substr(0, open));
  const NamedFunction& named = function_called(name, text);
  const auto arguments = split_text(text.substr(open + 1, text.size() - open - 2), ',');
  const bool takes_count = name == "prefix";
  if (arguments.size() != (takes_count ? 2 : 1))
    throw UsageError(fmt::format("blocking rule '{}': {} takes {}", text_, name,
                                 takes_count ? "a column and a number of letters" : "a column"));
  return {named.function, table.column(arguments[0]), takes_count ? parse_count(arguments[1], text) : 1};
}

std::string BlockingRule::key(const Table& table, std::size_t row) const {
  std::string key;
  for (const Part& part : parts_) {
    const std::string value = part.function(table.cell(row, part.column), part.count);
    if (value.empty()) return "";
    key += value;
    key += kSeparator;
  }
  return key;
}

std::vector<BlockingRule> parse_blocking_rules(std::string_view text, const Table& table) {
  std::vector<BlockingRule> rules;
  for (const std::string_view rule : split_text(text, ',')) rules.emplace_back(rule, table);
  return rules;
}

std::uint64_t Blocks::pair_count() const {
  std::uint64_t pairs = 0;
  for (std::size_t block = 0; block < size(); ++block) {
    const std::uint64_t count = begin[block + 1] - begin[block];
    pairs += count * (count - 1) / 2;
  }
  return pairs;
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

Blocks group_rows(const Table& table, const BlockingRule& rule) {
  Dictionary keys;
  std::vector<std::uint32_t> key_of(table.row_count(), kNoId);
  for (std::size_t row = 0; row < key_of.size(); ++row)
    if (const std::string key = rule.key(table, row); !key.empty()) key_of[row] = keys.add(key);
  return group_by_number(key_of);
}

}  // namespace fovea
