// SPDX-License-Identifier: Apache-2.0
#include "fovea/ep/fit/fit_model.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <string>

#include "fovea/base/error.h"
#include "tests/support/temporary_folder.h"

namespace fovea::ep {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

class FitModel : public ::testing::Test {
 protected:
  ModelJob job() const {
    ModelJob made;
    made.model = folder_.write("m.fov", "m ~ normal(0, scale)\ny ~ normal(m, 1)\n");
    made.data_file = folder_.write("d.csv", "y\n1\n2\n3\n");
    made.options.given = {"scale=10"};
    made.drawing.warm_up = 200;
    made.drawing.draws = 2000;
    return made;
  }

  const fovea::testing::TemporaryFolder folder_;
};

// m given three numbers: precision 1 / 100 + 3.
TEST_F(FitModel, WritesThePosteriorAndItsDraws) {
  ModelJob with_files = job();
  with_files.options.output = folder_ / "p.json";
  with_files.options.draws_file = folder_ / "draws.csv";
  const ModelReport report = fit_model(with_files, {});
  const auto written = nlohmann::json::parse(fovea::testing::read_file(folder_ / "p.json"));
  EXPECT_EQ(written["variables"][0]["name"], "m");
  EXPECT_NEAR(written["variables"][0]["mean"].get<double>(), 6 / 3.01, .1);
  EXPECT_NEAR(written["variables"][0]["sd"].get<double>(), 1 / std::sqrt(3.01), .06);
  EXPECT_THAT(fovea::testing::read_file(folder_ / "draws.csv"), StartsWith("chain,draw,m\n1,1,"));
  EXPECT_THAT(report.text, HasSubstr("4 chains of 2000 draws: mixed; 0 divergent"));
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
