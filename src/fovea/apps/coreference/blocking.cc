// SPDX-License-Identifier: Apache-2.0
#include "fovea/apps/coreference/blocking.h"

#include <fmt/format.h>

#include <algorithm>

#include "fovea/base/error.h"
#include "fovea/base/split_text.h"
#include "fovea/feature/dictionary.h"
#include "fovea/feature/similarity/normalise.h"

namespace fovea {
namespace {

constexpr char kSeparator = '\x1f';  // no text that was normalised holds it

}  // namespace

BlockingRule::BlockingRule(std::string_view text, const Table& table) : text_(text) {
  for (const std::string_view part : split_text(text, '+')) {
    if (part.empty()) throw UsageError(fmt::format("blocking rule '{}': a part is empty; write column+column", text_));
    parts_.emplace_back(part, table);
    if (std::ranges::find(columns_, parts_.back().column()) == columns_.end())
      columns_.push_back(parts_.back().column());
  }
}

std::string BlockingRule::key(const Table& table, std::size_t row) const {
  std::string key;
  for (const ColumnExpression& part : parts_) {
    const std::string value = normalised(part.value(table, row));
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
