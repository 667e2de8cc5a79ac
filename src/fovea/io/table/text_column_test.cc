// SPDX-License-Identifier: Apache-2.0
#include "fovea/io/table/text_column.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace fovea::io {
namespace {

RC_GTEST_PROP(TextColumnTest, KeepsWhatIsAppended, (std::vector<std::string> cells)) {
  const std::size_t repeats = *rc::gen::inRange<std::size_t>(1, 100);  // several blocks
  TextColumn column;
  for (std::size_t i = 0; i < repeats; ++i)
    for (const std::string& cell : cells) column.append(cell);
  RC_ASSERT(column.size() == repeats * cells.size());
  for (std::size_t row = 0; row < column.size(); ++row) RC_ASSERT(column[row] == cells[row % cells.size()]);
}

TEST(TextColumnTest, TakesFourBytesACellBesideTheText) {
  constexpr std::size_t kRows = 100'000;
  TextColumn column;
  for (std::size_t row = 0; row < kRows; ++row) column.append("eight by");
  EXPECT_LT(column.memory_in_bytes(), kRows * 13);
  EXPECT_GT(column.memory_in_bytes(), kRows * 12);
}

}  // namespace
}  // namespace fovea::io
