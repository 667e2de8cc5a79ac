// SPDX-License-Identifier: Apache-2.0
// fovea synth inv.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "fovea/synthesis/input/sygus.h"
#include "fovea/synthesis/verify/recheck.h"
#include "tests/support/counting_loop.h"
#include "tests/support/expect_error.h"
#include "tests/support/run_program.h"
#include "tests/support/temporary_folder.h"

namespace fovea::cli {
namespace {

using fovea::testing::run_fovea;

class SynthInvTest : public ::testing::Test {
 protected:
  /// `out` holds what was written to the file of results.
  fovea::testing::Outcome prove(const std::string& text, std::vector<std::string> more = {},
                                bool interrupted = false) const {
    const std::string file = folder_ / "loop.sl", result = folder_ / "result.txt";
    fovea::testing::write_file(file, text);
    fovea::testing::write_file(result, "");
    more.insert(more.begin(), {"synth", "inv", file, "-o", result});
    fovea::testing::Outcome run = run_fovea(more, interrupted);
    run.out = fovea::testing::read_file(result);
    return run;
  }

  fovea::testing::TemporaryFolder folder_;
  synthesis::TransitionSystem loop_ = fovea::testing::counting_loop();
};

TEST_F(SynthInvTest, WritesADefinitionThatIsAnInvariant) {
  const auto run = prove(synthesis::sygus_text(loop_), {"--no-spacer"});
  EXPECT_EQ(run.status, 0) << run.err;
  const std::string head = "(define-fun Inv ((x Int) (n Int)) Bool\n  ";
  ASSERT_THAT(run.out, StartsWith(head));
  ASSERT_THAT(run.out, ::testing::EndsWith(")\n"));
  EXPECT_TRUE(synthesis::is_proved_by(loop_, run.out.substr(head.size(), run.out.size() - head.size() - 2))) << run.out;
  EXPECT_THAT(run.err, HasSubstr("found by search, proved by Z3"));
}

TEST_F(SynthInvTest, ReportsAsJson) {
  const auto run = prove(synthesis::sygus_text(loop_), {"--json", "--seed", "5"});
  EXPECT_EQ(run.status, 0) << run.err;
  const auto report = nlohmann::json::parse(run.out);
  EXPECT_EQ(report["outcome"], "proved");
  EXPECT_THAT(report["definition"].get<std::string>(), StartsWith("(define-fun Inv"));
  EXPECT_THAT(report["found_by"].get<std::string>(), ::testing::AnyOf("search", "spacer"));
  EXPECT_TRUE(report["unsafe_run"].empty());
}

TEST_F(SynthInvTest, NamesTheStartStateOfALoopThatIsWrong) {
  const auto run = prove(synthesis::sygus_text(fovea::testing::counting_loop(3)));
  EXPECT_EQ(run.status, 4) << run.err;
  EXPECT_THAT(run.err, HasSubstr("this start state breaks the postcondition:\n  x = 3, n = "));
  EXPECT_EQ(run.out, "");
}

TEST_F(SynthInvTest, ReportsThatThereIsNone) {
  const auto run = prove(synthesis::sygus_text(fovea::testing::counting_loop(3)), {"--json"});
  EXPECT_EQ(run.status, 4) << run.err;
  const auto report = nlohmann::json::parse(run.out);
  EXPECT_EQ(report["outcome"], "infeasible");
  ASSERT_EQ(report["unsafe_run"].size(), 1u);
  EXPECT_THAT(report["unsafe_run"][0].get<std::string>(), StartsWith("x = 3, n = "));
  EXPECT_TRUE(report["definition"].is_null());
}

TEST_F(SynthInvTest, ShowsARunThatBreaksThePostcondition) {
  const synthesis::TransitionSystem loop = fovea::testing::counting_loop_that_ends_with(2);
  for (const std::vector<std::string>& options : {std::vector<std::string>{}, {"--no-spacer"}}) {
    const auto run = prove(synthesis::sygus_text(loop), options);
    EXPECT_EQ(run.status, 4) << run.err;
    EXPECT_THAT(run.err, HasSubstr("this run breaks the postcondition after 3 steps:\n  x = 0, n = "));
    EXPECT_THAT(run.err, HasSubstr("\n  x = 3, n = "));
  }
}

TEST_F(SynthInvTest, EndsAtItsLimitAndWhenInterrupted) {
  EXPECT_EQ(prove(synthesis::sygus_text(loop_), {"--time-limit", "1us"}).status, 5);
  EXPECT_EQ(prove(synthesis::sygus_text(loop_), {}, true).status, 130);
}

TEST_F(SynthInvTest, RefusesWhatItCannotRead) {
  const auto run = prove("(set-logic LIA)\n(synth-inv Inv ((x Real)))\n");
  EXPECT_EQ(run.status, 3);
  EXPECT_THAT(run.err, HasSubstr("loop.sl:2"));
  EXPECT_EQ(prove(synthesis::sygus_text(loop_), {"--time-limit", "1s/item"}).status, 2);
}

}  // namespace
}  // namespace fovea::cli
