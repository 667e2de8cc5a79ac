// SPDX-License-Identifier: Apache-2.0
#include "fovea/linkage/columns/column_expression.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>

#include "fovea/base/error.h"
#include "tests/support/expect_error.h"

namespace fovea::linkage {
namespace {

const io::Table kTable("t.csv", {"name", "born"});

std::string apply(std::string_view expression, std::string_view cell) {
  return ColumnExpression(expression, kTable).apply(cell);
}

std::string refusal(std::string_view expression) {
  return message_of<UsageError>([&] { ColumnExpression(expression, kTable); });
}

TEST(ColumnExpressionTest, EveryFunction) {
  EXPECT_EQ(apply("name", "Müller, Jörg K."), "Müller, Jörg K.");
  EXPECT_EQ(apply("soundex(name)", "Robert"), "R163");
  EXPECT_EQ(apply("metaphone(name)", "Smith"), "SM0");
  EXPECT_EQ(apply("initial(name)", "Ørsted"), "o");
  EXPECT_EQ(apply("prefix(name, 3)", "Λυσίας"), "λυσ");
  EXPECT_EQ(apply("year(born)", "5.7.1980"), "1980");
  EXPECT_EQ(apply("month(born)", "1980-07"), "7");
  EXPECT_EQ(apply("month(born)", "1980"), "");
  EXPECT_EQ(apply("month(born, mdy)", "5/7/80"), "5");
  EXPECT_EQ(apply("year(born, \"%d, %m, %y\")", "5, 7, 80"), "1980");
  EXPECT_EQ(apply("surname(name)", "Müller, Jörg K."), "Müller");
  EXPECT_EQ(apply("given(name)", "Jörg K. Müller"), "Jörg K.");
  EXPECT_EQ(apply("family(name)", "Weber-Müller"), "muller");
  EXPECT_EQ(apply("first(name)", "Jörg-Peter K."), "jorg");
  EXPECT_EQ(apply("rest(name)", "Jörg-Peter K."), "peter k");
  EXPECT_EQ(apply("rest(name)", "Jörg"), "");
  EXPECT_EQ(apply("full(name)", "Jo"), "Jo");
  EXPECT_EQ(apply("full(name)", "J."), "");
  EXPECT_EQ(apply("transliterated(name)", "Mueller"), "muller");
}

TEST(ColumnExpressionTest, FunctionsOfFunctions) {
  EXPECT_EQ(apply(" prefix( surname (name) , 2 ) ", "Müller, Jörg"), "mu");
  EXPECT_EQ(apply("initial(rest(given(name)))", "Müller, Jörg K."), "k");
  EXPECT_EQ(apply("initial(given(name))", "Müller"), "");
  EXPECT_EQ(ColumnExpression(" initial(born)", kTable).text(), "initial(born)");
  EXPECT_THAT(ColumnExpression("initial(born)", kTable).columns(), ElementsAre(1));
}

TEST(ColumnExpressionTest, JoinsColumns) {
  io::Table table("t.csv", {"given", "surname"});
  table.add_row(std::array<std::string_view, 2>{"Ann", "Lee"}, 2);
  table.add_row(std::array<std::string_view, 2>{"", "Lee"}, 3);
  table.add_row(std::array<std::string_view, 2>{"", ""}, 4);
  const ColumnExpression full("given + surname", table), last("surname(given+surname)", table);
  EXPECT_THAT(full.columns(), ElementsAre(0, 1));
  EXPECT_EQ(full.value(table, 0), "Ann Lee");
  EXPECT_EQ(full.value(table, 1), "Lee");
  EXPECT_EQ(full.value(table, 2), "");
  EXPECT_EQ(last.value(table, 0), "Lee");
  EXPECT_THAT(number_values(full, table).of_row, ElementsAre(0, 1, kNoId));
}

TEST(ColumnExpressionTest, NamesWithSigns) {
  const io::Table table("t.csv", {"City, State", "a+b", "f(x)", "say \"a\"", "b"});
  const auto columns = [&](std::string_view text) { return ColumnExpression(text, table).columns(); };
  EXPECT_THAT(columns(R"("City, State")"), ElementsAre(0));
  EXPECT_THAT(columns(R"x(initial("City, State"))x"), ElementsAre(0));
  EXPECT_THAT(columns(R"x("f(x)" + b)x"), ElementsAre(2, 4));
  EXPECT_THAT(columns(R"("say ""a""")"), ElementsAre(3));
  EXPECT_THAT(columns("a+b"), ElementsAre(1)) << "a whole name needs no quotes";
  EXPECT_THAT(columns("f(x)"), ElementsAre(2));
  EXPECT_THAT(message_of<InputError>([&] { columns("City"); }),
              HasSubstr("put names with special characters in double quotes, like \"City, State\""));
  EXPECT_THAT(message_of<UsageError>([&] { columns("f(b)"); }), HasSubstr("in double quotes, like \"f(x)\""));
  EXPECT_THAT(message_of<InputError>([&] { columns("a"); }), HasSubstr("in double quotes, like \"City, State\""));
  EXPECT_THAT(message_of<InputError>([&] { columns("x"); }), HasSubstr("in double quotes, like \"f(x)\""));
  EXPECT_THAT(message_of<UsageError>([&] { columns("\"City"); }), HasSubstr("a double quote is missing"));
}

TEST(ColumnExpressionTest, NumbersDistinctValues) {
  io::Table table("t.csv", {"name"});
  std::int64_t line = 1;
  for (const std::string_view cell : {"Ann", "bob", "", "Bob", "anna", "?"}) table.add_row(std::array{cell}, ++line);
  const NumberedValues numbered = number_values(ColumnExpression("initial(name)", table), table);
  EXPECT_THAT(numbered.of_row, ElementsAre(0, 1, kNoId, 1, 0, kNoId));
  EXPECT_EQ(numbered.values.text(1), "b");
}

TEST(ColumnExpressionTest, RefusesWhatIsNoExpression) {
  EXPECT_THAT(refusal("soundx(name)"), HasSubstr("Did you mean 'soundex'?"));
  EXPECT_THAT(refusal("soundex(name"), HasSubstr("a ')' is missing"));
  EXPECT_THAT(refusal("soundex()"), HasSubstr("a column is missing"));
  EXPECT_THAT(refusal("name+"), HasSubstr("a column is missing"));
  EXPECT_THAT(refusal("initial(name)+born"), HasSubstr("only columns can be joined"));
  EXPECT_THAT(refusal("soundex(name, 3)"), HasSubstr("soundex takes a column"));
  EXPECT_THAT(refusal("prefix(name)"), HasSubstr("prefix takes a column and a number of letters"));
  EXPECT_THAT(refusal("initial(prefix(name, 0))"), HasSubstr("'0' must be a number of letters"));
  EXPECT_THAT(message_of<InputError>([] { ColumnExpression("year(burn)", kTable); }),
              HasSubstr("Did you mean 'born'?"));
}

}  // namespace
}  // namespace fovea::linkage
