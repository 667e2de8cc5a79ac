// SPDX-License-Identifier: Apache-2.0
#include "fovea/io/table/read_table.h"

#include <gmock/gmock.h>

#include "fovea/io/table/table_writer.h"
#include "tests/support/data.h"
#include "tests/support/expect_error.h"
#include "tests/support/temporary_folder.h"

namespace fovea::io {
namespace {

class ReadTableTest : public ::testing::Test {
 protected:
  Table read_text(const char* name, std::string_view bytes, const TableReadOptions& options = {}) {
    testing::write_file(folder_ / name, bytes);
    return read_table(folder_ / name, options);
  }
  testing::TemporaryFolder folder_;
};

TEST_F(ReadTableTest, TheNameTellsTheFormat) {
  EXPECT_THAT(read_text("t.csv", "a;b\n1;2\n").columns(), ElementsAre("a", "b"));
  EXPECT_THAT(read_text("t.tsv", "a,b\n1\n").columns(), ElementsAre("a,b"));
  EXPECT_THAT(read_text("t.jsonl", "{\"a\":1}").columns(), ElementsAre("a"));
}

TEST_F(ReadTableTest, OtherwiseTheContentDoes) {
  EXPECT_THAT(read_text("t", "a,b\n").columns(), ElementsAre("a", "b"));
  EXPECT_THAT(read_text("t", "{\"a\":1}\n").columns(), ElementsAre("a"));
  const auto writer = make_table_writer(folder_ / "u", {"x"}, {.format = TableFormat::kSqlite, .table = "t"});
  writer->finish();
  EXPECT_THAT(read_table(folder_ / "u").columns(), ElementsAre("x"));
}

TEST_F(ReadTableTest, OptionsOverrideBoth) {
  EXPECT_THAT(read_text("t.csv", "{\"a\":1}", {.format = TableFormat::kJsonLines}).columns(), ElementsAre("a"));
  EXPECT_THAT(read_text("t.csv", "a,x|b\n", {.delimiter = Delimiter::kBar}).columns(), ElementsAre("a,x", "b"));
  EXPECT_EQ(read_text("t.csv", "a\nJ\xF6rg\n", {.encoding = "latin1"}).cell(0, 0), "Jörg");
  EXPECT_TRUE(read_text("t.csv", "a\nNA\n", {.missing = {"NA"}}).is_missing(0, 0));
}

TEST_F(ReadTableTest, TheFirstLineIsARowWithoutAHeader) {
  for (const int threads : {1, 2}) {
    testing::write_file(folder_ / "t.csv", "7,\"a\nb\"\n8,c\n");
    const Table table = read_table(folder_ / "t.csv", {.no_header = true}, threads);
    EXPECT_THAT(table.columns(), ElementsAre("x1", "x2"));
    ASSERT_EQ(table.row_count(), 2u);
    EXPECT_EQ(table.cell(0, 0), "7");
    EXPECT_EQ(table.cell(0, 1), "a\nb");
    EXPECT_EQ(table.cell(1, 1), "c");
    EXPECT_EQ(table.location(1).line, 3u);
  }
  EXPECT_THAT(testing::message_of<InputError>([&] { read_text("t.csv", "1,2\n3\n", {.no_header = true}); }),
              HasSubstr("t.csv:2: 1 cells, but the first row has 2"));
  EXPECT_THAT(testing::message_of<UsageError>([&] { read_text("t.jsonl", "{\"a\":1}", {.no_header = true}); }),
              HasSubstr("option 'no-header'"));
}

TEST_F(ReadTableTest, WhatIsWrittenIsReadBackInEveryFormat) {
  for (const char* name : {"t.csv", "t.csv.gz", "t.tsv.zst", "t.jsonl.xz", "t.db"}) {
    const std::string path = folder_ / name;
    const auto writer = make_table_writer(path, {"id", "name"}, {.table = "t"});
    writer->add_row(std::vector<std::string_view>{"1", "Ann, \"A\""});
    writer->add_row(std::vector<std::string_view>{"2", ""});
    writer->finish();
    const Table table = read_table(path);
    EXPECT_THAT(table.columns(), ElementsAre("id", "name")) << name;
    ASSERT_EQ(table.row_count(), 2u) << name;
    EXPECT_EQ(table.cell(0, 1), "Ann, \"A\"") << name;
    EXPECT_TRUE(table.is_missing(1, 1)) << name;
  }
}

TEST_F(ReadTableTest, WritersRefuseWhatCannotBe) {
  const auto error_of = [&](const std::string& path, const TableWriteOptions& options) {
    return message_of<UsageError>([&] { make_table_writer(path, {"a"}, options); });
  };
  EXPECT_THAT(error_of(folder_ / "t.xml", {}), HasSubstr("does not tell the format of a table"));
  EXPECT_THAT(error_of("-", {.format = TableFormat::kSqlite, .table = "t"}), HasSubstr("a database is a file"));
  EXPECT_THAT(error_of(folder_ / "t.db", {}), HasSubstr("option 'output-table'"));
  EXPECT_THAT(message_of<InputError>([&] {
                make_table_writer(folder_ / "t.csv", {"a", "a"});
              }),
              HasSubstr("two columns are called 'a'"));
  EXPECT_EQ(folder_.file_count(), 0u);
}

TEST_F(ReadTableTest, WideTextIsKnownByItsMark) {
  using namespace std::string_view_literals;
  const std::string path = folder_ / "t.csv";
  testing::write_file(path, std::string("\xFF\xFE"
                                        "a\0\n\0\xE9\0\n\0"sv));
  EXPECT_EQ(read_table(path).cell(0, 0), "é");
  EXPECT_EQ(read_table(path, {.encoding = "utf-16"}).cell(0, 0), "é");
  EXPECT_THAT(message_of<InputError>([&] { read_table(path, {.encoding = "latin1"}); }), HasSubstr("text in UTF-16"));
  testing::write_file(path, std::string("\xFF\xFE"
                                        "a\0\n\0\0\xD8"sv));
  EXPECT_THAT(message_of<InputError>([&] { read_table(path); }), HasSubstr("bytes that are not UTF-16"));
}

struct DataSet {
  const char* name;
  std::size_t rows, columns;
  TableReadOptions options = {};
};

TEST(ReadTableDataTest, ReadsPublicDataSets) {
  FOVEA_DATA_OR_SKIP(path, "entity_resolution/febrl_3.csv.gz");
  const std::string folder = path.substr(0, path.rfind('/') + 1);
  const DataSet sets[] = {{"febrl_3.csv.gz", 5000, 11},   {"RLdata10000.csv.gz", 10000, 9, {.missing = {"NA"}}},
                          {"coraLarge.csv.gz", 1879, 14}, {"DBLP2.csv.gz", 2616, 5, {.encoding = "latin1"}},
                          {"ACM.csv.gz", 2294, 5},        {"beard72k.tsv.gz", 72096, 4},
                          {"acl187k.tsv.gz", 187066, 11}};
  for (const DataSet& set : sets) {
    const Table table = read_table(folder + set.name, set.options);
    EXPECT_EQ(table.row_count(), set.rows) << set.name;
    EXPECT_EQ(table.column_count(), set.columns) << set.name;
  }
  const Table febrl = read_table(path);
  EXPECT_EQ(febrl.cell(0, febrl.column("given_name")), "mitchell");
  EXPECT_THAT(message_of<InputError>([&] { read_table(folder + "DBLP2.csv.gz"); }), HasSubstr("is not UTF-8"));
}

/// Everything that a table holds, or the error of reading it.
std::string contents(const std::string& path, int threads) {
  std::string text;
  try {
    const Table table = read_table(path, {}, threads);
    for (const std::string& name : table.columns()) text += name + ";";
    for (std::size_t row = 0; row < table.row_count(); ++row) {
      text += std::to_string(table.number(row)) + ":";
      for (std::size_t c = 0; c < table.column_count(); ++c)
        text.append(table.cell(row, c)).append("/").append(table.json(row, c)).append(";");
    }
  } catch (const InputError& error) {
    text = error.what();
  }
  return text;
}

TEST_F(ReadTableTest, SeveralThreadsReadWhatOneReads) {
  const std::string rest = "," + std::string(70, 'x') + "\n", quoted = ",\"" + std::string(60, 'y') + "\n\n\"\"z\"\n";
  const std::string split = ",\"" + std::string(300'000, 'q') + "\n" + std::string(300'000, 'r') + "\"\n";
  for (const char* defect : {"", "1,2,3\n", "1,\"open\n", "a\0,b\n", "\xFF,b\n", "1,\"a\"b\n"}) {
    std::string csv = "\xEF\xBB\xBFid,text\n", lines;
    for (int row = 0; row < 12'000; ++row) {
      csv += std::to_string(row) + (row % 5 == 3 ? quoted : row == 7'000 ? split : rest);
      if (row % 1000 == 1) csv += "\r\n";
      lines += "{\"id\":" + std::to_string(row) + ",\"" + (row > 9'000 ? "late" : "text") + "\":\"" +
               std::string(60, 'x') + "\",\"n\":1.50}\n";
      if (row == 11'000) csv += *defect == 'a' ? std::string("a\0,b\n", 6) : std::string(defect);
    }
    testing::write_file(folder_ / "t.csv", csv);
    const std::string alone = contents(folder_ / "t.csv", 1);
    EXPECT_EQ(alone.find("t.csv:") != alone.npos, *defect != '\0') << defect;
    for (int threads : {2, 7}) EXPECT_TRUE(contents(folder_ / "t.csv", threads) == alone) << threads << " " << defect;
    testing::write_file(folder_ / "t.jsonl", lines + (*defect ? "{\"id\":}\n" : ""));
    EXPECT_TRUE(contents(folder_ / "t.jsonl", 7) == contents(folder_ / "t.jsonl", 1));
  }
}

}  // namespace
}  // namespace fovea::io
