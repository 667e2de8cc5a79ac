// SPDX-License-Identifier: Apache-2.0
#include "fovea/ep/regression/logistic_table.h"

#include <gmock/gmock.h>

#include <array>
#include <string>

#include "tests/support/expect_error.h"

namespace fovea::ep {
namespace {

using ::testing::AllOf;
using ::testing::StartsWith;

/// 5,000 rows of x, the row's number, and y, 0 or 1, except for what is given: (row, y).
io::Table table_with(const std::vector<std::pair<std::size_t, std::string>>& others) {
  io::Table table("t.csv", {"x", "y"});
  for (std::size_t row = 0; row < 5000; ++row) {
    std::string y = row % 3 == 0 ? "1" : "0";
    for (const auto& [other, label] : others)
      if (other == row) y = label;
    const std::string x = std::to_string(row);
    table.add_row(std::array<std::string_view, 2>{x, y}, static_cast<std::int64_t>(row + 2));
  }
  return table;
}

TEST(LogisticTableTest, SeveralThreadsReadWhatOneReads) {
  const io::Table table = table_with({{7, ""}, {4100, ""}});
  for (int threads : {1, 7}) {
    const LogisticColumns columns = logistic_columns(table, "y", {}, threads);
    EXPECT_EQ(columns.positive, "1");
    const LogisticRows rows = logistic_rows(table, columns, threads);
    EXPECT_EQ(rows.left_out, 2u);
    ASSERT_EQ(rows.data.rows(), 4998u);
    EXPECT_EQ(rows.data.row(7)[1], 8);
    for (std::size_t i = 0; i < rows.data.rows(); ++i)
      ASSERT_EQ(rows.data.labels[i], static_cast<std::size_t>(rows.data.row(i)[1]) % 3 == 0) << i;
  }
}

TEST(LogisticTableTest, TheFirstCellThatIsNoLabelIsRefused) {
  const auto refusal = [](const std::vector<std::pair<std::size_t, std::string>>& others, int threads) {
    return message_of<InputError>([&] { logistic_columns(table_with(others), "y", {}, threads); });
  };
  for (int threads : {1, 7}) {
    EXPECT_THAT(refusal({{4000, "maybe"}, {4500, "x"}}, threads),
                AllOf(StartsWith("t.csv:4002:"), HasSubstr("'maybe' in column 'y' is not a label")));
    EXPECT_THAT(refusal({{2000, "2"}, {2500, "7"}}, threads), AllOf(StartsWith("t.csv:2002:"), HasSubstr("'2' in")))
        << "2 beside 0";
  }
}

TEST(LogisticTableTest, WordsAreLabels) {
  std::vector<std::pair<std::size_t, std::string>> words;
  for (std::size_t row = 0; row < 5000; ++row) words.emplace_back(row, row % 2 == 0 ? "Yes" : "no");
  for (int threads : {1, 7}) EXPECT_EQ(logistic_columns(table_with(words), "y", {}, threads).positive, "Yes");
}

}  // namespace
}  // namespace fovea::ep
