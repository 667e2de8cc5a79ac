// SPDX-License-Identifier: Apache-2.0
#include "fovea/linkage/comparison/row_context.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>

#include "fovea/base/error.h"
#include "tests/support/expect_error.h"

namespace fovea::linkage {
namespace {

using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::message_of;

io::Table table_of(const std::vector<std::array<std::string_view, 2>>& rows) {
  io::Table table("t.csv", {"key", "value"});
  std::int64_t line = 1;
  for (const auto& row : rows) table.add_row(row, ++line);
  return table;
}

std::vector<std::string> ranges(std::string_view text, const io::Table& table) {
  std::vector<std::string> names;
  for (const std::uint8_t context : row_contexts(text, table)) names.emplace_back(context_ranges()[context]);
  return names;
}

TEST(RowContextTest, CountsTheRowsOfAKey) {
  const io::Table table = table_of({{"a", "x"}, {"b", "x"}, {"A", "y"}, {"", "x"}});
  EXPECT_THAT(ranges("size(key)", table), ElementsAre("2 to 4", "1", "2 to 4", "1"));
  EXPECT_THAT(ranges(" size ( key+value ) ", table), Each("1"));
}

TEST(RowContextTest, CountsDistinctValues) {
  const io::Table table = table_of({{"a", "x"}, {"a", "xy"}, {"a", ""}, {"b", "x"}, {"b", "x"}, {"c", "x"}});
  EXPECT_THAT(ranges("distinct(value, key)", table), ElementsAre("2 to 4", "2 to 4", "2 to 4", "1", "1", "1"));
  EXPECT_THAT(ranges("distinct(initial(value), key)", table), Each("1"));
}

TEST(RowContextTest, VarietyIsTheExponentialOfTheEntropy) {
  std::vector<std::array<std::string_view, 2>> rows(4, {"a", "x"});
  EXPECT_THAT(ranges("variety(value, key)", table_of(rows)), Each("1"));
  rows[0][1] = rows[1][1] = "y";
  EXPECT_THAT(ranges("variety(value, key)", table_of(rows)), Each("2 to 4"));  // two halves
  rows[0][1] = "x";
  EXPECT_THAT(ranges("variety(value, key)", table_of(rows)), Each("below 2"));  // a quarter: 1.75
}

TEST(RowContextTest, RefusesWhatIsNoContext) {
  const io::Table table = table_of({});
  for (const char* text : {"", "size", "size()x", "size(key, value)", "distinct(key)", "entropy(value, key)"})
    EXPECT_THAT(message_of<UsageError>([&] { row_contexts(text, table); }), HasSubstr("size(key)")) << text;
  EXPECT_THAT(message_of<InputError>([&] { row_contexts("size(kye)", table); }), HasSubstr("Did you mean 'key'?"));
}

}  // namespace
}  // namespace fovea::linkage
