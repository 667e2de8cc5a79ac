// SPDX-License-Identifier: Apache-2.0
// fovea synth dnf and fovea generate formulas.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/support/expect_error.h"
#include "tests/support/run_program.h"
#include "tests/support/temporary_folder.h"

namespace fovea::cli {
namespace {

using fovea::testing::run_fovea;

class SynthDnfTest : public ::testing::Test {
 protected:
  SynthDnfTest() {
    std::string text = "x1,x2,x3,holds\n";  // [x1 != 0] or [x2 = x3], the paper's example
    for (int x = -1; x <= 1; ++x)
      for (int y = -2; y <= 2; ++y)
        for (int z = -2; z <= 2; ++z)
          text += std::to_string(x) + "," + std::to_string(y) + "," + std::to_string(z) +
                  (x != 0 || y == z ? ",true\n" : ",false\n");
    fovea::testing::write_file(paper_, text);
  }

  /// `out` holds what was written to the file of results.
  fovea::testing::Outcome synth_file(const std::string& file, std::vector<std::string> more = {}) const {
    more.insert(more.begin(), {"synth", "dnf", file, "-o", result_});
    fovea::testing::write_file(result_, "");
    fovea::testing::Outcome run = run_fovea(more);
    run.out = fovea::testing::read_file(result_);
    return run;
  }

  fovea::testing::Outcome synth(const std::string& text, std::vector<std::string> more = {}) const {
    const std::string file = folder_ / "rows.csv";
    fovea::testing::write_file(file, text);
    return synth_file(file, std::move(more));
  }

  fovea::testing::TemporaryFolder folder_;
  std::string paper_ = folder_ / "paper.csv", result_ = folder_ / "result.txt";
};

TEST_F(SynthDnfTest, FindsThePapersExample) {
  const auto run = synth_file(paper_, {"--terms", "2", "--atoms", "1", "--coefficients", "0", "--octagons",
                                       "--equations", "--budget", "1e7 transitions"});
  EXPECT_EQ(run.status, 0) << run.err;
  EXPECT_THAT(run.out, ::testing::AnyOf("x1 != 0 or x2 = x3\n", "x2 = x3 or x1 != 0\n"));
  EXPECT_THAT(run.err, HasSubstr("no guarantee: which chain"));
}

TEST_F(SynthDnfTest, EveryNumberOfStagesFindsAFormula) {
  for (const char* stages : {"0", "1", "2", "portfolio"}) {
    const auto run = synth_file(paper_, {"--stages", stages, "--budget", "1e7 transitions", "--json"});
    EXPECT_EQ(run.status, 0) << run.err;
    const auto json = nlohmann::json::parse(run.out);
    EXPECT_TRUE(json["complete"]);
    EXPECT_EQ(json["errors"], 0);
    EXPECT_EQ(json["examples"], 75);
    EXPECT_EQ(json["options"]["stages"], stages);
    const bool has_guarantee = stages[0] == '1' || stages[0] == '2';
    EXPECT_EQ(json["mixing_bound"].is_object(), has_guarantee);
    EXPECT_EQ(json["guarantee"].get<std::string>().starts_with("no guarantee"), !has_guarantee);
  }
}

TEST_F(SynthDnfTest, TheSameSeedAndBudgetGiveTheSameFormula) {
  const std::vector<std::string> options = {"--seed", "4", "--budget", "1e7 transitions"};
  const auto first = synth_file(paper_, options);
  EXPECT_EQ(first.status, 0);
  EXPECT_NE(first.out, "");
  EXPECT_EQ(synth_file(paper_, options).out, first.out);
}

TEST_F(SynthDnfTest, ContradictionsEndWithFourAndBothRows) {
  const auto run = synth("x,holds\n1,1\n2,0\n\n1,0\n");
  EXPECT_EQ(run.status, 4);
  EXPECT_THAT(run.err, AllOf(HasSubstr("rows.csv:2 and"), HasSubstr("rows.csv:5"), HasSubstr("the row 1")));
}

TEST_F(SynthDnfTest, ALimitEndsWithFiveAndTheBestFormula) {
  const std::string parity = "x,holds\n0,1\n1,0\n2,1\n3,0\n4,1\n5,0\n";
  const auto run = synth(parity, {"--terms", "1", "--atoms", "2", "--budget", "1e5 transitions"});
  EXPECT_EQ(run.status, 5);
  EXPECT_EQ(run.out, "");
  EXPECT_THAT(run.err, AllOf(HasSubstr("in 100000 steps"), HasSubstr("the best, x"), HasSubstr("of 6 rows: lines ")));
  const auto json_run = synth(parity, {"--terms", "1", "--atoms", "2", "--time-limit", "200ms", "--json"});
  EXPECT_EQ(json_run.status, 5);
  const auto json = nlohmann::json::parse(json_run.out);
  EXPECT_FALSE(json["complete"]);
  EXPECT_EQ(json["error_lines"].size(), json["errors"]);
  EXPECT_EQ(json["errors"], 2);
}

TEST_F(SynthDnfTest, BadInputEndsWithThreeAndItsPlace) {
  const auto cell = synth("x,y,holds\n1,2,1\n1,two,0\n");
  EXPECT_EQ(cell.status, 3);
  EXPECT_THAT(cell.err, HasSubstr("rows.csv:3: column 2: 'two' is not an integer"));
  EXPECT_EQ(synth("x,holds\n").status, 3);
  EXPECT_EQ(synth("x,holds\n1,maybe\n").status, 3);
  EXPECT_EQ(run_fovea({"synth", "dnf", folder_ / "nowhere.csv"}).status, 3);
}

TEST_F(SynthDnfTest, UsageEndsWithTwo) {
  for (const std::vector<std::string>& options :
       std::vector<std::vector<std::string>>{{"--terms", "0"},
                                             {"--stages", "3"},
                                             {"--budget", "5 sweeps"},
                                             {"--budget", "5 transitions/item"},
                                             {"--constants", "1,2x"},
                                             {"--equations"},
                                             {"--coefficients", "0"}}) {
    const auto run = synth("x,holds\n1,1\n2,0\n", options);
    EXPECT_EQ(run.status, 2) << options[0] << run.err;
  }
}

TEST_F(SynthDnfTest, CtrlCEndsWith130) {
  const std::string file = folder_ / "rows.csv";
  fovea::testing::write_file(file, "x,holds\n1,1\n2,0\n");
  EXPECT_EQ(run_fovea({"synth", "dnf", file}, true).status, 130);
}

TEST_F(SynthDnfTest, GeneratedRowsHaveAFormula) {
  const std::string rows = folder_ / "generated.csv";
  const auto generated = run_fovea({"generate", "formulas", "--terms", "2", "--atoms", "2", "-o", rows});
  EXPECT_EQ(generated.status, 0) << generated.err;
  EXPECT_THAT(generated.err, HasSubstr("x"));
  EXPECT_THAT(fovea::testing::read_file(rows), ::testing::StartsWith("x1,x2,x3,x4,x5,holds\n"));
  const auto run = synth_file(rows, {"--constants", "-1,0,1", "--budget", "1e8 transitions"});
  EXPECT_EQ(run.status, 0) << run.err;
}

}  // namespace
}  // namespace fovea::cli
