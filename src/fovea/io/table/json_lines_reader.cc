// SPDX-License-Identifier: Apache-2.0
#include "fovea/io/table/json_lines_reader.h"

#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string_view>
#include <utility>

#include "fovea/base/error.h"
#include "fovea/base/pipeline.h"
#include "fovea/io/table/text_encoding.h"

namespace fovea::io {
namespace {

constexpr const char* kOneObjectALine =
    "Write one object a line; 'jq -c .[]' makes lines of an array, 'jq -c .' of objects that span lines";
/// Receives the events of nlohmann's parser, line by line, and adds a row to the table for each line.
class RowBuilder {
 public:
  RowBuilder(const LineReader& lines, Table& table) : lines_(lines), table_(table) {}

  void begin_row() {
    depth_ = kOutside;
    column_ = kBeforeFirst;
    is_set_.assign(table_.column_count(), false);
    for (std::string& cell : cells_) cell.clear();
    for (std::string& json : json_) json.clear();
  }

  void end_row() {
    views_.assign(cells_.begin(), cells_.end());
    json_views_.assign(json_.begin(), json_.end());
    table_.add_row(views_, static_cast<std::int64_t>(lines_.line_number()), json_views_);
  }

  bool null() {
    if (depth_ != kInObject) return take("", "null");
    return true;
  }
  bool boolean(bool value) { return take_literal(value ? "true" : "false"); }
  bool number_integer(std::int64_t value) { return take_literal(fmt::format("{}", value)); }
  bool number_unsigned(std::uint64_t value) { return take_literal(fmt::format("{}", value)); }
  bool number_float(double, const std::string& spelling) { return take_literal(spelling); }
  bool string(const std::string& value) {
    if (depth_ == kInObject) return take(value, value.empty() ? "\"\"" : "");
    return take(value, nlohmann::json(value).dump());
  }
  bool binary(const std::vector<std::uint8_t>&) { return false; }  // not in text

  bool start_object(std::size_t) {
    if (depth_ != kOutside) begin_nested("{", true);
    ++depth_;
    return true;
  }
  bool end_object() {
    end_nested("}");
    return true;
  }

  bool key(const std::string& name) {
    check_nul(name);
    if (depth_ > kInObject) {
      add_json(nlohmann::json(name).dump());
      json_[column_] += ':';
      return true;
    }
    column_ = find_column(name);
    if (is_set_[column_]) refuse(fmt::format("the key '{}' comes twice", name), "Give every key its own name");
    is_set_[column_] = true;
    return true;
  }

  bool start_array(std::size_t) {
    if (depth_ == kOutside) refuse("an array where an object is expected", kOneObjectALine);
    begin_nested("[", false);
    ++depth_;
    return true;
  }
  bool end_array() {
    end_nested("]");
    return true;
  }

  bool parse_error(std::size_t position, const std::string&, const nlohmann::json::exception&) {
    refuse(fmt::format("byte {} is not valid JSON", position), kOneObjectALine);
  }

 private:
  static constexpr std::size_t kOutside = 0, kInObject = 1, kInArray = 2;  // beyond that, values are kept as they are
  static constexpr std::size_t kBeforeFirst = -1;

  /// The number of the column `name`, which is added if it is new. Keys usually come in the same order, so the column
  /// after the last one is tried first.
  std::size_t find_column(const std::string& name) {
    const std::size_t guess = column_ + 1 < table_.column_count() ? column_ + 1 : 0;
    if (guess < table_.column_count() && table_.columns()[guess] == name) return guess;
    if (const auto found = table_.find_column(name)) return *found;
    cells_.emplace_back();
    json_.emplace_back();
    is_set_.push_back(false);
    return table_.add_column(name);
  }

  bool take_literal(std::string_view value) { return take(value, value); }

  /// Stores a value. `json`: the value as written in the file; "" for a text.
  bool take(std::string_view value, std::string_view json) {
    if (depth_ == kOutside)
      refuse(fmt::format("'{}' where an object is expected", json.substr(0, 40)), kOneObjectALine);
    check_nul(value);
    if (depth_ > kInObject) add_json(json);
    else json_[column_] = json;
    if (value.empty() || is_kept_) return true;
    std::string& cell = cells_[column_];
    if (depth_ == kInArray) {
      if (value.find(kElementSeparator) != value.npos)
        refuse(fmt::format("the element '{}' holds '{}', which separates elements", value, kElementSeparator),
               "Write another character there");
      if (!cell.empty()) cell += kElementSeparator;
    }
    cell += value;
    return true;
  }

  /// Begins an object or an array as a value or within one. Objects and arrays of arrays are kept as they are.
  void begin_nested(std::string_view sign, bool is_object) {
    if (depth_ == kInObject) is_kept_ = is_object;
    else is_kept_ = true;
    add_json(sign);
  }

  void end_nested(std::string_view sign) {
    --depth_;
    if (depth_ == kOutside) return;
    json_[column_] += sign;
    if (depth_ > kInObject || !is_kept_) return;
    cells_[column_] = json_[column_];
    is_kept_ = false;
  }

  /// Adds a value or the beginning of one to the JSON of the cell.
  void add_json(std::string_view json) {
    std::string& text = json_[column_];
    if (!text.empty() && std::string_view("[{:").find(text.back()) == std::string_view::npos) text += ',';
    text += json;
  }

  void check_nul(std::string_view text) const {
    if (text.find('\0') != text.npos) refuse("a NUL character (\\u0000)", "Text is expected; leave it out");
  }
  [[noreturn]] void refuse(std::string_view problem, std::string_view remedy) const {
    throw InputError(lines_.location(), problem, remedy);
  }

  const LineReader& lines_;
  Table& table_;
  std::size_t depth_ = kOutside;  // of objects and arrays
  bool is_kept_ = false;          // the cell will be its JSON
  std::size_t column_ = kBeforeFirst;
  std::vector<std::string> cells_;  // of the row, [column]
  std::vector<std::string> json_;   // likewise, as Table::json() has them
  std::vector<bool> is_set_;        // [column]
  std::vector<std::string_view> views_, json_views_;
};

/// Adds the rows of all lines.
void read_rows(LineReader lines, const std::string& encoding, Table& table) {
  LineDecoder decoder(encoding);
  RowBuilder builder(lines, table);
  while (lines.next()) {
    const std::string_view line = decoder.decode(lines);
    if (line.find_first_not_of(" \t") == line.npos) continue;
    builder.begin_row();
    nlohmann::json::sax_parse(line, &builder);
    builder.end_row();
  }
}

struct JsonPart {
  LineBlock block = {};
  std::optional<Table> rows = {};
};

}  // namespace

Table read_json_lines(LineReader lines, const std::string& encoding, const std::vector<std::string>& missing,
                      int threads) {
  const auto empty_table = [name = lines.name(), &missing] { return Table(name, {}, RowNumbers::kLines, missing); };
  Table table = empty_table();
  if (!is_shared(threads)) {
    read_rows(std::move(lines), encoding, table);
  } else {
    run_pipeline(
        threads, [] { return std::make_unique<JsonPart>(); },
        [&](JsonPart& part) { return lines.next_block(part.block); },
        [&](JsonPart& part) {
          part.rows = empty_table();
          read_rows(LineReader(std::move(part.block)), encoding, *part.rows);
        },
        [&](JsonPart& part) { table.append(*part.rows); });
  }
  if (table.column_count() == 0)
    throw InputError({.file = table.name()}, "no object with a key, but a table has at least one column",
                     kOneObjectALine);
  return table;
}

}  // namespace fovea::io
