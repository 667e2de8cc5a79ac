// SPDX-License-Identifier: Apache-2.0
#include "fovea/linkage/columns/bare_names.h"

#include <gtest/gtest.h>

namespace fovea::linkage {
namespace {

TEST(BareNamesTest, AreQuotedWhereTheyNeedIt) {
  const io::Table table("t.csv", {"name", "City, State", "a+b", "f(x)", "dob:year", "b", "x@y"});
  const auto quoted = [&](std::string_view list) { return with_quoted_names(list, table); };
  EXPECT_EQ(quoted("Name:edits,City, State"), R"(Name:edits,"City, State")");
  EXPECT_EQ(quoted("City, State , name"), R"("City, State" , name)");
  EXPECT_EQ(quoted("City, State:words@size(City, State)"), R"("City, State":words@size("City, State"))");
  EXPECT_EQ(quoted("f(x)+b, initial(f(x))"), R"x("f(x)"+b, initial("f(x)"))x");
  EXPECT_EQ(quoted("a+b:edits, dob:year@size(b), x@y:words"), R"("a+b":edits, "dob:year"@size(b), "x@y":words)");
  EXPECT_EQ(quoted("a+b, f(x),dob:year , x@y"), "a+b, f(x),dob:year , x@y") << "a whole name needs no quotes";
  EXPECT_EQ(quoted(R"("City, State", "a+b"+b)"), R"("City, State", "a+b"+b)");
  EXPECT_EQ(quoted("City, States, xa+b"), "City, States, xa+b") << "other names";
  EXPECT_EQ(quoted(""), "");
}

TEST(BareNamesTest, StayWhereTheyCanBeReadOtherwise) {
  const io::Table table("t.csv", {"City", "State", "City, State", "a", "b", "a+b", "year(born)", "say \"a, b\""});
  for (const char* list : {"City, State", "a+b+City", "year(born)+a", "say \"a, b\""})
    EXPECT_EQ(with_quoted_names(list, table), list);
}

TEST(BareNamesTest, TheLongestNameWins) {
  const io::Table table("t.csv", {"a, b", "a, b, c"});
  EXPECT_EQ(with_quoted_names("a, b, c", table), R"("a, b, c")");
  EXPECT_EQ(with_quoted_names("a, b, d", table), R"("a, b", d)");
}

}  // namespace
}  // namespace fovea::linkage
