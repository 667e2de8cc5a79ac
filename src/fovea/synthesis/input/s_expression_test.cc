// SPDX-License-Identifier: Apache-2.0
#include "fovea/synthesis/input/s_expression.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace fovea::synthesis {
namespace {

SExpressions expressions_of(std::string_view text) {
  return SExpressions::read(io::ByteSource::from_memory(text, "terms.sl"));
}

std::string refusal_of(std::string_view text) {
  try {
    expressions_of(text);
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(SExpressions, ReadsWordsListsAndComments) {
  const SExpressions file = expressions_of("(a |b c|;no (\n  (\"d)\"))e");
  ASSERT_EQ(file.top().size(), 2u);
  const SExpressions::Node& list = file[file.top()[0]];
  ASSERT_EQ(list.children.size(), 3u);
  EXPECT_EQ(file[list.children[0]].word, "a");
  EXPECT_EQ(file[list.children[1]].word, "|b c|");
  const SExpressions::Node& inner = file[list.children[2]];
  EXPECT_TRUE(inner.is_list);
  EXPECT_EQ(inner.line, 2u);
  EXPECT_EQ(inner.column, 3u);
  EXPECT_EQ(file[inner.children[0]].word, "\"d)\"");
  EXPECT_EQ(file[file.top()[1]].word, "e");
}

TEST(SExpressions, RefusesWhatDoesNotEnd) {
  EXPECT_THAT(refusal_of("(a\n (b)"), ::testing::HasSubstr("never closed"));
  EXPECT_THAT(refusal_of("(a)\n)"),
              ::testing::AllOf(::testing::HasSubstr("terms.sl:2"), ::testing::HasSubstr("closes nothing")));
  EXPECT_THAT(refusal_of("(a |b)"), ::testing::HasSubstr("does not end"));
}

TEST(SExpressions, RefusesBinaryFilesAndDeepNesting) {
  EXPECT_THAT(refusal_of(std::string_view("(a \0)", 5)), ::testing::HasSubstr("NUL"));
  EXPECT_THAT(refusal_of(std::string(2000, '(')), ::testing::HasSubstr("nested deeper"));
}

}  // namespace
}  // namespace fovea::synthesis
