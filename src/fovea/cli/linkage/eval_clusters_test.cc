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

class EvalClustersTest : public ::testing::Test {
 protected:
  std::string write(const std::string& name, const std::string& text) const {
    fovea::testing::write_file(folder_ / name, text);
    return folder_ / name;
  }

  const fovea::testing::TemporaryFolder folder_;
  const std::string together_ = write("together.csv", "id,who,cluster\n1,a,x\n2,a,x\n3,b,x\n4,,x\n");
  const std::string right_ = write("right.tsv", "cluster\tid\n7\t3\n8\t2\n8\t1\n9\t4\n");
};

TEST_F(EvalClustersTest, WritesATableOrOneLineOrJson) {
  const auto full = run_fovea({"eval", "clusters", together_, "--gold", "who"});
  EXPECT_EQ(full.status, 0);
  EXPECT_THAT(full.out, HasSubstr("3 mentions, 1 without a gold label left out"));
  EXPECT_THAT(run_fovea({"eval", "clusters", together_, "--gold", "who", "--brief"}).out,
              HasSubstr("B-cubed F1 71.43, precision 55.56, recall 100.00; pairs F1 50.00"));
  const auto json = nlohmann::json::parse(run_fovea({"eval", "clusters", together_, "--gold", "who", "--json"}).out);
  EXPECT_EQ(json["pairs"]["predicted"], 3);
}

TEST_F(EvalClustersTest, JoinsAnotherFileById) {
  const auto joined = run_fovea({"eval", "clusters", right_, "--id", "id", "--clusters-column", "cluster", "--gold",
                                 "who", "--gold-file", together_, "--json"});
  EXPECT_EQ(joined.status, 0) << joined.err;
  EXPECT_EQ(nlohmann::json::parse(joined.out)["b_cubed"]["f1"], 1);
}

TEST_F(EvalClustersTest, DifferenceIsOfTheFileMinusTheOther) {
  const std::vector<std::string> command = {"eval",    "clusters",  together_, "--id",   "id", "--clusters-column",
                                            "cluster", "--against", right_,    "--gold", "who"};
  EXPECT_THAT(run_fovea(command).out, HasSubstr("B-cubed F1 difference -28.57"));
  auto with_json = command;
  with_json.emplace_back("--json");
  const auto json = nlohmann::json::parse(run_fovea(with_json).out);
  EXPECT_EQ(json["metrics"]["clusters"]["correct"], 0);
  EXPECT_EQ(json["against"]["clusters"]["correct"], 2);
  EXPECT_NEAR(json["b_cubed_f1_difference"], -2.0 / 7, 1e-12);
}

TEST_F(EvalClustersTest, ReadsTablesAsItIsTold) {
  const std::string latin = write("latin.csv", "id;who;cluster\n1;M\xfcller;x\n2;NA;y\n");
  const auto refused = run_fovea({"eval", "clusters", latin, "--gold", "who"});
  EXPECT_EQ(refused.status, 3);
  EXPECT_THAT(refused.err, HasSubstr("--encoding"));
  const auto read = run_fovea({"eval", "clusters", latin, "--gold", "who", "--encoding", "latin1", "--missing", "NA"});
  EXPECT_EQ(read.status, 0) << read.err;
  EXPECT_THAT(read.out, HasSubstr("1 mentions, 1 without a gold label"));
}

TEST_F(EvalClustersTest, BadInputAndUsage) {
  const auto no_gold = run_fovea({"eval", "clusters", together_});
  EXPECT_EQ(no_gold.status, 2);
  EXPECT_THAT(no_gold.err, HasSubstr("--gold"));
  const auto no_column = run_fovea({"eval", "clusters", together_, "--gold", "whom"});
  EXPECT_EQ(no_column.status, 3);
  EXPECT_THAT(no_column.err, HasSubstr("together.csv: no column is called 'whom'"));
  EXPECT_EQ(run_fovea({"eval", "clusters", "no/such/file", "--gold", "who"}).status, 3);
  const std::string fewer = write("fewer.csv", "id,who\n1,a\n2,a\n3,b\n");
  const auto missing = run_fovea({"eval", "clusters", together_, "--gold", "who", "--gold-file", fewer});
  EXPECT_EQ(missing.status, 3);
  EXPECT_THAT(missing.err, HasSubstr("together.csv:5: "));
}

}  // namespace
}  // namespace fovea::cli
