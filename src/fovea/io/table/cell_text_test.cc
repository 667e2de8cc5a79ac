// SPDX-License-Identifier: Apache-2.0
#include "fovea/io/table/cell_text.h"

#include <gtest/gtest.h>

#include <string>

#include "fovea/io/table/table.h"

namespace fovea::io {
namespace {

TEST(CellText, FindsAFaultAtEveryPlace) {
  for (std::size_t size = 1; size < 40; ++size)
    for (std::size_t at = 0; at < size; ++at) {
      std::string text(size, '\x01');
      EXPECT_EQ(fault_of_cell(text), nullptr);
      text[at] = '\x7F';
      EXPECT_EQ(fault_of_cell(text), nullptr);
      text[at] = '\0';
      EXPECT_STREQ(fault_of_cell(text), "holds a NUL character") << size << ' ' << at;
      text[at] = '\x80';
      EXPECT_STREQ(fault_of_cell(text), "not UTF-8") << size << ' ' << at;
    }
}

TEST(CellText, TakesUtf8UpToTheLargestCell) {
  EXPECT_EQ(fault_of_cell(""), nullptr);
  EXPECT_EQ(fault_of_cell("Zo\xC3\xAB and Zo\xC3\xAB"), nullptr);
  EXPECT_STREQ(fault_of_cell("a surrogate \xED\xA0\x80"), "not UTF-8");
  EXPECT_EQ(fault_of_cell(std::string(TextColumn::kMaxCellBytes, 'a')), nullptr);
  EXPECT_STREQ(fault_of_cell(std::string(TextColumn::kMaxCellBytes + 1, 'a')), "longer than 4 MiB");
}

}  // namespace
}  // namespace fovea::io
