// SPDX-License-Identifier: Apache-2.0
#include "fovea/io/table/json_lines_reader.h"

#include <gmock/gmock.h>

#include "tests/support/expect_error.h"

namespace fovea::io {
namespace {

Table read_json_lines(std::string_view text, const std::string& encoding = "utf-8") {
  return read_json_lines(LineReader(ByteSource::from_memory(text, "t.jsonl")), encoding, {"NA"});
}

std::vector<std::string> row(const Table& table, std::size_t row) {
  std::vector<std::string> cells;
  for (std::size_t c = 0; c < table.column_count(); ++c) cells.emplace_back(table.cell(row, c));
  return cells;
}

std::string line_error(std::string_view text) {
  return message_of<InputError>([&] { read_json_lines(text); });
}

TEST(JsonLinesReaderTest, ColumnsAreAllKeysInOrderOfAppearance) {
  const Table table = read_json_lines(
      "{\"id\":1,\"name\":\"Ann\"}\n\n{\"city\":\"Oslo\",\"id\":2}\r\n{}\n{\"name\":\"\",\"city\":\"NA\"}");
  EXPECT_THAT(table.columns(), ElementsAre("id", "name", "city"));
  ASSERT_EQ(table.row_count(), 4u);
  EXPECT_THAT(row(table, 0), ElementsAre("1", "Ann", ""));
  EXPECT_THAT(row(table, 1), ElementsAre("2", "", "Oslo"));
  EXPECT_THAT(row(table, 2), ElementsAre("", "", ""));
  EXPECT_THAT(row(table, 3), ElementsAre("", "", ""));
  EXPECT_EQ(table.location(1).line, 3u);
}

TEST(JsonLinesReaderTest, ScalarsBecomeText) {
  const Table table = read_json_lines(
      R"({"a":-7,"b":18446744073709551615,"c":1.50,"d":1e3,"e":true,"f":false,"g":null,"h":"\u00e9\n"})");
  EXPECT_THAT(row(table, 0), ElementsAre("-7", "18446744073709551615", "1.50", "1e3", "true", "false", "", "é\n"));
}

TEST(JsonLinesReaderTest, ArraysBecomeOneCell) {
  const Table table = read_json_lines(R"({"a":["x",2,true,null,"","y"],"b":[],"c":[null]})");
  EXPECT_THAT(row(table, 0), ElementsAre("x|2|true|y", "", ""));
}

TEST(JsonLinesReaderTest, WhatWasNoTextIsKept) {
  const Table table = read_json_lines(
      "{\"a\":\"x\",\"b\":null}\n"
      R"({"b":1.50,"c":["x",2,true,null,"","y"],"d":[],"e":"","f":false,"g":"1","h":[""]})"
      "\n{\"c\":[1],\"f\":\"NA\"}");
  const auto json = [&](std::size_t row) {
    std::vector<std::string_view> texts;
    for (std::size_t c = 0; c < table.column_count(); ++c) texts.push_back(table.json(row, c));
    return texts;
  };
  EXPECT_THAT(json(0), ElementsAre("", "", "", "", "", "", "", ""));
  EXPECT_THAT(json(1), ElementsAre("", "1.50", R"(["x",2,true,null,"","y"])", "[]", R"("")", "false", "", R"([""])"));
  EXPECT_THAT(json(2), ElementsAre("", "", "[1]", "", "", "", "", ""));
}

TEST(JsonLinesReaderTest, ObjectsAreKeptAsTheyAre) {
  const char* values[] = {R"({"b":1.50,"c":[null,"x|y",{}],"d":{"e":[]}})", R"([["x","y"],2,{"a":null}])", R"([{}])",
                          R"({})", R"({"a":""})"};
  for (const char* value : values) {
    const Table table = read_json_lines(fmt::format(R"({{"z": 1, "a": {}, "b": ["x", "y"], "c": 7}})", value));
    EXPECT_EQ(table.cell(0, 1), value);
    EXPECT_EQ(table.json(0, 1), value);
    EXPECT_EQ(table.cell(0, 2), "x|y") << "what follows";
    EXPECT_EQ(table.json(0, 2), R"(["x","y"])");
    EXPECT_EQ(table.cell(0, 3), "7");
  }
  const std::string deep = std::string(5000, '[') + std::string(5000, ']');
  EXPECT_EQ(read_json_lines("{\"a\":" + deep + "}").cell(0, 0), deep);
  EXPECT_THAT(line_error(R"({"a":{"b":"\u0000"}})"), HasSubstr("a NUL character"));
}

TEST(JsonLinesReaderTest, OtherEncodingsAreDecoded) {
  EXPECT_EQ(read_json_lines("{\"n\":\"J\xF6rg\"}", "latin1").cell(0, 0), "Jörg");
  EXPECT_EQ(read_json_lines("\xEF\xBB\xBF{\"n\":1}").cell(0, 0), "1") << "a byte order mark";
}

TEST(JsonLinesReaderTest, RefusesWhatIsNoObject) {
  EXPECT_EQ(line_error("{\"a\":1}\n[1]\n"),
            "t.jsonl:2: an array where an object is expected. Write one object a line; 'jq -c .[]' makes lines of an "
            "array, 'jq -c .' of objects that span lines");
  EXPECT_THAT(line_error("7"), HasSubstr("t.jsonl:1: '7' where an object is expected"));
  EXPECT_THAT(line_error("null"), HasSubstr("'null' where an object is expected"));
  EXPECT_THAT(line_error("{\"a\":1}\n{\"a\"\n:2}\n"),
              AllOf(StartsWith("t.jsonl:2: byte 5 is not valid JSON"), HasSubstr("jq")));
  EXPECT_THAT(line_error("{\"a\":1} {\"a\":2}"), HasSubstr("t.jsonl:1: byte 9 is not valid JSON"));
  EXPECT_THAT(line_error("{\"a\":1,}"), HasSubstr("byte 8"));
  EXPECT_THAT(line_error(""), HasSubstr("t.jsonl: no object with a key"));
  EXPECT_THAT(line_error("{}\n"), HasSubstr("no object with a key"));
}

TEST(JsonLinesReaderTest, RefusesValuesThatAreNoCells) {
  EXPECT_THAT(line_error(R"({"a":["x|y"]})"), HasSubstr("the element 'x|y' holds '|', which separates elements"));
  EXPECT_THAT(line_error(R"({"a":1,"a":2})"), HasSubstr("the key 'a' comes twice"));
  EXPECT_THAT(line_error(R"({"a":"\u0000"})"), HasSubstr("a NUL character"));
  EXPECT_THAT(line_error("{\"\\u0000\":1}"), HasSubstr("a NUL character"));
  EXPECT_THAT(line_error("{\"a\":\"\xFF\"}"), HasSubstr("t.jsonl:1: byte 7 (0xFF) is not UTF-8"));
  EXPECT_EQ(read_json_lines(R"({"a":"x|y"})").cell(0, 0), "x|y") << "in a string it separates elements";
}

TEST(JsonLinesReaderTest, RefusesKeysThatAreValues) {
  std::string text = "{\"0\":1";
  for (std::size_t i = 1; i <= Table::kMaxColumns; ++i) text += ",\"" + std::to_string(i) + "\":1";
  EXPECT_THAT(line_error(text + "}"), HasSubstr("4097 columns, but a table has at most 4096"));
}

}  // namespace
}  // namespace fovea::io
