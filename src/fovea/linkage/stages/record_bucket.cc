// SPDX-License-Identifier: Apache-2.0
#include "fovea/linkage/stages/record_bucket.h"

#include <tsl/robin_map.h>

#include <algorithm>
#include <array>
#include <tuple>

#include "fovea/base/dictionary.h"
#include "fovea/base/error.h"

namespace fovea::linkage {
namespace {

constexpr std::size_t kNumberBytes = 4;

/// Appends a number of 32 bits, the highest byte first, so that bytes are ordered as numbers are.
void put_ordered(std::uint32_t number, std::string& bytes) {
  for (int shift = 24; shift >= 0; shift -= 8) bytes += static_cast<char>(number >> shift & 0xFF);
}

std::uint32_t get_ordered(std::string_view bytes) {
  std::uint32_t number = 0;
  for (std::size_t i = 0; i < kNumberBytes; ++i) number = number << 8 | static_cast<unsigned char>(bytes[i]);
  return number;
}

/// Appends seven bits a byte, the lowest first; the highest bit says that there are more.
void put(std::uint64_t number, std::string& bytes) {
  for (; number >= 0x80; number >>= 7) bytes += static_cast<char>(0x80 | (number & 0x7F));
  bytes += static_cast<char>(number);
}

void put_text(std::string_view text, std::string& bytes) {
  put(text.size(), bytes);
  bytes += text;
}

[[noreturn]] void refuse() {
  throw InputError({.file = "the records of a stage"}, "damaged, or made by another version of Fovea",
                   "Use the same version everywhere, and start with an empty folder for what stages find");
}

std::uint64_t get(const char*& at, const char* end) {
  std::uint64_t number = 0;
  for (int shift = 0; shift < 64; shift += 7) {
    if (at == end) refuse();
    const auto byte = static_cast<unsigned char>(*at++);
    number |= std::uint64_t{byte & 0x7FU} << shift;
    if (byte < 0x80) return number;
  }
  refuse();
}

std::string_view get_text(const char*& at, const char* end) {
  const std::uint64_t size = get(at, end);
  if (size > static_cast<std::uint64_t>(end - at)) refuse();
  const std::string_view text(at, size);
  at += size;
  return text;
}

}  // namespace

std::string GroupName::bytes() const {
  std::string bytes;
  put_ordered(rule, bytes);
  put_ordered(tile, bytes);
  bytes += key;
  return bytes;
}

std::string GroupName::of_component(std::uint32_t component) {
  std::string bytes;
  put_ordered(component, bytes);
  return bytes;
}

GroupName GroupName::parse(std::string_view bytes) {
  if (bytes.size() < 2 * kNumberBytes) refuse();
  return {get_ordered(bytes), get_ordered(bytes.substr(kNumberBytes)), bytes.substr(2 * kNumberBytes)};
}

void RecordBuckets::add(std::string_view group, std::uint32_t side, std::uint32_t number, const io::Table& table,
                        std::size_t row) {
  std::string& bytes = buckets_[hash_text(group) % buckets_.size()];
  put_text(group, bytes);
  put(side, bytes);
  put(number, bytes);
  for (const std::size_t column : columns_) put_text(table.cell(row, column), bytes);
}

RecordGroups::RecordGroups(std::span<const std::string_view> bytes, std::vector<std::string> columns)
    : columns_(std::move(columns)) {
  for (const std::string_view part : bytes)
    for (const char *at = part.data(), *const end = at + part.size(); at != end;)
      entries_.push_back(read_entry(at, end));
  const auto place = [](const Entry& entry) { return std::tie(entry.group, entry.side, entry.number); };
  std::ranges::sort(entries_, {}, place);
  const auto are_same = [&](const Entry& a, const Entry& b) { return place(a) == place(b); };
  entries_.erase(std::unique(entries_.begin(), entries_.end(), are_same), entries_.end());
  for (std::size_t i = 1; i < entries_.size(); ++i)
    if (entries_[i].group != entries_[i - 1].group) begin_.push_back(i);
  if (!entries_.empty()) begin_.push_back(entries_.size());
}

RecordGroups::Entry RecordGroups::read_entry(const char*& at, const char* end) const {
  Entry entry{.group = get_text(at, end), .side = 0, .number = 0, .cells = {}};
  entry.side = static_cast<std::uint32_t>(get(at, end));
  entry.number = static_cast<std::uint32_t>(get(at, end));
  const char* const cells = at;
  for (std::size_t column = 0; column < columns_.size(); ++column)
    if (get_text(at, end).size() > io::TextColumn::kMaxCellBytes) refuse();
  entry.cells = {cells, at};
  return entry;
}

std::uint32_t RecordGroups::add_record(const Entry& entry, RecordWindow& window) const {
  std::array<std::string_view, 64> few;
  std::vector<std::string_view> many(columns_.size() > few.size() ? columns_.size() : 0);
  const std::span<std::string_view> cells =
      many.empty() ? std::span(few).first(columns_.size()) : std::span<std::string_view>(many);
  const char *at = entry.cells.data(), *const end = at + entry.cells.size();
  for (std::string_view& cell : cells) cell = get_text(at, end);
  const auto row = static_cast<std::uint32_t>(window.numbers.size());
  window.records.add_row(cells, std::int64_t{row} + 1);
  window.numbers.push_back(entry.number);
  return row;
}

RecordWindow RecordGroups::window(std::span<const std::size_t> groups) const {
  RecordWindow found{.records = io::Table("the records of a stage", columns_, io::RowNumbers::kRows), .numbers = {}};
  for (const std::size_t group : groups) {
    found.names.push_back(name(group));
    found.groups.begin.push_back(found.groups.begin.back() + rows(group));
  }
  found.groups.rows.resize(found.groups.begin.back());
  tsl::robin_map<std::uint32_t, std::uint32_t> row_of;  // by number: a record of several groups is one row
  const auto add_side = [&](bool is_second) {
    for (std::size_t g = 0; g < groups.size(); ++g)
      for (std::size_t i = 0; i < rows(groups[g]); ++i) {
        const Entry& entry = entries_[begin_[groups[g]] + i];
        if ((entry.side > 0) != is_second) continue;
        const auto [place, is_new] = row_of.try_emplace(entry.number, 0);
        if (is_new) place.value() = add_record(entry, found);
        found.groups.rows[found.groups.begin[g] + i] = place->second;
      }
  };
  add_side(false);
  found.first_side = static_cast<std::uint32_t>(found.numbers.size());
  add_side(true);
  for (std::size_t g = 0; g < groups.size(); ++g)
    std::sort(found.groups.rows.begin() + static_cast<std::ptrdiff_t>(found.groups.begin[g]),
              found.groups.rows.begin() + static_cast<std::ptrdiff_t>(found.groups.begin[g + 1]));
  return found;
}

}  // namespace fovea::linkage
