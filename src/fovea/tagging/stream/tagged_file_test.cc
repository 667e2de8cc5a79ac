// SPDX-License-Identifier: Apache-2.0
#include "fovea/tagging/stream/tagged_file.h"

#include <gtest/gtest.h>

#include <cmath>

#include "fovea/base/error.h"

namespace fovea::tagging {
namespace {

ScoredTagging score_with(std::string_view text, MarginalsIn marginals = MarginalsIn::kAuto) {
  return score_tagged_file(io::ByteSource::from_memory(text, "out.txt"), {.marginals = marginals});
}

TaggingMetrics score_text(std::string_view text) { return score_with(text).metrics; }

TaggingPair score_both(std::string_view first, std::string_view second) {
  return score_tagged_files(io::ByteSource::from_memory(first, "a.txt"), io::ByteSource::from_memory(second, "b.txt"));
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

TEST(TaggedFileTest, GoldLabelsThatAreNotKnownAreNotScored) {
  const auto score = [](std::string_view text) {
    return score_tagged_file(io::ByteSource::from_memory(text, "out.txt"), {.unknown_label = "?"});
  };
  const ScoredTagging scored = score("a B-P B-P B-P:0.750000\nb ? O O:0.500000\n\nc O O O:0.500000\n");
  EXPECT_EQ(scored.metrics.tokens(), 2u);
  EXPECT_EQ(scored.calibration->items(), 2u);
  EXPECT_EQ(scored.metrics.entities(), MatchCounts());
  EXPECT_NE(error_of([&] { score("a ? O\n"); }).find("no gold label is known"), std::string::npos);
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
  EXPECT_EQ(pair.first.metrics.correct_tokens(), 2u);
  EXPECT_EQ(pair.second.metrics.correct_tokens(), 2u);
  EXPECT_EQ(pair.first.metrics.sentences()[0].correct_tokens, 1u);
  EXPECT_EQ(pair.second.metrics.sentences()[0].correct_tokens, 2u);
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

constexpr const char* kAllMarginals =
    "a x x x:0.750000 y:0.250000\nb y x x:0.600000 y:0.400000\n\nc y y x:0.500000 y:0.500000\nd z x x:0.400000 "
    "y:0.600000\n";

TEST(TaggedFileTest, JudgesTheProbabilitiesOfTheLikeliestLabel) {
  const ScoredTagging score = score_with(kAllMarginals);
  EXPECT_EQ(score.metrics.correct_tokens(), 2u);
  ASSERT_TRUE(score.calibration);
  const Calibration& calibration = *score.calibration;
  EXPECT_EQ(calibration.confidences(), (std::vector<float>{.75f, .6f, .5f, .6f}));
  EXPECT_EQ(calibration.accuracy(), .5) << "the third item's predicted label wins the tie";
  EXPECT_EQ(calibration.other_answers(), 1u);
  EXPECT_EQ(calibration.improbable_gold(), 1u) << "z has no probability";
  EXPECT_DOUBLE_EQ(*calibration.negative_log_likelihood(), -(std::log(.75 * .4 * .5) + std::log(5e-7)) / 4);
  EXPECT_DOUBLE_EQ(*calibration.brier_score(), (2 * .0625 + 2 * .36 + 2 * .25 + 1 + .16 + .36) / 4);
  EXPECT_TRUE(calibration.mean_entropy());
  EXPECT_NE(score.brief().find("tokens); calibration error"), std::string::npos);
  EXPECT_NE(score.json().find(R"("calibration":{"items":4,)"), std::string::npos);
}

TEST(TaggedFileTest, OneProbabilityKnowsNothingOfOtherLabels) {
  const ScoredTagging score = score_with("a x x x:0.750000\nb y x y:0.600000\n");
  EXPECT_EQ(score.metrics.correct_tokens(), 1u);
  EXPECT_EQ(score.calibration->accuracy(), 1);
  EXPECT_FALSE(score.calibration->negative_log_likelihood());
  EXPECT_FALSE(score.calibration->brier_score());
  EXPECT_FALSE(score.calibration->mean_entropy());
}

TEST(TaggedFileTest, FilesWithoutProbabilitiesAreReadAsBefore) {
  const ScoredTagging score = score_with("a x:0.5 x:0.5\nb y x:0.5\n");
  EXPECT_FALSE(score.calibration);
  EXPECT_EQ(score.metrics.correct_tokens(), 1u);
  EXPECT_NE(score.json().find(R"(,"calibration":null})"), std::string::npos);
  EXPECT_EQ(score.brief(), "accuracy 50.00 (1 of 2 tokens)");
  EXPECT_FALSE(score_with("a x y:0.500000\n", MarginalsIn::kNo).calibration);
  EXPECT_TRUE(score_with("a x x x:.75\n", MarginalsIn::kYes).calibration);
}

TEST(TaggedFileTest, RefusesProbabilitiesWithMistakes) {
  EXPECT_NE(error_of([] {
              score_text("a x x x:0.750000\n\nb y y y:1.750000\n");
            }).find("out.txt:3: column 4: 'y:1.750000': a probability must lie in [0, 1]"),
            std::string::npos);
  EXPECT_NE(error_of([] { score_text("x x:0.750000\n"); }).find("out.txt:1: 1 column, but a gold"), std::string::npos);
}

TEST(TaggedFileTest, MarginalsAloneNeedNoGoldLabels) {
  const auto read = [](std::string_view text) {
    return read_tagged_marginals(io::ByteSource::from_memory(text, "o.txt"));
  };
  EXPECT_EQ(read("x x:0.750000 y:0.250000\n\ny x:0.500000 y:0.500000\n").confidences(),
            (std::vector<float>{.75f, .5f}));
  EXPECT_NE(error_of([&] { read("a x x\n"); }).find("o.txt:1: column 3: 'x' is not of the form label:probability"),
            std::string::npos);
  EXPECT_EQ(error_of([&] { read("\n"); }), "o.txt: there is nothing to score. The file has no line with labels");
}

TEST(TaggedFileTest, PairsMayHaveProbabilitiesOnOneSide) {
  const TaggingPair pair = score_both("a x x\nb y x\n", "a x x x:0.750000\nb y y y:0.600000\n");
  EXPECT_FALSE(pair.first.calibration);
  EXPECT_EQ(pair.second.calibration->items(), 2u);
}

}  // namespace
}  // namespace fovea::tagging
