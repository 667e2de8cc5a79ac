// SPDX-License-Identifier: Apache-2.0
#include "fovea/io/table/unique_ids.h"

#include <gtest/gtest.h>

#include "tests/support/expect_error.h"

namespace fovea::io {
namespace {

Table table_of(const std::vector<std::string>& ids, RowNumbers numbers = RowNumbers::kLines) {
  Table table("t", {"id"}, numbers);
  for (std::size_t row = 0; row < ids.size(); ++row)
    table.add_row(std::vector<std::string_view>{ids[row]}, static_cast<std::int64_t>(row + 2));
  return table;
}

TEST(UniqueIdsTest, FindsRowsByTheirIds) {
  std::vector<std::string> names;
  for (int row = 0; row < 1000; ++row) names.push_back("id" + std::to_string(row * 7));
  const Table table = table_of(names);
  const IdIndex ids = unique_ids(table, 0);
  for (std::size_t row = 0; row < names.size(); ++row) EXPECT_EQ(ids.find(names[row]), row);
  EXPECT_EQ(ids.find("id1"), std::nullopt);
  EXPECT_EQ(ids.find(""), std::nullopt);
  EXPECT_EQ(unique_ids(table_of({}), 0).find("x"), std::nullopt);
}

TEST(UniqueIdsTest, RefusesMissingAndRepeatedIds) {
  EXPECT_EQ(message_of<InputError>([] {
              unique_ids(table_of({"a", ""}), 0);
            }),
            "t:3: no id in the column 'id'. Give every row an id, or name another column");
  EXPECT_EQ(message_of<InputError>([] {
              unique_ids(table_of({"a", "b", "a"}), 0);
            }),
            "t:4: the id 'a' is also that of line 2. Give every row its own id");
  EXPECT_EQ(message_of<InputError>([] {
              unique_ids(table_of({"b", "b"}, RowNumbers::kRowids), 0);
            }),
            "t, rowid 3: the id 'b' is also that of 't, rowid 2'. Give every row its own id");
}

}  // namespace
}  // namespace fovea::io
