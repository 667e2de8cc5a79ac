// SPDX-License-Identifier: Apache-2.0
#include "fovea/tagging/stream/marginal_columns.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <sstream>

#include "tests/support/expect_error.h"

namespace fovea::tagging {
namespace {

using fovea::testing::message_of;

const InputLocation kFirst{.file = "out.txt", .line = 1}, kSecond{.file = "out.txt", .line = 2};

/// The cells of a line, cut at spaces.
class Line {
 public:
  explicit Line(const std::string& text) {
    std::istringstream words(text);
    for (std::string word; words >> word;) words_.push_back(word);
    cells_.assign(words_.begin(), words_.end());
  }

  std::span<const std::string_view> cells() const { return cells_; }

 private:
  std::vector<std::string> words_;
  std::vector<std::string_view> cells_;
};

std::optional<MarginalColumns> columns_of(const std::string& text, MarginalsIn which = MarginalsIn::kAuto) {
  return MarginalColumns::find(Line(text).cells(), which, kFirst);
}

std::size_t predicted_column(const std::string& text, MarginalsIn which = MarginalsIn::kAuto) {
  const auto columns = columns_of(text, which);
  return columns ? columns->predicted_column() : 0;
}

/// The message of reading `second` after `first`.
std::string error_of_lines(const std::string& first, const std::string& second,
                           MarginalsIn which = MarginalsIn::kAuto) {
  const MarginalColumns columns = *columns_of(first, which);
  ItemMarginals item;
  return message_of<InputError>([&] { columns.read(Line(second).cells(), kSecond, item); });
}

TEST(MarginalColumnsTest, FindsWhatTaggersWrite) {
  EXPECT_EQ(predicted_column("U.N. B-ORG B-ORG B-ORG:0.912300"), 2u);
  EXPECT_EQ(predicted_column("U.N. B-ORG O B-ORG:0.912300"), 2u) << "the best sequence may have another label";
  EXPECT_EQ(predicted_column("U.N. O O B-ORG:0.100000 O:0.900000"), 2u);
  EXPECT_EQ(predicted_column("U.N. O O O:0.900000 mean:-1.2000 variance:0.3000 entropy:0.3251"), 2u);
  EXPECT_EQ(predicted_column("O O:1.000000"), 0u) << "no gold label, but a predicted one";
}

TEST(MarginalColumnsTest, LabelsAreNotTakenForProbabilities) {
  EXPECT_EQ(columns_of("word x:0.5 x:0.5"), std::nullopt);
  EXPECT_EQ(columns_of("12:30 NUM NUM"), std::nullopt);
  EXPECT_EQ(columns_of("word O O:"), std::nullopt);
  EXPECT_EQ(columns_of("word O O:0.12345"), std::nullopt) << "five digits";
  EXPECT_EQ(columns_of("word O O:0.1234567"), std::nullopt) << "seven";
  EXPECT_EQ(columns_of("word O O:0.12345x"), std::nullopt);
  EXPECT_EQ(columns_of("word O O:.123456"), std::nullopt);
  EXPECT_EQ(columns_of("word O O O:" + std::string(400, '9') + ".123456"), std::nullopt) << "no number at all";
  EXPECT_EQ(columns_of("a x x x:0.900000", MarginalsIn::kNo), std::nullopt);
  EXPECT_EQ(columns_of("", MarginalsIn::kYes), std::nullopt);
}

TEST(MarginalColumnsTest, WhatIsNoProbabilityIsAMistakeRatherThanALabel) {
  for (const char* text : {"w O O O:nan", "w O O O:-nan", "w O O O:-0.250000", "w O O O:nan X:0.500000",
                           "w O O O:1.500000 X:-0.500000", "w O O O:inf"}) {
    const Line line(text);
    ItemMarginals item;
    const auto columns = columns_of(text);
    ASSERT_TRUE(columns) << text;
    EXPECT_THAT(message_of<InputError>([&] { columns->read(line.cells(), kFirst, item); }),
                ::testing::HasSubstr("must lie in [0, 1]"))
        << text;
  }
}

TEST(MarginalColumnsTest, LabelsMayHaveColonsAndLookLikeProbabilities) {
  EXPECT_EQ(predicted_column("0.5:0.5 x:0.5 x:0.5 x:0.5:0.900000"), 2u);
  EXPECT_EQ(predicted_column("w a:b a:b a:b:0.250000 c:0.750000"), 2u);
  EXPECT_EQ(predicted_column("w:0.700000 x:0.500000 x:0.500000 x:0.500000:0.900000"), 2u);
  EXPECT_EQ(predicted_column("w x:0.500000 x:0.500000 x:0.500000:0.900000 y:0.100000"), 2u);
  const Line line("w mean mean mean:0.400000 entropy:0.600000");
  ItemMarginals item;
  columns_of("w mean mean mean:0.400000 entropy:0.600000")->read(line.cells(), kFirst, item);
  EXPECT_EQ(item.probability_of("entropy"), .6);
}

TEST(MarginalColumnsTest, OtherSpellingsAreReadOnRequest) {
  EXPECT_EQ(predicted_column("w O O O:.9", MarginalsIn::kYes), 2u);
  EXPECT_EQ(predicted_column("w:1 a b a:33e-2 b:0.34 c:0.33", MarginalsIn::kYes), 2u);
  EXPECT_EQ(predicted_column("1:1 a:1 a:1 a:1:1", MarginalsIn::kYes), 2u);
  EXPECT_EQ(message_of<InputError>([] { columns_of("w O O", MarginalsIn::kYes); }),
            "out.txt:1: column 3: 'O' is not of the form label:probability. Give the output of 'fovea tag' with option "
            "'marginals' or option 'all-marginals'; if these are labels, use option 'marginals no'");
}

TEST(MarginalColumnsTest, ReadsProbabilitiesAndEntropy) {
  const std::string text = "w b a a:0.500000 b:0.250000 c:0.250000";
  const Line line(text), with_entropy(text + " mean:1 variance:2 entropy:1.5");
  ItemMarginals item;
  columns_of(text)->read(line.cells(), kFirst, item);
  EXPECT_NEAR(*item.entropy, 1.5 * std::log(2), 1e-12);
  EXPECT_EQ(item.probability_of("b"), .25);
  EXPECT_EQ(item.probability_of("unseen"), 0);
  EXPECT_DOUBLE_EQ(item.squared_error("b"), .25 + .5625 + .0625);
  EXPECT_DOUBLE_EQ(item.squared_error("unseen"), .25 + .0625 + .0625 + 1);
  MarginalColumns::find(with_entropy.cells(), MarginalsIn::kAuto, kFirst)->read(with_entropy.cells(), kFirst, item);
  EXPECT_EQ(item.entropy, 1.5);
  const Line top("w b b c:0.500000");
  columns_of("w b a a:0.500000")->read(top.cells(), kSecond, item);
  EXPECT_EQ(item.shares.size(), 1u);
  EXPECT_FALSE(item.entropy) << "not that of the line before";
}

TEST(MarginalColumnsTest, ThePredictedLabelWinsTies) {
  const ItemMarginals item{.shares = {{"a", .2}, {"b", .4}, {"c", .4}}};
  EXPECT_EQ(item.likeliest("c").label, "c");
  EXPECT_EQ(item.likeliest("a").label, "b");
}

TEST(MarginalColumnsTest, RefusesLinesUnlikeTheFirst) {
  using ::testing::HasSubstr;
  const std::string one = "w O O O:0.900000", all = "w a a a:0.900000 b:0.100000";
  const std::string gaussian = one + " mean:1.0 variance:2.0 entropy:0.3";
  EXPECT_THAT(error_of_lines(one, "w O O O"),
              HasSubstr("out.txt:2: column 4: 'O' is not of the form label:probability"));
  EXPECT_THAT(error_of_lines(one, "w O O O:high"), HasSubstr("'O:high' is not of the form label:probability"));
  EXPECT_THAT(error_of_lines(one, "w O O O:"), HasSubstr("not of the form label:probability"));
  EXPECT_THAT(error_of_lines(one, "w O O O:0.9x"), HasSubstr("not of the form label:probability"));
  EXPECT_THAT(error_of_lines(one, "w O O O:1.000001"), HasSubstr("must lie in [0, 1]"));
  EXPECT_THAT(error_of_lines(one, "w O O O:-0.1"), HasSubstr("must lie in [0, 1]"));
  EXPECT_THAT(error_of_lines(one, "w O O O:nan"), HasSubstr("must lie in [0, 1]"));
  EXPECT_THAT(error_of_lines("w O O O:1.500000", "w O O O:1.500000"), HasSubstr("must lie in [0, 1]"))
      << "on the first line too";
  EXPECT_THAT(error_of_lines(all, "w a a b:0.900000 a:0.100000"),
              HasSubstr("column 4: 'b:0.900000', but the first line has the probability of a in this column"));
  EXPECT_THAT(error_of_lines(all, "w a a a:0.900000 b:0.200000"),
              HasSubstr("column 4: the probabilities of the 2 labels sum to 1.1, not to 1"));
  EXPECT_THAT(error_of_lines(gaussian, one + " mean:1.0 entropy:2.0 entropy:0.3"),
              HasSubstr("column 6: 'entropy:2.0', but the first line has variance:number in this column"));
  EXPECT_THAT(error_of_lines(gaussian, one + " mean:inf variance:2.0 entropy:0.3"), HasSubstr("'mean:inf' needs a"));
  EXPECT_THAT(error_of_lines(gaussian, one + " mean:1.0 variance:-2.0 entropy:0.3"),
              HasSubstr("'variance:-2.0' needs a number of at least 0"));
}

TEST(MarginalColumnsTest, RefusesFirstLinesWithoutSense) {
  using ::testing::HasSubstr;
  EXPECT_THAT(message_of<InputError>([] { columns_of("a:0.100000 b:0.900000"); }),
              HasSubstr("out.txt:1: no predicted label comes before the probabilities"));
  EXPECT_THAT(message_of<InputError>([] { columns_of("w a a a:0.500000 b:0.200000 a:0.300000"); }),
              HasSubstr("out.txt:1: column 6: 'a:0.300000' is a second probability of its label"));
  EXPECT_THAT(message_of<InputError>([] { columns_of("w O O mean:1.0 variance:2.0 entropy:0.3"); }),
              HasSubstr("column 3: 'O' is not of the form label:probability"));
  EXPECT_THAT(message_of<InputError>([] { columns_of("mean:1.0 variance:2.0 entropy:0.3"); }),
              HasSubstr("column 1: 'mean:1.0' is not of the form label:probability"));
}

}  // namespace
}  // namespace fovea::tagging
