// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/support/run_program.h"
#include "tests/support/temporary_folder.h"

namespace fovea::cli {
namespace {

using fovea::testing::run_fovea;
using ::testing::HasSubstr;

class EvalTagsTest : public ::testing::Test {
 protected:
  std::string write(const std::string& name, const std::string& text) const {
    fovea::testing::write_file(folder_ / name, text);
    return folder_ / name;
  }

  const fovea::testing::TemporaryFolder folder_;
  const std::string one_wrong_ = write("one_wrong", "a B-X B-X\nb I-X I-X\nc O B-Y\n\nd B-Y O\n");
  const std::string all_right_ = write("all_right", "a B-X B-X\nb I-X I-X\nc O O\n\nd B-Y B-Y\n");
  const std::string words_ = write("words", "a NN NN\nb VB NN\n");
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

}  // namespace
}  // namespace fovea::cli
