// SPDX-License-Identifier: Apache-2.0
#include "fovea/graph/report/solve_report.h"

#include <gmock/gmock.h>

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "tests/support/expect_error.h"
#include "tests/support/text_files.h"

namespace fovea::graph {
namespace {

using Json = nlohmann::json;

SolveReport report_of_map() {
  SolveReport report;
  report.variables = 2;
  report.time_limit = "10s";
  MapResult result;
  result.status = SolveStatus::kBestSoFar;
  result.method = "annealing";
  result.best = {.values = {1, 0}, .score = -2};
  result.bound = -1.5;
  result.phases.push_back({.name = "simplifying", .seconds = 0.25, .outcome = "2 variables left"});
  report.result = result;
  return report;
}

std::string solution_of(const SolveReport& report) {
  return testing::written([&](io::OutputFile& output) { write_solution(report, output); });
}

TEST(SolveReport, SaysHowGoodAnAssignmentIs) {
  const SolveReport report = report_of_map();
  const Json json = Json::parse(report.json());
  EXPECT_EQ(json["values"], Json({1, 0}));
  EXPECT_EQ(json["score"], -2);
  EXPECT_EQ(json["bound"], -1.5);
  EXPECT_EQ(json["gap"], 0.5);
  EXPECT_EQ(json["optimal"], false);
  EXPECT_EQ(json["given"]["time_limit"], "10s");
  EXPECT_FALSE(json.contains("marginals"));
  EXPECT_THAT(report.full(), HasSubstr("2 variables left"));
  EXPECT_THAT(report.brief(), HasSubstr("at most 0.5"));
  EXPECT_EQ(solution_of(report), "MAP\n2 1 0\n");
}

TEST(SolveReport, ListsDiverseAnswers) {
  SolveReport report = report_of_map();
  auto& map = std::get<MapResult>(report.result);
  map.diverse = {map.best, {.values = {0, 1}, .score = -3}};
  EXPECT_EQ(solution_of(report), "MAP\n2\n2 1 0\n2 0 1\n");
  EXPECT_EQ(Json::parse(report.json())["diverse"][1]["score"], -3);
}

TEST(SolveReport, WhatIsUnboundedIsNull) {
  SolveReport report = report_of_map();
  std::get<MapResult>(report.result).bound = std::numeric_limits<double>::infinity();
  const Json json = Json::parse(report.json());
  EXPECT_TRUE(json["bound"].is_null());
  EXPECT_TRUE(json["gap"].is_null());
}

TEST(SolveReport, NamesAreRepeatedWhereThereAreAny) {
  SolveReport report = report_of_map();
  report.names = {.model = "m", .variables = {"rain", "grass"}, .values = {{"no", "yes"}, {"dry", "wet"}}};
  EXPECT_EQ(Json::parse(report.json())["named"], Json({{"rain", "yes"}, {"grass", "dry"}}));
}

TEST(SolveReport, MarginalsAndSums) {
  MarginalsResult result;
  result.status = SolveStatus::kExact;
  result.method = "junction tree";
  result.log_partition = 2;
  result.marginals = {{0.25, 0.75}};
  SolveReport report;
  report.asked.task = SolveTask::kMarginals;
  report.result = result;
  const Json json = Json::parse(report.json());
  EXPECT_EQ(json["marginals"], Json::parse("[[0.25, 0.75]]"));
  EXPECT_NEAR(json["log10_partition"], 2 / std::log(10), 1e-12);
  EXPECT_EQ(solution_of(report), "MAR\n1 2 0.25 0.75\n");
  report.result = static_cast<const PartitionResult&>(result);
  EXPECT_THAT(solution_of(report), HasSubstr("PR\n0.868588963806"));
}

TEST(SolveReport, AMarginalMapListsTheQueryAlone) {
  SolveReport report = report_of_map();
  report.asked.task = SolveTask::kMarginalMap;
  report.result = MarginalMapResult{std::get<MapResult>(report.result)};
  report.query = {0};
  EXPECT_EQ(solution_of(report), "MMAP\n1 0 1\n");
  EXPECT_EQ(Json::parse(report.json())["query"], Json::array({0}));
}

TEST(SolveReport, TracesAreLinesOfJson) {
  const Json json =
      Json::parse(trace_line({.seconds = 0.5, .value = -3, .method = "annealing", .work = {.transitions = 7}}));
  EXPECT_EQ(json["score"], -3);
  EXPECT_TRUE(json["bound"].is_null());
  EXPECT_EQ(json["transitions"], 7);
}

TEST(SolveReport, BeforeAnAnswerItSaysSo) {
  EXPECT_EQ(SolveReport{}.brief(), "not run");
  EXPECT_EQ(Json::parse(SolveReport{}.json())["status"], "not run");
}

}  // namespace
}  // namespace fovea::graph
