// SPDX-License-Identifier: Apache-2.0
#include "fovea/linkage/blocking/blocking.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>

#include "fovea/base/error.h"
#include "tests/support/expect_error.h"
#include "tests/support/people_table.h"

namespace fovea::linkage {
namespace {

io::Table blocked_people() {
  io::Table table("blocked_people.csv", {"name", "surname", "born"});
  const std::array<std::array<std::string_view, 3>, 6> rows = {{{"Ann", "Smith", "1980-01-02"},
                                                                {"ann", "SMYTH", "1980-07-09"},
                                                                {"Bob", "Jones", "1975-05-05"},
                                                                {"Åsa", "Smith", ""},
                                                                {"", "Jones", "1975-01-01"},
                                                                {"Bo", "", "no date"}}};
  std::int64_t line = 1;
  for (const auto& row : rows) table.add_row(row, ++line);
  return table;
}

Blocks blocks_of(std::string_view rule) {
  const io::Table table = blocked_people();
  return group_rows(table, BlockingRule(rule, table));
}

std::string rule_refusal(std::string_view rules) {
  return message_of<UsageError>([&] { parse_blocking_rules(rules, blocked_people()); });
}

TEST(BlockingTest, BringsRowsOfEqualKeysTogether) {
  EXPECT_THAT(blocks_of("surname").rows, ElementsAre(0, 3, 2, 4));
  EXPECT_THAT(blocks_of("surname").begin, ElementsAre(0, 2, 4));
  EXPECT_THAT(blocks_of("soundex(surname)")[0], ElementsAre(0, 1, 3));
  EXPECT_THAT(blocks_of("metaphone(surname)")[0], ElementsAre(0, 1, 3));
  EXPECT_THAT(blocks_of("initial(name)").rows, ElementsAre(0, 1, 3, 2, 5));
  EXPECT_THAT(blocks_of("prefix(name, 2)").rows, ElementsAre(0, 1, 2, 5));
  EXPECT_THAT(blocks_of("year(born)").rows, ElementsAre(0, 1, 2, 4));
  EXPECT_THAT(blocks_of("month(born)").rows, ElementsAre(0, 4));
}

TEST(BlockingTest, AllPartsMustAgreeAndBeThere) {
  EXPECT_THAT(blocks_of("soundex(surname)+year(born)").rows, ElementsAre(0, 1, 2, 4));
  EXPECT_THAT(blocks_of("surname + name").rows, ElementsAre());
  EXPECT_EQ(blocks_of("surname + name").size(), 0u);
  EXPECT_EQ(blocks_of("soundex(surname)").size(), 2u);
}

TEST(BlockingTest, NumbersAreThoseOfTheKeys) {
  const io::Table table = blocked_people();
  for (const char* text : {"name", "soundex(surname)+year(born)", "initial(name)+surname+month(born)"}) {
    const BlockingRule rule(text, table);
    const std::vector<std::uint32_t> numbers = rule.key_numbers(table);
    Dictionary keys;
    for (std::size_t row = 0; row < table.row_count(); ++row) {
      const std::string key = rule.key(table, row);
      EXPECT_EQ(numbers[row], key.empty() ? kNoId : keys.add(key)) << text << " " << row;
    }
  }
}

TEST(BlockingTest, NormalisesText) {
  EXPECT_THAT(blocks_of("name")[0], ElementsAre(0, 1));
  const io::Table table = blocked_people();
  EXPECT_EQ(BlockingRule("initial(name)", table).key(table, 3), BlockingRule("initial(name)", table).key(table, 0));
  io::Table greek("g.csv", {"name"});
  const std::array<std::string_view, 2> names = {"Λυδία", "Λυσίας"};
  for (std::size_t row = 0; row < names.size(); ++row)
    greek.add_row(std::span(&names[row], 1), static_cast<std::int64_t>(row + 2));
  EXPECT_EQ(group_rows(greek, BlockingRule("prefix(name, 2)", greek)).size(), 1u);
  EXPECT_EQ(group_rows(greek, BlockingRule("prefix(name, 3)", greek)).size(), 0u);
}

TEST(BlockingTest, RulesAreSeparatedByCommas) {
  const io::Table table = blocked_people();
  const auto rules = parse_blocking_rules("surname, prefix(name, 3)+year(born) ,born", table);
  ASSERT_EQ(rules.size(), 3u);
  EXPECT_EQ(rules[1].text(), "prefix(name, 3)+year(born)");
  EXPECT_THAT(rules[1].columns(), ElementsAre(0, 2));
}

TEST(BlockingTest, RefusesWhatIsNoRule) {
  EXPECT_THAT(rule_refusal("surname,"), HasSubstr("a part is empty"));
  EXPECT_THAT(rule_refusal("surname++name"), HasSubstr("a part is empty"));
  EXPECT_THAT(rule_refusal("soundx(surname)"), HasSubstr("Did you mean 'soundex'?"));
  EXPECT_THAT(rule_refusal("soundex(surname"), HasSubstr("a ')' is missing"));
  EXPECT_THAT(rule_refusal("soundex(surname, 3)"), HasSubstr("soundex takes a column"));
  EXPECT_THAT(rule_refusal("prefix(surname)"), HasSubstr("prefix takes a column and a number of letters"));
  EXPECT_THAT(rule_refusal("prefix(surname, 0)"), HasSubstr("'0' must be a number of letters"));
  EXPECT_THAT(message_of<InputError>([] { BlockingRule("year(burn)", blocked_people()); }),
              HasSubstr("Did you mean 'born'?"));
}

TEST(BlockingRule, AnyGivesAKeyForEachWordOrElement) {
  const io::Table table = testing::table_of(
      {"id", "authors", "year"},
      {{"1", "Ann Lee|Bo Lee", "1990"}, {"2", "bo lee", "1990"}, {"3", "Lee Ann", "1991"}, {"4", "", "1990"}});
  const auto texts_of = [&](const char* rule, std::size_t row) {
    const BlockingRule::Keys keys = BlockingRule(rule, table).keys(table);
    std::vector<std::string> texts;
    for (std::size_t i = keys.begin[row]; i < keys.begin[row + 1]; ++i)
      texts.emplace_back(keys.texts.text(keys.text_of_key[keys.numbers[i]]));
    return texts;
  };
  EXPECT_THAT(texts_of("any(word, authors)", 0), UnorderedElementsAre("ann", "lee", "bo"));
  EXPECT_THAT(texts_of("any(element, authors)", 0), UnorderedElementsAre("ann lee", "bo lee"));
  EXPECT_THAT(texts_of("any(element, authors)", 1), ElementsAre("bo lee"));
  EXPECT_TRUE(texts_of("any(word, authors)", 3).empty());
  const BlockingRule joined("year+any(word, authors, 7)", table);
  EXPECT_EQ(joined.most_of_key(), 7u);
  EXPECT_THAT(joined.columns(), UnorderedElementsAre(1u, 2u));
  const BlockingRule::Keys keys = joined.keys(table);
  const auto has_common = [&](std::size_t a, std::size_t b) {
    return std::find_first_of(keys.numbers.begin() + static_cast<long>(keys.begin[a]),
                              keys.numbers.begin() + static_cast<long>(keys.begin[a + 1]),
                              keys.numbers.begin() + static_cast<long>(keys.begin[b]),
                              keys.numbers.begin() + static_cast<long>(keys.begin[b + 1])) !=
           keys.numbers.begin() + static_cast<long>(keys.begin[a + 1]);
  };
  EXPECT_TRUE(has_common(0, 1));
  EXPECT_FALSE(has_common(0, 2)) << "other years";
}

TEST(BlockingRule, RefusesAnyThatIsMalformed) {
  const io::Table table = testing::table_of({"id", "name"}, {{"1", "Ann"}});
  const auto refusal = [&](const char* rule) {
    return message_of<UsageError>([&] { BlockingRule made(rule, table); });
  };
  testing::expect_messages(refusal, {{"any(name)", "takes two or three arguments"},
                                     {"any(letter, name)", "'letter' is neither word nor element"},
                                     {"any(word, name, 1)", "'1' is not a number of records from 2 on"},
                                     {"any(word, name", "a ')' is missing"},
                                     {"any(word, name)+any(word, id)", "occurs twice"}});
  EXPECT_THROW(BlockingRule("any(word, nam)", table), InputError);
}

}  // namespace
}  // namespace fovea::linkage
