// SPDX-License-Identifier: Apache-2.0
#include "fovea/ep/fit/fit_model.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>

#include "fovea/base/error.h"

namespace fovea::ep {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

class FitModel : public testing::Test {
 protected:
  FitModel() { std::filesystem::create_directories(folder_); }
  ~FitModel() override { std::filesystem::remove_all(folder_); }

  std::string file(const std::string& name, const std::string& text) const {
    std::ofstream(folder_ / name) << text;
    return folder_ / name;
  }
  std::string path(const std::string& name) const { return folder_ / name; }
  static std::string read(const std::string& path) {
    std::ostringstream text;
    text << std::ifstream(path).rdbuf();
    return text.str();
  }

  ModelJob job() const {
    ModelJob made;
    made.model = file("m.fov", "m ~ normal(0, scale)\ny ~ normal(m, 1)\n");
    made.data_file = file("d.csv", "y\n1\n2\n3\n");
    made.options.given = {"scale=10"};
    made.drawing.warm_up = 200;
    made.drawing.draws = 500;
    return made;
  }

  std::filesystem::path folder_ = std::filesystem::temp_directory_path() / "fit_model_test";
};

// m given three numbers: precision 1 / 100 + 3.
TEST_F(FitModel, WritesThePosteriorAndItsDraws) {
  ModelJob with_files = job();
  with_files.options.output = path("p.json");
  with_files.options.draws_file = path("draws.csv");
  const ModelReport report = fit_model(with_files, {});
  const auto written = nlohmann::json::parse(read(path("p.json")));
  EXPECT_EQ(written["variables"][0]["name"], "m");
  EXPECT_NEAR(written["variables"][0]["mean"].get<double>(), 6 / 3.01, .1);
  EXPECT_NEAR(written["variables"][0]["sd"].get<double>(), 1 / std::sqrt(3.01), .06);
  EXPECT_THAT(read(path("draws.csv")), StartsWith("chain,draw,m\n1,1,"));
  EXPECT_THAT(report.text, HasSubstr("4 chains of 500 draws: mixed; 0 divergent"));
}

TEST_F(FitModel, RefusesNumbersThatTheModelDoesNotName) {
  ModelJob wrong = job();
  wrong.options.given = {"scale=10", "scal=3"};
  EXPECT_THROW(fit_model(wrong, {}), UsageError);
  wrong.options.given = {"scale=ten"};
  EXPECT_THROW(fit_model(wrong, {}), UsageError);
  wrong.options.given = {};
  EXPECT_THROW(fit_model(wrong, {}), InputError);
}

TEST_F(FitModel, ShowsTheModelOfAFormula) {
  ModelJob formula = job();
  formula.model = "y ~ 1";
  formula.options.given = {};
  formula.options.show_model = true;
  EXPECT_THAT(fit_model(formula, {}).text, HasSubstr("y ~ normal(centre, sigma)"));
  formula.data_file = "";
  EXPECT_THROW(fit_model(formula, {}), UsageError);
}

TEST_F(FitModel, SaysWhetherThePersonOrTheLimitStoppedIt) {
  CancelToken cancel;
  cancel.cancel();
  EXPECT_THROW(fit_model(job(), {.stop = {.cancel = &cancel}}), CancelledError);
  EXPECT_THROW(fit_model(job(), {.stop = {.deadline = Stop::Clock::now()}}), LimitError);
}

}  // namespace
}  // namespace fovea::ep
