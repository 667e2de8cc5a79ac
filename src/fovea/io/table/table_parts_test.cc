// SPDX-License-Identifier: Apache-2.0
#include "fovea/io/table/table_parts.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "fovea/base/error.h"
#include "tests/support/expect_error.h"
#include "tests/support/temporary_folder.h"

namespace fovea::io {
namespace {

constexpr const char* kText = "id,name\n1,Ann\n2,\"Bo\nor Bob\"\n3,-\n\n4,Di\n5,\n";

TEST(TableParts, AreTheTableCutIntoRows) {
  const fovea::testing::TemporaryFolder folder;
  const std::string path = folder.write("people.csv", kText);
  const TableReadOptions options{.missing = {"-"}};
  const Table whole = read_table(path, options);
  for (const std::size_t rows : {1U, 2U, 3U, 5U, 9U}) {
    std::size_t row = 0;
    TableParts parts(path, options, rows);
    for (Table part("", {}); parts.next(part);) {
      EXPECT_EQ(part.columns(), whole.columns());
      EXPECT_LE(part.row_count(), rows);
      for (std::size_t r = 0; r < part.row_count(); ++r, ++row) {
        for (const std::size_t column : {0, 1}) EXPECT_EQ(part.cell(r, column), whole.cell(row, column));
        EXPECT_EQ(part.location(r).line, whole.location(row).line);
      }
    }
    EXPECT_EQ(row, whole.row_count());
  }
}

TEST(TableParts, AreOfFilesOfText) {
  const fovea::testing::TemporaryFolder folder;
  const auto refusal = [&](const std::string& path) {
    return message_of<UsageError>([&] { TableParts(path, {}, 10); });
  };
  EXPECT_THAT(refusal("-"), HasSubstr("give a file"));
  EXPECT_THAT(refusal(folder.write("a.jsonl", "{\"id\": 1}\n")), HasSubstr("only delimited text"));
  EXPECT_THAT(refusal(folder.write("a", "{\"id\": 1}\n")), HasSubstr("only delimited text"));
  TableParts parts(folder.write("b.csv", "id,name\n1,Ann\n2\n"), {}, 1);
  Table part("", {});
  EXPECT_TRUE(parts.next(part));
  EXPECT_THAT(message_of<InputError>([&] { parts.next(part); }), HasSubstr("b.csv:3"));
}

}  // namespace
}  // namespace fovea::io
