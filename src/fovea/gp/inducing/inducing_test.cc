// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "fovea/base/error.h"
#include "fovea/gp/covariance/functions.h"
#include "fovea/gp/inducing/inducing_choice.h"
#include "fovea/gp/inducing/inducing_points.h"
#include "tests/support/expect_error.h"

namespace fovea::gp {
namespace {

using fovea::testing::message_of;

/// 40 rows of 5 columns in two groups far apart, every row twice.
SparseRows clustered_rows() {
  Random random(2);
  SparseRows rows;
  for (int r = 0; r < 20; ++r) {
    std::vector<float> values;
    for (int c = 0; c < 5; ++c) values.push_back(static_cast<float>(random.normal() + (r < 10 ? 0 : 8)));
    for (int copy = 0; copy < 2; ++copy) {
      for (std::uint32_t c = 0; c < 5; ++c) {
        rows.columns.push_back(c);
        rows.values.push_back(values[c]);
      }
      rows.end_row();
    }
  }
  return rows;
}

TEST(InducingChoiceTest, ChoosesNoRowTwice) {
  const SparseRows rows = clustered_rows();
  for (const InducingChoice method :
       {InducingChoice::kPivotedCholesky, InducingChoice::kKMeans, InducingChoice::kRandom})
    for (const std::size_t most : {1u, 7u, 20u, 100u}) {
      const auto chosen = choose_inducing_rows(method, Rbf(), rows, most, Random(1));
      std::set<std::uint32_t> distinct;
      for (const std::uint32_t r : chosen) distinct.insert(r / 2);
      EXPECT_EQ(distinct.size(), chosen.size()) << word_of(method);
      EXPECT_EQ(chosen.size(), std::min<std::size_t>(most, 20)) << word_of(method);
    }
}

TEST(InducingChoiceTest, PivotsEndAtTheRankAndExplainEverything) {
  const SparseRows rows = clustered_rows();
  const auto chosen = choose_inducing_rows(InducingChoice::kPivotedCholesky, Linear(), rows, 100, Random(1));
  EXPECT_EQ(chosen.size(), 5u);
  const InducingPoints points(Linear(), rows_at(rows, chosen));
  EXPECT_LT(points.residual(rows, points.project(rows)).cwiseAbs().maxCoeff(), 1e-4);
}

TEST(InducingChoiceTest, MeansFindTheGroups) {
  const SparseRows rows = clustered_rows();
  const auto chosen = choose_inducing_rows(InducingChoice::kKMeans, Linear(), rows, 2, Random(1));
  ASSERT_EQ(chosen.size(), 2u);
  EXPECT_NE(chosen[0] < 20, chosen[1] < 20);
}

TEST(InducingChoiceTest, EndsWhenCancelled) {
  CancelToken cancel;
  cancel.cancel();
  for (const InducingChoice method : {InducingChoice::kPivotedCholesky, InducingChoice::kKMeans})
    EXPECT_THROW(choose_inducing_rows(method, Rbf(), clustered_rows(), 7, Random(1), {.cancel = &cancel}),
                 CancelledError);
}

TEST(InducingPointsTest, JitterIsAddedOnlyWhereItMust) {
  const SparseRows rows = clustered_rows();
  EXPECT_EQ(InducingPoints(Rbf(), rows_at(rows, std::vector<std::uint32_t>{0, 2, 4})).jitter(), 0);
  const InducingPoints twice(Rbf(), rows_at(rows, std::vector<std::uint32_t>{0, 1, 4}));
  EXPECT_GT(twice.jitter(), 0);
  EXPECT_LE(twice.jitter(), 1e-4);
}

struct Indefinite {
  double operator()(const InnerProducts& p) const { return p.xy == p.xx ? 1 : 2; }
};
struct Infinite {
  double operator()(const InnerProducts&) const { return std::numeric_limits<double>::infinity(); }
};

TEST(InducingPointsTest, RefusesWhatIsNoCovariance) {
  const SparseRows rows = rows_at(clustered_rows(), std::vector<std::uint32_t>{0, 2, 4, 30});
  EXPECT_THAT(message_of<InputError>([&] { InducingPoints(Indefinite(), rows); }), HasSubstr("not positive definite"));
  EXPECT_THAT(message_of<InputError>([&] { InducingPoints(Infinite(), rows); }), HasSubstr("not finite"));
}

}  // namespace
}  // namespace fovea::gp
