// SPDX-License-Identifier: Apache-2.0
// Our own reader reads what is exported; the Python package compares with Arrow's library. The address sanitizer sees
// what is not released.
#include "fovea/io/table/arrow_table.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "fovea/base/error.h"
#include "fovea/io/table/arrow_stream.h"
#include "tests/support/expect_error.h"

namespace fovea::io {
namespace {

ArrowBits bits(std::initializer_list<bool> truths) {
  ArrowBits made;
  for (const bool truth : truths) made.append(truth);
  return made;
}

ArrowTexts texts(std::initializer_list<std::string_view> cells) {
  ArrowTexts made;
  for (const std::string_view cell : cells) made.append(cell);
  return made;
}

std::shared_ptr<const ArrowTable> four_columns() {
  return std::make_shared<const ArrowTable>(
      "result", std::vector<ArrowColumn>{{"row", std::vector<std::int64_t>{-1, 2, std::int64_t{1} << 62}, {}},
                                         {"share", std::vector<double>{.5, 0, 1e300}, bits({true, false, true})},
                                         {"sure", bits({true, false, true}), bits({false, true, true})},
                                         {"id", texts({"Zo\xC3\xAB", "", "b"}), bits({true, false, true})}});
}

TEST(ArrowTable, IsReadBack) {
  ArrowArrayStream stream;
  export_arrow_stream(four_columns(), &stream);
  const Table read = read_arrow_stream(&stream, "result");
  EXPECT_EQ(stream.release, nullptr);
  EXPECT_EQ(read.columns(), (std::vector<std::string>{"row", "share", "sure", "id"}));
  const std::vector<std::vector<std::string>> expected = {
      {"-1", "0.5", "", "Zo\xC3\xAB"}, {"2", "", "false", ""}, {"4611686018427387904", "1e+300", "true", "b"}};
  ASSERT_EQ(read.row_count(), expected.size());
  for (std::size_t row = 0; row < expected.size(); ++row)
    for (std::size_t c = 0; c < 4; ++c) EXPECT_EQ(read.cell(row, c), expected[row][c]) << row << ' ' << c;
}

TEST(ArrowTable, AConsumerMayKeepOneChildAndLetTheRestGo) {
  ArrowArrayStream stream;
  export_arrow_stream(four_columns(), &stream);
  ArrowSchema schema, kept_schema;
  ArrowArray batch, kept;
  ASSERT_EQ(stream.get_schema(&stream, &schema), 0);
  ASSERT_EQ(stream.get_next(&stream, &batch), 0);
  stream.release(&stream);
  kept_schema = *schema.children[3];
  kept = *batch.children[3];
  schema.children[3]->release = nullptr;
  batch.children[3]->release = nullptr;
  schema.release(&schema);
  batch.release(&batch);
  EXPECT_EQ(schema.release, nullptr);
  EXPECT_EQ(batch.release, nullptr);
  EXPECT_STREQ(kept_schema.name, "id");
  EXPECT_EQ(arrow_cells(kept_schema, &kept)->text(0), "Zo\xC3\xAB");
  kept_schema.release(&kept_schema);
  kept.release(&kept);
}

TEST(ArrowTable, ManyExportsLeaveNothing) {
  const auto table = four_columns();
  for (int i = 0; i < 10'000; ++i) {
    ArrowArrayStream stream;
    export_arrow_stream(table, &stream);
    if (i % 3 == 0) read_arrow_stream(&stream, "result");
    else stream.release(&stream);
  }
  EXPECT_EQ(table.use_count(), 1);
}

TEST(ArrowTable, MayBeEmpty) {
  for (const auto& table :
       {ArrowTable("result", {}), ArrowTable("result", {{"a", texts({}), {}}, {"b", bits({}), {}}})}) {
    ArrowArrayStream stream;
    export_arrow_stream(std::make_shared<const ArrowTable>(table), &stream);
    const Table read = read_arrow_stream(&stream, "result");
    EXPECT_EQ(read.row_count(), 0u);
    EXPECT_EQ(read.column_count(), table.columns().size());
  }
}

TEST(ArrowTable, RefusesColumnsThatDoNotGoTogether) {
  const auto refusal = [](std::vector<ArrowColumn> columns) {
    return testing::message_of<InputError>([&] { ArrowTable("result", std::move(columns)); });
  };
  EXPECT_THAT(refusal({{"a", texts({"x"}), {}}, {"b", texts({}), {}}}), HasSubstr("column 'b' has 0 cells"));
  EXPECT_THAT(refusal({{"a", texts({"x"}), {}}, {"a", texts({"y"}), {}}}), HasSubstr("two columns are called 'a'"));
}

}  // namespace
}  // namespace fovea::io
