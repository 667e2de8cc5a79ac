// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <utility>

#include "fovea/linkage/statistics/match_statistics.h"

namespace fovea::linkage {
namespace {

using StatisticsJson = nlohmann::ordered_json;

constexpr const char* kStatisticsKind = "matching counts";
constexpr std::uint32_t kStatisticsVersion = 1;
constexpr const char* kContents = "contents";

/// The sections of one part: values0.hashes, values0.rows, ...
struct SectionNames {
  SectionNames(const char* part, std::size_t number) : prefix(fmt::format("{}{}.", part, number)) {}
  std::string operator()(const char* name) const { return prefix + name; }

  std::string prefix;
};

template <class T>
void add(ContainerWriter& writer, const std::string& name, const std::vector<T>& numbers) {
  writer.add_array(name, std::span<const T>(numbers));
}

template <class T>
std::vector<T> read(const Container& container, const std::string& name) {
  const std::span<const T> numbers = container.array<T>(name);
  return {numbers.begin(), numbers.end()};
}

template <class T, class Member>
std::vector<std::uint64_t> column_of(const std::vector<T>& rows, Member member) {
  std::vector<std::uint64_t> column;
  for (const T& row : rows) column.push_back(row.*member);
  return column;
}

void write_values(ContainerWriter& writer, const SectionNames& section, const ValueStatistics& values) {
  add(writer, section("hashes"), values.text_rows.hashes);
  add(writer, section("rows"), values.text_rows.counts);
  if (!values.has_tokens) return;
  add(writer, section("token_hashes"), values.token_texts.hashes);
  add(writer, section("token_texts"), values.token_texts.counts);
  add(writer, section("tokens"), values.tokens);
  add(writer, section("begin"), values.begin);
}

void write_contexts(ContainerWriter& writer, const SectionNames& section, const ContextStatistics& contexts,
                    bool is_complete) {
  if (is_complete) {
    add(writer, section("keys"), column_of(contexts.counts, &KeyedValue::key));
    add(writer, section("values"), column_of(contexts.counts, &KeyedValue::value));
    add(writer, section("rows"), column_of(contexts.counts, &KeyedValue::rows));
    return;
  }
  using Key = ContextStatistics::Key;
  std::vector<std::uint8_t> ranges;
  for (const Key& key : contexts.keys) ranges.push_back(key.range);
  add(writer, section("keys"), column_of(contexts.keys, &Key::key));
  add(writer, section("rows"), column_of(contexts.keys, &Key::rows));
  add(writer, section("ranges"), ranges);
}

CountTable read_counts(const Container& container, const std::string& hashes, const std::string& counts) {
  CountTable table{.hashes = read<std::uint64_t>(container, hashes), .counts = read<std::uint64_t>(container, counts)};
  if (table.counts.size() != table.hashes.size() || std::ranges::find(table.counts, 0u) != table.counts.end())
    container.refuse(counts, "it must hold a count above 0 for each hash");
  if (std::ranges::adjacent_find(table.hashes, std::ranges::greater_equal()) != table.hashes.end())
    container.refuse(hashes, "hashes must ascend");
  return table;
}

void read_tokens(const Container& container, const SectionNames& section, bool is_complete, ValueStatistics& values) {
  values.token_texts = read_counts(container, section("token_hashes"), section("token_texts"));
  values.tokens = read<std::uint32_t>(container, section("tokens"));
  values.begin = read<std::uint64_t>(container, section("begin"));
  if (!is_complete) return;
  const std::size_t size = values.token_texts.size();
  if (std::ranges::any_of(values.tokens, [&](std::uint32_t token) { return token >= size; }))
    container.refuse(section("tokens"), "a token is not there");
  if (values.begin.size() != values.text_rows.size() + 1 || values.begin.front() != 0 ||
      values.begin.back() != values.tokens.size() || !std::ranges::is_sorted(values.begin))
    container.refuse(section("begin"), "the texts must divide the tokens among them");
}

ValueStatistics read_values(const Container& container, const SectionNames& section, const StatisticsJson& facts,
                            bool is_complete) {
  ValueStatistics values{.has_tokens = facts.at("has_tokens"), .frequent_share = facts.at("frequent_share")};
  if (!(values.frequent_share > 0 && values.frequent_share <= 1))
    container.refuse(kContents, "frequent_share must lie in (0, 1]");
  values.text_rows = read_counts(container, section("hashes"), section("rows"));
  if (values.has_tokens) read_tokens(container, section, is_complete, values);
  if (is_complete) {
    values.count_totals();
    return values;
  }
  values.texts = facts.at("texts");
  values.values = facts.at("values");
  values.rows = facts.at("rows");
  if (values.values > values.texts || values.values > values.rows || values.text_rows.size() > values.texts)
    container.refuse(kContents, "there cannot be more values than texts or rows");
  return values;
}

ContextStatistics read_contexts(const Container& container, const SectionNames& section, const StatisticsJson& facts,
                                bool is_complete) {
  const std::optional<ContextNumber> number = value_of<ContextNumber>(facts.at("number").get<std::string>());
  if (!number) container.refuse(kContents, "a context is a size, distinct or variety");
  const auto keys = read<std::uint64_t>(container, section("keys")),
             rows = read<std::uint64_t>(container, section("rows"));
  ContextStatistics contexts{.number = *number};
  if (rows.size() != keys.size() || std::ranges::find(rows, 0u) != rows.end())
    container.refuse(section("rows"), "it must hold a count above 0 for each key");
  if (is_complete) {
    const auto values = read<std::uint64_t>(container, section("values"));
    if (values.size() != keys.size()) container.refuse(section("values"), "there must be one for each key");
    for (std::size_t i = 0; i < keys.size(); ++i) contexts.counts.push_back({keys[i], values[i], rows[i]});
    if (count_contexts(*number, contexts.counts).counts != contexts.counts)
      container.refuse(section("keys"), "keys and values must ascend");
    return contexts;
  }
  const auto ranges = read<std::uint8_t>(container, section("ranges"));
  if (ranges.size() != keys.size() ||
      std::ranges::any_of(ranges, [](std::uint8_t range) { return range >= context_ranges().size(); }))
    container.refuse(section("ranges"), "it must hold a range for each key");
  for (std::size_t i = 0; i < keys.size(); ++i) contexts.keys.push_back({keys[i], rows[i], ranges[i]});
  if (std::ranges::adjacent_find(keys, std::ranges::greater_equal()) != keys.end())
    container.refuse(section("keys"), "keys must ascend");
  return contexts;
}

}  // namespace

void MatchStatistics::save(const ContainerTarget& target) const {
  ContainerWriter writer(kStatisticsKind, kStatisticsVersion);
  StatisticsJson contents = {{"is_complete", is_complete},
                             {"records", records},
                             {"values", StatisticsJson::array()},
                             {"contexts", StatisticsJson::array()}};
  for (const auto& [compared, part] : values) {
    write_values(writer, SectionNames("values", contents["values"].size()), part);
    contents["values"].push_back({{"name", compared},
                                  {"has_tokens", part.has_tokens},
                                  {"frequent_share", part.frequent_share},
                                  {"texts", part.texts},
                                  {"values", part.values},
                                  {"rows", part.rows}});
  }
  for (const auto& [context, part] : contexts) {
    write_contexts(writer, SectionNames("contexts", contents["contexts"].size()), part, is_complete);
    contents["contexts"].push_back({{"name", context}, {"number", word_of(part.number)}});
  }
  writer.add(kContents, contents.dump(-1, ' ', false, StatisticsJson::error_handler_t::replace));
  writer.write(target);
}

MatchStatistics MatchStatistics::load(const ContainerSource& source) {
  const Container container = Container::open(source, kStatisticsKind, kStatisticsVersion);
  MatchStatistics statistics{.name = source.name()};
  try {
    const StatisticsJson contents = StatisticsJson::parse(container.bytes(kContents));
    statistics.is_complete = contents.at("is_complete");
    statistics.records = contents.at("records");
    std::size_t number = 0;
    for (const StatisticsJson& facts : contents.at("values"))
      statistics.values.emplace(facts.at("name"),
                                read_values(container, {"values", number++}, facts, statistics.is_complete));
    number = 0;
    for (const StatisticsJson& facts : contents.at("contexts"))
      statistics.contexts.emplace(facts.at("name"),
                                  read_contexts(container, {"contexts", number++}, facts, statistics.is_complete));
  } catch (const StatisticsJson::exception& e) {
    container.refuse(kContents, e.what());
  }
  return statistics;
}

}  // namespace fovea::linkage
