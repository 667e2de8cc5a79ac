// SPDX-License-Identifier: Apache-2.0
#include "fovea/tagging/feature/template.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "fovea/base/error.h"
#include "tests/support/expect_error.h"
#include "tests/support/item_sequences.h"

namespace fovea::tagging {
namespace {

using testing::make_sequence;

std::vector<std::string> expand_all(const FeatureTemplate& feature_template, const ItemSequence& sequence,
                                    std::size_t item) {
  std::vector<std::string> attributes;
  for (const TemplateLine& line : feature_template.lines()) {
    std::string text;
    if (line.expand(sequence, item, text)) attributes.push_back(text);
  }
  return attributes;
}

FeatureTemplate parse(std::string_view text) { return FeatureTemplate::parse(text, "t.template"); }

std::string parse_error(std::string_view text) {
  return message_of<InputError>([&] { parse(text); });
}

TEST(TemplateTest, ExpandsCellsOfTheSurroundings) {
  const ItemSequence sequence = make_sequence({{"He", "PRP"}, {"runs", "VBZ"}});
  const FeatureTemplate t = parse("U00:%x[-1,0]/%x[0,0]\n\n# comment\nU01:%x[+1,1]\nUbias\nB\n");
  EXPECT_THAT(expand_all(t, sequence, 0), ElementsAre("U00:_B-1/He", "U01:VBZ", "Ubias"));
  EXPECT_THAT(expand_all(t, sequence, 1), ElementsAre("U00:He/runs", "U01:_B+1", "Ubias"));
  EXPECT_TRUE(t.label_ngrams());
  EXPECT_EQ(t.min_row(), -1);
  EXPECT_EQ(t.max_row(), 1);
  EXPECT_EQ(t.column_count(), 2u);
}

TEST(TemplateTest, ItemsOutsideAreNamedByTheirDistanceAsInCrfpp) {
  const ItemSequence sequence = make_sequence({{"a"}, {"b"}});
  const FeatureTemplate t = parse("U%x[-3,0]|%x[-2,0]|%x[-1,0]|%x[0,0]|%x[1,0]|%x[2,0]|%x[3,0]");
  EXPECT_THAT(expand_all(t, sequence, 0), ElementsAre("U_B-3|_B-2|_B-1|a|b|_B+1|_B+2"));
  EXPECT_THAT(expand_all(t, sequence, 1), ElementsAre("U_B-2|_B-1|a|b|_B+1|_B+2|_B+3"));
}

TEST(TemplateTest, ALineYieldsNothingWhereOneOfItsMacrosHasNoExtract) {
  const ItemSequence sequence = make_sequence({{"ab"}, {"abc"}});
  const FeatureTemplate t = parse("U:%x[0,0]%suffix[0,0,3]\nU2:%prefix[1,0,1]\nU3:%lower[1,0]");
  EXPECT_THAT(expand_all(t, sequence, 0), ElementsAre("U2:a", "U3:abc"));
  EXPECT_THAT(expand_all(t, sequence, 1), ElementsAre("U:abcabc", "U3:_B+1"));
}

TEST(TemplateTest, PercentSignsAreDoubledAndCarriageReturnsDropped) {
  const FeatureTemplate t = parse("U100%%:%x[0,0]%%\r\nB\r\n");
  EXPECT_THAT(expand_all(t, make_sequence({{"a"}}), 0), ElementsAre("U100%:a%"));
}

TEST(TemplateTest, LabelNgramsNeedABLine) {
  EXPECT_FALSE(parse("U%x[0,0]").label_ngrams());
  EXPECT_TRUE(parse("B").label_ngrams());
  EXPECT_TRUE(parse("B01").label_ngrams());
}

TEST(TemplateTest, TextAndNameAreKept) {
  const FeatureTemplate t = parse("U%x[0,0]\nB");
  EXPECT_EQ(t.text(), "U%x[0,0]\nB");
  EXPECT_EQ(t.name(), "t.template");
}

TEST(TemplateTest, BadLinesAreRefusedByFileLineAndRemedy) {
  EXPECT_THAT(parse_error("U1:%x[0,0]\nU2:%y[0,0]"),
              AllOf(StartsWith("t.template:2: unknown macro %y"), HasSubstr("Known macros: %x[row,column], %lower"),
                    HasSubstr("%prefix[row,column,length]")));
  EXPECT_THAT(parse_error("U1:100%"), HasSubstr("unknown macro %."));
  EXPECT_THAT(parse_error("U1:%x[0,0"), AllOf(HasSubstr(":1: unclosed bracket in %x[0,0"), HasSubstr("like %x[0,0]")));
  testing::expect_messages(parse_error,
                           {{"U1:%x", "unclosed bracket"},
                            {"U1:%x[0,a]", "bad column 'a' in %x: it must be a whole number with 0 <= column"},
                            {"U1:%x[0,-1]", "bad column '-1'"},
                            {"U1:%x[0,65536]", "bad column '65536'"},
                            {"U1:%x[0]", "bad column ''"},
                            {"U1:%x[65,0]", "bad row '65' in %x: it must be a whole number with -64 <= row"},
                            {"U1:%x[99999999999,0]", "bad row"},
                            {"U1:%x[ 0,0]", "bad row ' 0'"},
                            {"U1:%x[0,0,3]", "%x has too many arguments"}});
  EXPECT_THAT(parse_error("U1:%prefix[0,0]"), AllOf(HasSubstr("bad length ''"), HasSubstr("like %prefix[0,0,3]")));
  EXPECT_THAT(parse_error("U1:%prefix[0,0,0]"), HasSubstr("bad length '0'"));
  EXPECT_THAT(parse_error("V1:%x[0,0]"), HasSubstr("begins with U, B or #, not with 'V'"));
  EXPECT_THAT(parse_error(" U1:%x[0,0]"), HasSubstr("not with ' '"));
  EXPECT_THAT(parse_error("U1\nB:%x[0,0]"),
              AllOf(HasSubstr(":2: label n-grams combined with observations (B:%x[0,0])"), HasSubstr("plain B line")));
  EXPECT_THAT(parse_error(""), HasSubstr("no U and no B line"));
  EXPECT_THAT(parse_error("# only a comment"), HasSubstr("no U and no B line"));
}

TEST(TemplateTest, ColumnsTheDataLackAreNamed) {
  const FeatureTemplate t = parse("U1:%x[0,1]\nU2:%x[0,2]");
  EXPECT_NO_THROW(t.require_columns(3, "d.txt"));
  EXPECT_THAT(message_of<InputError>([&] { t.require_columns(2, "d.txt"); }),
              StartsWith("t.template:2: template reads column 2 but d.txt has 2 columns to read (0..1)"));
  EXPECT_THAT(message_of<InputError>([&] { t.require_columns(1, "d.txt"); }),
              StartsWith("t.template:1: template reads column 1 but d.txt has 1 column to read (0..0)"));
}

TEST(TemplateTest, TheDefaultReadsAllColumnsAndYieldsDistinctAttributes) {
  for (std::size_t columns : {1u, 2u, 3u, 12u}) {
    const FeatureTemplate t = FeatureTemplate::default_for(columns);
    EXPECT_EQ(t.column_count(), columns);
    EXPECT_TRUE(t.label_ngrams());
    std::vector<std::string> row(columns, "Same1");
    std::vector<std::string> attributes = expand_all(t, make_sequence({row, row, row, row, row}), 2);
    std::sort(attributes.begin(), attributes.end());
    EXPECT_EQ(std::adjacent_find(attributes.begin(), attributes.end()), attributes.end()) << columns;
  }
}

TEST(TemplateTest, TheDefaultSeesTheSpellingOfAWord) {
  const ItemSequence sequence = make_sequence({{"Mr"}, {"McDiarmid"}, {"said"}});
  const std::vector<std::string> attributes = expand_all(FeatureTemplate::default_for(1), sequence, 1);
  for (const char* expected :
       {"Uw-2=_B-1", "Uw-1=Mr", "Uw+0=McDiarmid", "Uw+1=said", "Uw+2=_B+1", "Ulower=mcdiarmid", "Uprefix=McDi",
        "Usuffix=d", "Usignature=AaAaaaaaa", "Ushape=AaAa", "Uoutline=AA", "Ucapitalized=y", "Ushape-1=Aa"})
    EXPECT_THAT(attributes, ::testing::Contains(expected));
}

}  // namespace
}  // namespace fovea::tagging
