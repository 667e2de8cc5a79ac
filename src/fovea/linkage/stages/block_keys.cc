// SPDX-License-Identifier: Apache-2.0
#include "fovea/linkage/stages/block_keys.h"

#include <algorithm>

#include "fovea/base/dictionary.h"

namespace fovea::linkage {
namespace {

/// Appends the entries of rows with keys.
class KeyWriter {
 public:
  KeyWriter(const MatchPlan& plan, const std::vector<std::uint32_t>& numbers, const SpecialBlocks& special,
            BlockKeys& keys)
      : plan_(plan), numbers_(numbers), special_(special), keys_(keys) {}

  void begin_rule(std::uint32_t rule) { rule_ = rule; }

  void add(std::uint32_t place, std::string_view key, std::uint32_t parts) {
    const bool is_of_second = numbers_[place] >= plan_.second_table;
    if (parts == 0) return;
    if (parts == 1) return add_entry(place, key, 0, is_of_second);
    const std::uint32_t own = numbers_[place] % parts;
    for (std::uint32_t other = 0; other < parts; ++other) {
      const bool is_second = plan_.has_two_tables() ? is_of_second : own > other;
      const auto [first, second] = is_second ? std::pair(other, own) : std::pair(own, other);
      add_entry(place, key, GroupName::tile_of(first, second, parts), is_second);
    }
  }

  std::uint32_t parts(std::string_view key) const { return special_.empty() ? 1 : special_.parts(rule_, key); }

 private:
  void add_entry(std::uint32_t place, std::string_view key, std::uint32_t tile, bool is_second) {
    keys_.places.push_back(place);
    keys_.rules.push_back(rule_);
    keys_.keys.emplace_back(key);
    keys_.tiles.push_back(tile);
    keys_.sides.push_back(is_second ? 1 : 0);
  }

  const MatchPlan& plan_;
  const std::vector<std::uint32_t>& numbers_;
  const SpecialBlocks& special_;
  BlockKeys& keys_;
  std::uint32_t rule_ = 0;
};

/// A key's text and how many parts its block has, found once.
struct KnownKey {
  std::string text = {};
  std::uint32_t parts = 0;
  bool is_known = false;
};

void add_single_keys(const BlockingRule& rule, const io::Table& part, KeyWriter& writer) {
  const std::vector<std::uint32_t> numbers = rule.key_numbers(part);
  std::vector<KnownKey> known;
  for (std::uint32_t row = 0; row < numbers.size(); ++row) {
    if (numbers[row] == kNoId) continue;
    if (numbers[row] >= known.size()) known.resize(numbers[row] + std::size_t{1});
    KnownKey& key = known[numbers[row]];
    if (!key.is_known) {
      key.text = rule.key(part, row);
      key.parts = writer.parts(key.text);
      key.is_known = true;
    }
    writer.add(row, key.text, key.parts);
  }
}

void add_several_keys(const BlockingRule& rule, const io::Table& part, KeyWriter& writer) {
  const BlockingRule::Keys keys = rule.keys(part);
  std::vector<KnownKey> known(keys.text_of_key.size());
  for (std::uint32_t row = 0; row < part.row_count(); ++row)
    for (std::size_t i = keys.begin[row]; i < keys.begin[row + 1]; ++i) {
      KnownKey& key = known[keys.numbers[i]];
      if (!key.is_known) {
        key.text = rule.key(part, row);
        key.text += keys.texts.text(keys.text_of_key[keys.numbers[i]]);
        key.parts = writer.parts(key.text);
        key.is_known = true;
      }
      writer.add(row, key.text, key.parts);
    }
}

}  // namespace

void SpecialBlocks::set(std::uint32_t rule, const std::string& key, std::uint32_t parts) {
  if (rule >= of_rule_.size()) of_rule_.resize(rule + std::size_t{1});
  of_rule_[rule][key] = parts;
}

std::uint32_t SpecialBlocks::parts(std::uint32_t rule, std::string_view key) const {
  if (rule >= of_rule_.size()) return 1;
  const auto found = of_rule_[rule].find(key);
  return found == of_rule_[rule].end() ? 1 : found->second;
}

SpecialBlocks SpecialBlocks::without_cuts() const {
  SpecialBlocks others = *this;
  for (auto& blocks : others.of_rule_) std::erase_if(blocks, [](const auto& block) { return block.second > 0; });
  return others;
}

BlockKeys block_keys(const MatchPlan& plan, const io::Table& part, const std::vector<std::uint32_t>& numbers,
                     const SpecialBlocks& special) {
  BlockKeys keys;
  KeyWriter writer(plan, numbers, special, keys);
  std::uint32_t number = 0;
  for (const BlockingRule& rule : parse_blocking_rules(plan.block, part)) {
    writer.begin_rule(number++);
    if (rule.has_any()) add_several_keys(rule, part, writer);
    else add_single_keys(rule, part, writer);
  }
  return keys;
}

void fill_block_buckets(const MatchPlan& plan, const io::Table& part, const std::vector<std::uint32_t>& numbers,
                        const SpecialBlocks& special, RecordBuckets& buckets) {
  const BlockKeys keys = block_keys(plan, part, numbers, special);
  for (std::size_t i = 0; i < keys.size(); ++i) {
    const GroupName group{keys.rules[i], keys.tiles[i], keys.keys[i]};
    buckets.add(group.bytes(), keys.sides[i], numbers[keys.places[i]], part, keys.places[i]);
  }
}

void fill_component_buckets(const io::Table& part, const std::vector<std::uint32_t>& numbers,
                            std::span<const std::uint32_t> components, RecordBuckets& buckets) {
  for (std::size_t row = 0; row < numbers.size(); ++row)
    if (components[row] != kNoId) buckets.add(GroupName::of_component(components[row]), 0, numbers[row], part, row);
}

}  // namespace fovea::linkage
