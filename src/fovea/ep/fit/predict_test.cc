// SPDX-License-Identifier: Apache-2.0
#include "fovea/ep/fit/predict.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <string>

#include "fovea/base/error.h"
#include "fovea/ep/fit/fit_model.h"
#include "tests/support/data_table.h"
#include "tests/support/temporary_folder.h"

namespace fovea::ep {
namespace {

using fovea::testing::data_table;
using ::testing::HasSubstr;
using ::testing::StartsWith;

/// The posterior of a model without noise in it: what it predicts can be computed by hand.
ModelPosterior posterior(const std::string& model, const io::Table& table) {
  ModelDrawOptions options;
  options.warm_up = 300;
  options.draws = 500;
  return fit_model({.model = model, .table = &table}, options, {}).posterior;
}

std::string fault_of(const ModelPosterior& posterior, const io::Table& table, const PredictOptions& options = {}) {
  try {
    predict(posterior, table, options, {});
    return "";
  } catch (const std::exception& error) {
    return error.what();
  }
}

const std::string kGroups =
    "groups ~ plate(group)\n"
    "m[groups] ~ normal(0, 100)\n"
    "y ~ normal(m[group] + 10 * x[group], 1)\n";

io::Table groups() {
  return data_table({"group", "x", "y"}, {{"a", "1", "15"}, {"a", "1", "15"}, {"b", "2", "40"}, {"b", "2", "40"}});
}

// m[a] is near 5 with a standard deviation of 1 / sqrt(2), m[b] near 20; c was not seen: it is normal(0, 100).
TEST(Predict, KnownGroupsKeepTheirEffectsAndNewOnesAreDrawn) {
  const io::Table table = data_table({"group", "x"}, {{"c", "3"}, {"b", "2"}, {"a", "1"}});
  const Prediction prediction = predict(posterior(kGroups, groups()), table, {}, {});
  ASSERT_EQ(prediction.columns.size(), 1);
  EXPECT_EQ(prediction.draws, 1000);
  const PredictedColumn& y = prediction.columns[0];
  EXPECT_EQ(y.name, "y");
  EXPECT_NEAR(y.mean[1], 40, .3);
  EXPECT_NEAR(y.sd[1], std::sqrt(1.5), .15);
  EXPECT_NEAR(y.mean[2], 15, .3);
  EXPECT_NEAR(y.mean[0], 30, 16);
  EXPECT_NEAR(y.sd[0], 100, 12);
  EXPECT_NEAR(y.high[1], 40 + 1.645 * std::sqrt(1.5), .4);
  EXPECT_NEAR(y.median[1], 40, .3);
}

TEST(Predict, TheNumberOfThreadsDoesNotMatter) {
  const ModelPosterior fitted = posterior(kGroups, groups());
  const io::Table table = data_table({"group", "x"}, {{"c", "3"}, {"a", "1"}});
  EXPECT_EQ(predict(fitted, table, {}, {.threads = 1}).columns[0].mean,
            predict(fitted, table, {}, {.threads = 3}).columns[0].mean);
}

// A new year goes on from the last one: a walk whose steps are 0.001.
TEST(Predict, NewMembersGoOnFromTheLastOne) {
  const ModelPosterior fitted = posterior(
      "years ~ plate(year)\nx[1] ~ normal(5, 0.001)\nx[year] ~ normal(x[year - 1] + 1, 0.001)\ny ~ normal(x[year], "
      "1)\n",
      data_table({"year", "y"}, {{"2001", "5"}, {"2002", "6"}, {"2003", "7"}}));
  const Prediction prediction = predict(fitted, data_table({"year"}, {{"2004"}, {"2005"}}), {}, {});
  EXPECT_NEAR(prediction.columns[0].mean[0], 8, .2);
  EXPECT_NEAR(prediction.columns[0].mean[1], 9, .2);
}

TEST(Predict, MembersHaveProbabilities) {
  const ModelPosterior fitted =
      posterior("kinds ~ plate(kind)\nshare[kinds] ~ dirichlet(1)\nkind ~ categorical(kinds, share[kinds])\n",
                data_table({"kind"}, {{"red"}, {"red"}, {"blue"}, {"red"}, {"red"}, {"red"}, {"red"}, {"blue"}}));
  const PredictedColumn kind = predict(fitted, data_table({"other"}, {{"1"}}), {}, {}).columns[0];
  EXPECT_THAT(kind.members, ::testing::ElementsAre("blue", "red"));
  EXPECT_NEAR(kind.probabilities[0][0], .3, .07);  // (2 + 1) / (8 + 2)
  EXPECT_NEAR(kind.probabilities[1][0] + kind.probabilities[0][0], 1, 1e-9);
}

TEST(Predict, OnlyMissingCellsUnlessAColumnIsNamed) {
  const ModelPosterior fitted =
      posterior("y ~ normal(x, 0.1)\nm ~ normal(0, 1)\n", data_table({"x", "y"}, {{"1", "1"}, {"2", "2"}}));
  const io::Table table = data_table({"x", "y"}, {{"7", "100"}, {"8", ""}});
  const PredictedColumn missing = predict(fitted, table, {}, {}).columns[0];
  EXPECT_TRUE(std::isnan(missing.mean[0]));
  EXPECT_NEAR(missing.mean[1], 8, .1);
  EXPECT_NEAR(predict(fitted, table, {.columns = {"y"}}, {}).columns[0].mean[0], 7, .1);
  const io::Table whole = data_table({"x", "y"}, {{"7", "100"}});
  EXPECT_THAT(fault_of(fitted, whole), HasSubstr("nothing to predict"));
  EXPECT_THAT(fault_of(fitted, whole, {.columns = {"yy"}}), HasSubstr("no distribution of a column 'yy'"));
}

// A number of each school, in all of its rows.
TEST(Predict, ColumnsOfMembersHaveTheNumberOfTheRowsMember) {
  const ModelPosterior fitted =
      posterior("schools ~ plate(school)\nm ~ normal(0, 1)\nsize[schools] ~ normal(100 * m, 0.001)\n",
                data_table({"school", "size"}, {{"a", "100"}, {"b", "100"}, {"a", "100"}}));
  const PredictedColumn size = predict(fitted, data_table({"school"}, {{"c"}, {"d"}, {"c"}}), {}, {}).columns[0];
  EXPECT_NEAR(size.mean[1], 100, .1);
  EXPECT_EQ(size.mean[0], size.mean[2]);
}

TEST(Predict, RefusesRowsThatHangOnOtherRows) {
  const io::Table table = data_table({"y"}, {{"1"}, {"2"}, {"3"}});
  const ModelPosterior fitted =
      posterior("x[1] ~ normal(0, 1)\nx[row] ~ normal(x[row - 1], 1)\ny ~ normal(x[row], 1)\n", table);
  EXPECT_THAT(fault_of(fitted, data_table({"z"}, {{"1"}})), HasSubstr("rows hang on other rows"));
}

TEST(Predict, NamesTheColumnThatTheTableLacks) {
  const ModelPosterior fitted =
      posterior("m ~ normal(0, 1)\ny ~ normal(m + x, 1)\n", data_table({"x", "y"}, {{"1", "1"}, {"2", "2"}}));
  EXPECT_THAT(fault_of(fitted, data_table({"w"}, {{"1"}})), HasSubstr("'x' is not known here"));
}

class PredictFiles : public ::testing::Test {
 protected:
  const fovea::testing::TemporaryFolder folder_;
};

TEST_F(PredictFiles, WritesTheTableWithThePredictions) {
  ModelJob fit;
  fit.model = folder_.write("m.fov", kGroups);
  fit.data_file = folder_.write("d.csv", "group,x,y\na,1,15\na,1,15\nb,2,40\n");
  fit.options.output = folder_ / "p.json";
  fit.drawing.warm_up = fit.drawing.draws = 300;
  fit_model(fit, {});
  PredictJob job;
  job.posterior_file = folder_ / "p.json";
  job.data_file = folder_.write("new.csv", "id,group,x\n7,b,2\n8,a,1\n");
  job.options.output = folder_ / "out.csv";
  const PredictReport report = predict(job, {});
  EXPECT_THAT(fovea::testing::read_file(folder_ / "out.csv"),
              StartsWith("id,group,x,y_mean,y_sd,y_quantile_5,y_median,y_quantile_95\n7,b,2,"));
  const auto json = nlohmann::json::parse(report.json);
  EXPECT_EQ(json["predicted"][0]["column"], "y");
  EXPECT_EQ(json["predicted"][0]["rows"], 2);
  job.posterior_file = folder_.write("q.json", "{\"model\": \"y ~ normal(0, 1)\"}");
  EXPECT_THROW(predict(job, {}), InputError);
}

TEST(ModelPosteriorText, IsReadAsItWasWritten) {
  const ModelPosterior fitted = posterior(kGroups, groups());
  const ModelPosterior read = parse_posterior(text_of(fitted), "p.json");
  EXPECT_EQ(text_of(read), text_of(fitted));
  EXPECT_EQ(read.values, fitted.values);
  EXPECT_EQ(read.member_numbers.at("groups").at("x"), (std::vector<double>{1, 2}));
  EXPECT_THROW(parse_posterior("[1, 2", "p.json"), InputError);
  EXPECT_THROW(parse_posterior("3", "p.json"), InputError);
}

}  // namespace
}  // namespace fovea::ep
