// SPDX-License-Identifier: Apache-2.0
#include "fovea/tagging/model/label_rules.h"

#include <gtest/gtest.h>

#include <cmath>

#include "fovea/base/error.h"
#include "tests/support/expect_error.h"

namespace fovea::tagging {
namespace {

const std::vector<std::string> kIob2 = {"O", "B-X", "I-X", "B-Y", "I-Y"};
const std::vector<std::string> kIobes = {"O", "B-X", "I-X", "E-X", "S-X"};

TEST(LabelRules, Iob2ContinuesOnlyTheSameType) {
  const LabelRules rules(kIob2);
  for (Value left = 0; left < 5; ++left)
    for (Value right = 0; right < 5; ++right) {
      const bool continues = right == 2 || right == 4;
      const bool same_type = right == 2 ? left == 1 || left == 2 : left == 3 || left == 4;
      EXPECT_EQ(rules.may_follow(left, right), !continues || same_type) << kIob2[left] << ' ' << kIob2[right];
    }
  EXPECT_TRUE(rules.may_start(1));
  EXPECT_FALSE(rules.may_start(2));
  for (Value label = 0; label < 5; ++label) EXPECT_TRUE(rules.may_end(label));
}

TEST(LabelRules, IobesClosesWhatItOpens) {
  const LabelRules rules(kIobes);
  EXPECT_TRUE(rules.may_follow(1, 2));
  EXPECT_TRUE(rules.may_follow(1, 3));
  EXPECT_FALSE(rules.may_follow(1, 0));
  EXPECT_FALSE(rules.may_follow(2, 4));
  EXPECT_FALSE(rules.may_follow(3, 3));
  EXPECT_TRUE(rules.may_follow(3, 1));
  EXPECT_FALSE(rules.may_end(1));
  EXPECT_FALSE(rules.may_end(2));
  EXPECT_TRUE(rules.may_end(3));
  EXPECT_FALSE(rules.may_start(3));
}

TEST(LabelRules, ForbidsBeyondAnyScore) {
  const LabelRules rules(kIob2);
  const sequence::LabelNgrams ngrams(5, 2, rules.forbidden_pairs());
  sequence::LabelSequences label_sequences(ngrams);
  const std::vector<std::uint32_t> lengths = {2, 0, 1};
  label_sequences.reset(lengths);
  rules.apply_to_ends(label_sequences);
  Assignment labels = label_sequences.make_labeling();
  EXPECT_TRUE(std::isfinite(label_sequences.log_score(labels)));
  labels[label_sequences.begin(2)] = 2;  // starts inside
  EXPECT_EQ(label_sequences.log_score(labels), -INFINITY);
  labels[label_sequences.begin(2)] = 0;
  labels[label_sequences.begin(0) + 1] = 4;  // inside after outside
  EXPECT_EQ(label_sequences.log_score(labels), -INFINITY);
}

TEST(LabelRules, NeedsAScheme) {
  EXPECT_THROW(LabelRules(std::vector<std::string>{"NN", "VB"}), UsageError);
  EXPECT_THROW(LabelRules(std::vector<std::string>{"O", "I-X"}), UsageError);
}

TEST(LabelRules, EveryTypeNeedsABeginning) {
  EXPECT_THAT(testing::message_of<UsageError>([] {
                LabelRules(std::vector<std::string>{"O", "I-X", "B-X", "I-Y"});
              }),
              ::testing::HasSubstr("'I-Y' could never be tagged"));
  EXPECT_NO_THROW(LabelRules(std::vector<std::string>{"O", "B-X", "L-X", "U-Y"}));
}

TEST(LabelRules, PairsOfTrainingThatAreImpossibleTellOfIob1) {
  const LabelRules rules(kIob2);
  const std::vector<sequence::LabelNgram> iob2 = {{.labels = {0, 1}, .size = 2}, {.labels = {1, 2}, .size = 2}};
  EXPECT_EQ(rules.warning(iob2), "");
  const std::vector<sequence::LabelNgram> iob1 = {{.labels = {0, 2}, .size = 2}, {.labels = {2, 1}, .size = 2}};
  EXPECT_THAT(rules.warning(iob1), ::testing::HasSubstr("forbids 1 of the 2 label pairs"));
  EXPECT_THAT(rules.warning(iob1), ::testing::HasSubstr("'O' before 'I-X'"));
  std::vector<sequence::LabelNgram> all;
  for (Value left = 0; left < 5; ++left)
    for (Value right = 0; right < 5; ++right) all.push_back({.labels = {left, right}, .size = 2});
  EXPECT_EQ(rules.warning(all), "") << "of option 'all-features': they need not have been seen";
}

}  // namespace
}  // namespace fovea::tagging
