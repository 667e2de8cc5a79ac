// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/support/expect_error.h"
#include "tests/support/run_program.h"
#include "tests/support/temporary_folder.h"

namespace fovea::cli {
namespace {

using fovea::testing::run_fovea;

class EvalTagsTest : public ::testing::Test {
 protected:
  const fovea::testing::TemporaryFolder folder_;
  const std::string one_wrong_ = folder_.write("one_wrong", "a B-X B-X\nb I-X I-X\nc O B-Y\n\nd B-Y O\n");
  const std::string all_right_ = folder_.write("all_right", "a B-X B-X\nb I-X I-X\nc O O\n\nd B-Y B-Y\n");
  const std::string words_ = folder_.write("words", "a NN NN\nb VB NN\n");
};

TEST_F(EvalTagsTest, WritesTablesOrOneLineOrJson) {
  const auto full = run_fovea({"eval", "tags", one_wrong_});
  EXPECT_EQ(full.status, 0);
  EXPECT_THAT(full.out, HasSubstr("F1 50.00"));
  EXPECT_THAT(full.out, HasSubstr("gold \\ predicted"));
  EXPECT_EQ(run_fovea({"eval", "tags", words_, "--brief"}).out, "accuracy 50.00 (1 of 2 tokens)\n");
  const auto json = nlohmann::json::parse(run_fovea({"eval", "tags", one_wrong_, "--json"}).out);
  EXPECT_EQ(json["entities"]["correct"], 1);
}

TEST_F(EvalTagsTest, DifferenceIsOfTheFileMinusTheOther) {
  const auto text = run_fovea({"eval", "tags", all_right_, "--against", one_wrong_});
  EXPECT_THAT(text.out, HasSubstr("f1 difference +50.00 ["));
  const auto json = nlohmann::json::parse(
      run_fovea({"eval", "tags", one_wrong_, "--against", all_right_, "--score", "accuracy", "--json"}).out);
  EXPECT_EQ(json["score"], "accuracy");
  EXPECT_DOUBLE_EQ(json["difference"]["difference"], -0.5);
  EXPECT_EQ(json["metrics"]["correct_tokens"], 2);
  EXPECT_EQ(json["against"]["correct_tokens"], 4);
}

TEST_F(EvalTagsTest, IntervalIsAFunctionOfTheSeed) {
  const auto interval = [&](const char* seed, const char* threads) {
    return run_fovea({"eval", "tags", all_right_, "--against", one_wrong_, "--json", "--seed", seed, "--replicates",
                      "101", "--threads", threads})
        .out;
  };
  EXPECT_EQ(interval("1", "1"), interval("1", "2"));
}

TEST_F(EvalTagsTest, BadInputAndUsage) {
  const auto missing = run_fovea({"eval", "tags", "no/such/file"});
  EXPECT_EQ(missing.status, 3);
  EXPECT_THAT(missing.err, HasSubstr("no/such/file"));
  EXPECT_EQ(run_fovea({"eval", "tags", one_wrong_, "--against", words_}).status, 3);
  const auto no_entities = run_fovea({"eval", "tags", words_, "--against", words_, "--score", "f1"});
  EXPECT_EQ(no_entities.status, 2);
  EXPECT_THAT(no_entities.err, HasSubstr("--score accuracy"));
  EXPECT_EQ(run_fovea({"eval", "tags", words_, "--score", "recall"}).status, 2);
}

class EvalProbabilitiesTest : public EvalTagsTest {
 protected:
  const std::string all_ = folder_.write("all", "a x x x:0.900000 y:0.100000\nb y x x:0.600000 y:0.400000\n");
  const std::string top_ = folder_.write("top", "a x x x:0.900000\nb y x x:0.600000\n");
  const std::string other_ = folder_.write("other", "c ? x x:0.500000 y:0.500000\n\nd ? y x:0.100000 y:0.900000\n");
};

TEST_F(EvalProbabilitiesTest, AreReportedInEveryForm) {
  EXPECT_EQ(run_fovea({"eval", "tags", all_, "--brief", "--bins", "1"}).out,
            "accuracy 50.00 (1 of 2 tokens); calibration error 25.00, negative log likelihood 0.5108, "
            "error 50.00 of the surest 80 %\n");
  EXPECT_THAT(run_fovea({"eval", "tags", all_}).out, HasSubstr("expected calibration error, 15 bins      35.00\n"));
  EXPECT_THAT(run_fovea({"eval", "tags", top_}).out, HasSubstr("not known: needs the marginals of all labels"));
  const auto json = nlohmann::json::parse(run_fovea({"eval", "tags", all_, "--json"}).out)["calibration"];
  EXPECT_NEAR(json["expected_calibration_error"], .35, 1e-6);
  EXPECT_NEAR(json["brier_score"], (2 * .01 + 2 * .36) / 2, 1e-12);
  EXPECT_EQ(json["bins"].size(), 15u);
  const auto both = nlohmann::json::parse(run_fovea({"eval", "tags", all_, "--against", top_, "--json"}).out);
  EXPECT_TRUE(both["against"]["calibration"]["brier_score"].is_null());
  EXPECT_FALSE(both["metrics"]["calibration"]["brier_score"].is_null());
  EXPECT_TRUE(nlohmann::json::parse(run_fovea({"eval", "tags", words_, "--json"}).out)["calibration"].is_null());
}

TEST_F(EvalProbabilitiesTest, AreComparedWithThoseOfAnotherText) {
  const auto json = nlohmann::json::parse(run_fovea({"eval", "tags", all_, "--out-of-domain", other_, "--json"}).out);
  EXPECT_EQ(json["domains"]["by"], "entropy");
  EXPECT_DOUBLE_EQ(json["domains"]["area_under_roc"], (2 + .5) / 4);
  EXPECT_THAT(run_fovea({"eval", "tags", top_, "--out-of-domain", other_, "--brief"}).out,
              HasSubstr("; area under the ROC curve 62.50 by 1 - confidence\n"));
  EXPECT_THAT(run_fovea({"eval", "tags", all_, "--out-of-domain", other_}).out, HasSubstr("out of domain\n"));
  const auto without = run_fovea({"eval", "tags", all_, "--out-of-domain", words_});
  EXPECT_EQ(without.status, 3);
  EXPECT_THAT(without.err, HasSubstr("words:1: column 3: 'NN' is not of the form label:probability"));
}

TEST_F(EvalProbabilitiesTest, AreDrawn) {
  const std::string svg = folder_ / "how-sure.svg";
  EXPECT_EQ(run_fovea({"eval", "tags", all_, "--reliability", svg, "--bins", "10"}).status, 0);
  EXPECT_THAT(fovea::testing::read_file(svg), HasSubstr("calibration error 35.00 %"));
  EXPECT_EQ(run_fovea({"eval", "tags", all_, "--reliability", folder_ / "no/such/folder.svg"}).status, 3);
}

TEST_F(EvalProbabilitiesTest, BadInputAndUsage) {
  const auto without = run_fovea({"eval", "tags", words_, "--reliability", "x.svg"});
  EXPECT_EQ(without.status, 3);
  EXPECT_THAT(without.err, HasSubstr("words: no probabilities follow the predicted labels"));
  EXPECT_EQ(run_fovea({"eval", "tags", words_, "--marginals", "yes"}).status, 3);
  EXPECT_EQ(run_fovea({"eval", "tags", all_, "--marginals", "no", "--reliability", "x.svg"}).status, 2);
  EXPECT_EQ(run_fovea({"eval", "tags", all_, "--against", top_, "--out-of-domain", other_}).status, 2);
  EXPECT_EQ(run_fovea({"eval", "tags", all_, "--bins", "0"}).status, 2);
}

}  // namespace
}  // namespace fovea::cli
