// SPDX-License-Identifier: Apache-2.0
#include "fovea/apps/tagging/tagged_file.h"

#include <gtest/gtest.h>

#include "fovea/base/error.h"

namespace fovea {
namespace {

TaggingMetrics score_text(std::string_view text) { return score_tagged_file(ByteSource::from_memory(text, "out.txt")); }

TaggingPair score_both(std::string_view first, std::string_view second) {
  return score_tagged_files(ByteSource::from_memory(first, "a.txt"), ByteSource::from_memory(second, "b.txt"));
}

template <class Call>
std::string error_of(const Call& call) {
  try {
    call();
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

TEST(TaggedFileTest, GoldIsSecondToLastAndPredictionLast) {
  const TaggingMetrics metrics = score_text("U.N. NNP B-ORG B-ORG\nsays VBZ O B-X\n\nJo NNP B-PER O\n");
  EXPECT_EQ(metrics.entities(), (MatchCounts{2, 2, 1}));
  EXPECT_EQ(metrics.confusion("B-PER", "O"), 1u);
  EXPECT_EQ(metrics.sentences().size(), 2u);
  EXPECT_EQ(score_text("B-ORG\tB-ORG\r\n").entities(), (MatchCounts{1, 1, 1})) << "two columns are enough";
}

TEST(TaggedFileTest, RefusesTooFewColumnsAndNothing) {
  EXPECT_EQ(error_of([] { score_text("\n\nword\n"); }),
            "out.txt:3: 1 column, but a gold and a predicted label are needed. "
            "Give the output of 'fovea tag' on data with gold labels");
  EXPECT_EQ(error_of([] { score_text("\n\n"); }),
            "out.txt: there is nothing to score. The file has no line with labels");
  EXPECT_NE(error_of([] { score_text("a A A\nb B\n"); }).find("out.txt:2"), std::string::npos) << "ragged";
}

TEST(TaggedFileTest, PairsAreReadSideBySide) {
  const TaggingPair pair = score_both("a X X\nb Y X\n\nc Y Y\n", "a X X\nb Y Y\n\n\nc Y X\n");
  EXPECT_EQ(pair.first.correct_tokens(), 2u);
  EXPECT_EQ(pair.second.correct_tokens(), 2u);
  EXPECT_EQ(pair.first.sentences()[0].correct_tokens, 1u);
  EXPECT_EQ(pair.second.sentences()[0].correct_tokens, 2u);
}

TEST(TaggedFileTest, PairsMustBeOfTheSameText) {
  EXPECT_EQ(error_of([] { score_both("a X X\nb Y X\n", "a X X\nb Z X\n"); }),
            "b.txt:2: gold label Z, but a.txt has Y. Compare two taggings of the same file");
  EXPECT_EQ(error_of([] { score_both("a X X\nb Y X\n", "a X X\n\nb Y X\n"); }),
            "b.txt:1: sentence of 1 items, but in a.txt it has 2. Compare two taggings of the same file");
  EXPECT_EQ(error_of([] { score_both("a X X\n\nb Y X\n", "a X X\n"); }),
            "b.txt: fewer sentences than a.txt. Compare two taggings of the same file");
  EXPECT_NE(error_of([] { score_both("a X X\n", "a X X\n\nb Y Y\n"); }).find("more sentences"), std::string::npos);
}

}  // namespace
}  // namespace fovea
