// SPDX-License-Identifier: Apache-2.0
#include "fovea/synthesis/rule/read_examples.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "fovea/io/table/delimited_reader.h"
#include "tests/support/expect_error.h"

namespace fovea::synthesis {
namespace {

io::Table table_of(std::string_view text) {
  return io::read_delimited(io::LineReader(io::ByteSource::from_memory(text, "t.csv")));
}

std::string error_of(std::string_view text, const RuleColumns& columns = {}) {
  return fovea::testing::message_of<InputError>([&] { read_rule_examples(table_of(text), columns, {}); });
}

TEST(ReadRuleExamples, TellsNumbersFromCategories) {
  const RuleExamples examples = read_rule_examples(table_of("n,c,both,y\n1e3,a,1,no\n?,b,x,yes\n-.5,,2,no\n"), {}, {});
  ASSERT_EQ(examples.table.columns.size(), 3u);
  const std::vector<RuleColumn>& columns = examples.table.columns;
  EXPECT_TRUE(columns[0].is_numeric);
  EXPECT_EQ(columns[0].numbers[0], 1000);
  EXPECT_TRUE(columns[0].is_missing(1));
  EXPECT_TRUE(columns[0].may_miss);
  EXPECT_THAT(columns[1].names, ::testing::ElementsAre("a", "b"));
  EXPECT_THAT(columns[1].categories, ::testing::ElementsAre(0, 1, -1));
  EXPECT_FALSE(columns[2].is_numeric);
  EXPECT_FALSE(columns[2].may_miss);
  EXPECT_THAT(examples.classes, ::testing::ElementsAre("no", "yes"));
  EXPECT_THAT(examples.class_of, ::testing::ElementsAre(0, 1, 0));
}

TEST(ReadRuleExamples, LeavesOutWhatItIsTold) {
  std::string text = "id,w,y,x\n";
  for (int i = 0; i < 70; ++i)
    text += "r" + std::to_string(i) + ",2," + (i % 2 ? "a," : "b,") + std::to_string(i) + "\n";
  std::vector<std::string> notes;
  const RuleExamples examples = read_rule_examples(table_of(text), {.target = "y", .weights = "w"},
                                                   [&](const std::string& note) { notes.push_back(note); });
  ASSERT_EQ(examples.table.columns.size(), 1u);
  EXPECT_EQ(examples.table.columns[0].name, "x");
  EXPECT_EQ(examples.weight(3), 2);
  EXPECT_THAT(notes, ::testing::ElementsAre(HasSubstr("'id' has more than 64 different texts")));
  EXPECT_THAT(error_of(text, {.target = "y", .ignored = {"x", "id", "w"}}), HasSubstr("no columns to learn from"));
}

TEST(ReadRuleExamples, NamesWhatIsWrong) {
  EXPECT_THAT(error_of("x,y\n1,a\n2,\n"), HasSubstr("t.csv:3: column 2: a row without a class"));
  EXPECT_THAT(error_of("x,y\n1,a\n2,a\n"), HasSubstr("has one class only, 'a'"));
  EXPECT_THAT(error_of("x,y\n"), HasSubstr("no rows"));
  EXPECT_THAT(error_of("x,w,y\n1,-1,a\n2,1,b\n", {.weights = "w"}),
              HasSubstr("t.csv:2: column 2: '-1' is not a weight"));
  EXPECT_THAT(error_of("x,w,y\n1,0,a\n2,0,b\n", {.weights = "w"}), HasSubstr("all weights are 0"));
  EXPECT_THAT(error_of("x,y\n1,a\n2,b\n", {.target = "z"}), HasSubstr("z"));
}

TEST(ReadRuleTable, TakesColumnsByName) {
  const RuleExamples examples = read_rule_examples(table_of("n,c,y\n1,a,no\n2,b,yes\n"), {}, {});
  const RuleTable other = read_rule_table(table_of("c,z,n\nb,7,NA\nq,7,3\n"), examples.table);
  EXPECT_TRUE(other.columns[0].is_missing(0));
  EXPECT_EQ(other.columns[0].numbers[1], 3);
  EXPECT_THAT(other.columns[1].categories, ::testing::ElementsAre(1, 2));
  EXPECT_THAT(
      fovea::testing::message_of<InputError>([&] { read_rule_table(table_of("c,n\na,1\nb,x\n"), examples.table); }),
      HasSubstr("t.csv:3: column 2: 'x' is not a number"));
}

}  // namespace
}  // namespace fovea::synthesis
