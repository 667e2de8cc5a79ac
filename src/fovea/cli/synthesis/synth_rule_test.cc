// SPDX-License-Identifier: Apache-2.0
// fovea synth rule.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/support/run_program.h"
#include "tests/support/temporary_folder.h"

namespace fovea::cli {
namespace {

using fovea::testing::run_fovea;

class SynthRuleTest : public ::testing::Test {
 protected:
  SynthRuleTest() {
    std::string rows = "age,colour,sure\n";
    for (int i = 0; i < 200; ++i)
      rows += std::to_string(i % 50) + (i % 3 ? ",red," : ",blue,") + (i % 50 > 30 && i % 3 ? "yes\n" : "no\n");
    fovea::testing::write_file(folder_ / "t.csv", rows);
  }

  fovea::testing::Outcome learn(std::vector<std::string> more, bool interrupted = false) const {
    more.insert(more.begin(), {"synth", "rule", folder_ / "t.csv", "-o", folder_ / "rule"});
    fovea::testing::write_file(folder_ / "rule", "");
    fovea::testing::Outcome run = run_fovea(more, interrupted);
    run.out = fovea::testing::read_file(folder_ / "rule");
    return run;
  }

  fovea::testing::TemporaryFolder folder_;
};

TEST_F(SynthRuleTest, WritesTheRuleInWords) {
  const auto run = learn({"--only", "yes"});
  EXPECT_EQ(run.status, 0) << run.err;
  EXPECT_EQ(run.out, "sure is yes if\n  age > 30 and colour is red\notherwise sure is no\n");
  EXPECT_THAT(run.err, ::testing::HasSubstr("200 rows, rules of size 2, wrong 0.0 % of these; 0.0 %"));
}

TEST_F(SynthRuleTest, SpeaksOtherLanguages) {
  EXPECT_EQ(learn({"--only", "yes", "--language", "sql"}).out,
            "-- sure is yes\nWHERE (\"age\" > 30 AND \"colour\" = 'red')\n");
  EXPECT_EQ(learn({"--only", "yes", "--language", "python"}).out,
            "def predict(row):\n    if ((row[\"age\"] > 30 and row[\"colour\"] == \"red\")):\n        return \"yes\"\n"
            "    return \"no\"\n");
  EXPECT_EQ(learn({"--only", "yes", "--language", "smt-lib"}).out,
            "(define-fun |sure is yes| ((|age| Real) (|colour| String)) Bool\n  (and (> |age| 30.0) (= |colour| "
            "\"red\")))\n");
}

TEST_F(SynthRuleTest, ReportsErrorsBySize) {
  const auto run = learn({"--json", "--curve", folder_ / "curve.tsv", "--test", folder_ / "t.csv", "--only", "no"});
  EXPECT_EQ(run.status, 0) << run.err;
  const auto report = nlohmann::json::parse(run.out);
  EXPECT_EQ(report["rules"][0]["class"], "no");
  EXPECT_EQ(report["test_error"], 0);
  EXPECT_EQ(report["otherwise"], "yes");
  const std::string curve = fovea::testing::read_file(folder_ / "curve.tsv");
  EXPECT_THAT(curve,
              ::testing::StartsWith("class\tpenalty\tsize\ttraining_error\terror\tstandard_error\tchosen\nno\tnone\t"));
}

TEST_F(SynthRuleTest, WritesWhatItHasWhenInterrupted) {
  const auto run = learn({}, true);
  EXPECT_EQ(run.status, 130);
  EXPECT_THAT(run.out, ::testing::HasSubstr("otherwise sure is"));
  EXPECT_THAT(learn({"--time-limit", "1us"}).err, ::testing::HasSubstr("cross-validation was cut short"));
}

TEST_F(SynthRuleTest, RefusesOptionsThatDoNotFit) {
  EXPECT_THAT(learn({"--only", "nope"}).err, ::testing::HasSubstr("no row has this class"));
  EXPECT_THAT(learn({"--target", "agee"}).err, ::testing::HasSubstr("age"));
  EXPECT_EQ(learn({"--time-limit", "1s/item"}).status, 2);
}

}  // namespace
}  // namespace fovea::cli
