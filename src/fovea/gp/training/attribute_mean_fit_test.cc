// SPDX-License-Identifier: Apache-2.0
// Means that are weights of attributes, next to those of inducing points.
#include "fovea/gp/training/attribute_mean_fit.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "fovea/base/error.h"
#include "fovea/gp/posterior/temperature.h"
#include "fovea/gp/structured_gp.h"
#include "tests/support/expect_error.h"
#include "tests/support/gp_problem.h"
#include "tests/support/temporary_folder.h"

namespace fovea::gp {
namespace {

using fovea::testing::message_of;
using fovea::testing::random_gp_sequences;
using fovea::testing::telling_gp_sequences;

StructuredGpOptions with_means(GpMeans means, int points) {
  return {.kernel = Linear{2}, .inducing_points = points, .tolerance = 1e-6, .means = means};
}

TEST(AttributeMeansTest, AreInnerProductsWithKnownColumns) {
  SparseRows rows;
  rows.columns = {0, 2, 1, 7};
  rows.values = {2, .5f, 1, 3};
  rows.offsets = {0, 2, 2, 4};
  const AttributeMeans means({1, 10, 2, 20, 3, 30}, 2);
  const RowMatrix at = means.at(rows, 0, 3);
  EXPECT_EQ(at(0, 0), 2 * 1 + .5 * 3);
  EXPECT_EQ(at(0, 1), 2 * 10 + .5 * 30);
  EXPECT_EQ(at.row(1).squaredNorm(), 0);
  EXPECT_EQ(at(2, 1), 20);  // the model does not know column 7
  EXPECT_EQ(means.at(rows, 2, 3)(0, 0), 2);
  EXPECT_EQ(means.squared_norm(), 1 + 100 + 4 + 400 + 9 + 900);
}

/// With points for the whole rank there is nothing to free.
TEST(AttributeMeansTest, ChangeNothingWherePointsSayAll) {
  const Sequences train = telling_gp_sequences(40, 1), test = telling_gp_sequences(10, 2);
  StructuredGp by_points(with_means(GpMeans::kInducingPoints, 10)), by_attributes(with_means(GpMeans::kAttributes, 10));
  const double bound = by_points.fit(train).bound.total(), freed = by_attributes.fit(train).bound.total();
  EXPECT_NEAR(freed, bound, .01 * std::abs(bound));
  const LatentMoments a = by_points.latent_moments(test, test.labels);
  const LatentMoments b = by_attributes.latent_moments(test, test.labels);
  for (std::size_t i = 0; i < a.means.size(); ++i) {
    EXPECT_NEAR(b.means[i], a.means[i], .15);
    EXPECT_NEAR(b.variances[i], a.variances[i], 1e-4);
  }
}

/// Two points for six columns: freed means raise the bound to that of all points, except for variances.
TEST(AttributeMeansTest, RaiseTheBoundWherePointsAreFew) {
  const Sequences train = random_gp_sequences(std::vector<std::uint32_t>(30, 4), 3, 3);
  StructuredGp few(with_means(GpMeans::kInducingPoints, 2)), freed(with_means(GpMeans::kAttributes, 2)),
      all(with_means(GpMeans::kInducingPoints, 6));
  std::vector<double> bounds;
  const double bound = few.fit(train).bound.total();
  const FitSummary summary = freed.fit(train, std::make_shared<ChainLikelihood>(), {}, {},
                                       [&](const FitRecord& record) { bounds.push_back(record.bound); });
  EXPECT_GT(summary.bound.total(), bound);
  EXPECT_LT(summary.bound.total(), all.fit(train).bound.total());
  EXPECT_NEAR(bounds.back(), summary.bound.total(), 1);  // what is reported is the bound
}

/// Sequences whose items have one informative column, and three of 300 that carry no information: much to memorise.
Sequences distracted(std::size_t count, std::uint64_t seed) {
  Sequences sequences = telling_gp_sequences(count, seed, 4);
  Random random(seed + 1);
  SparseRows rows;
  for (std::size_t t = 0; t < sequences.item_count(); ++t) {
    rows.columns.push_back(sequences.features.columns[t]);
    for (const std::uint32_t base : {10, 110, 210}) rows.columns.push_back(base + random.uniform_index(100));
    rows.end_row();
  }
  sequences.features = std::move(rows);
  return sequences;
}

/// Sequences n with (n % 5 == part) == is_part.
Sequences part_of(const Sequences& all, std::size_t part, bool is_part) {
  std::vector<std::size_t> which;
  for (std::size_t n = 0; n < all.sequence_count(); ++n)
    if ((n % 5 == part) == is_part) which.push_back(n);
  return sequences_at(all, which);
}

/// Predictions by a fit of sequences left out, against fits without them. Both have the same share of wrong labels,
/// except by chance: four standard errors of a share. The fit has memorised the training sequences themselves.
TEST(AttributeMeansTest, LeftOutIsAsByFitsOfTheOthers) {
  const Sequences train = distracted(120, 4);
  double wrong = 0, seen_wrong = 0;
  const auto count_wrong = [](const StructuredGp& gp, const Sequences& sequences) {
    const Prediction prediction = gp.predict(sequences, 1000);  // hardly any errors by chance
    return score_marginals(prediction.marginals_matrix(), sequences.labels).error *
           static_cast<double>(sequences.item_count());
  };
  StructuredGp gp(StructuredGpOptions{.kernel = Linear{2}, .inducing_points = 20, .means = GpMeans::kAttributes});
  const FitSummary summary = gp.fit(train);
  seen_wrong = count_wrong(gp, train);
  for (std::size_t part = 0; part < 5; ++part) {
    StructuredGp others(StructuredGpOptions{.kernel = Linear{2}, .inducing_points = 20, .means = GpMeans::kAttributes});
    others.fit(part_of(train, part, false));
    wrong += count_wrong(others, part_of(train, part, true));
  }
  const double items = static_cast<double>(train.item_count()), share = wrong / items;
  const double error = std::sqrt(share * (1 - share) / items);
  EXPECT_NEAR(summary.left_out->error, share, 4 * error);
  EXPECT_LT(seen_wrong / items, share - 4 * error);
}

/// With more than 25,000 items not every fold is left out; the predictions are as by fits to the others.
TEST(AttributeMeansTest, OfManySequencesSomeAreLeftOut) {
  const Sequences train = telling_gp_sequences(12000, 8), test = telling_gp_sequences(2000, 9);
  ASSERT_GT(train.item_count(), 25000u);
  StructuredGp gp(StructuredGpOptions{
      .kernel = Linear{2}, .inducing_points = 4, .draws = 2, .iterations = 1, .means = GpMeans::kAttributes});
  const FitSummary summary = gp.fit(train);
  const double share = score_marginals(gp.predict(test).marginals_matrix(), test.labels).error;
  EXPECT_NEAR(summary.left_out->error, share, 5 * std::sqrt(share * (1 - share) / test.item_count()));
}

TEST(AttributeMeansTest, ComeBackFromAFile) {
  const fovea::testing::TemporaryFolder folder;
  const Sequences train = telling_gp_sequences(20, 5), test = telling_gp_sequences(10, 6);
  StructuredGp gp(with_means(GpMeans::kAttributes, 3));
  gp.fit(train);
  ContainerWriter writer("test", 1);
  gp.save(writer, "gp.");
  writer.write(folder / "a.gp");
  StructuredGp back =
      StructuredGp::load(Container::open(folder / "a.gp", "test", 1), "gp.", std::make_shared<ChainLikelihood>());
  EXPECT_EQ(back.predict(test).marginals, gp.predict(test).marginals);
  EXPECT_EQ(back.options().means, GpMeans::kAttributes);
  const FitSummary summary = back.resume(train, {.inference = GpInference::kSliceSampling, .iterations = 100});
  EXPECT_EQ(summary.iterations, 100);  // from the means by inducing points
}

TEST(AttributeMeansTest, NeedALinearCovariance) {
  const auto message = [](StructuredGpOptions options) {
    options.means = GpMeans::kAttributes;
    return message_of<UsageError>([&] { StructuredGp(options).fit(telling_gp_sequences(5, 7)); });
  };
  EXPECT_THAT(message({.kernel = Rbf()}), HasSubstr("kernel rbf(1, 1): must be linear(variance)"));
  EXPECT_THAT(message({.kernel = Covariance(Linear()) + Constant()}), HasSubstr("must be linear(variance)"));
  EXPECT_THAT(message({.inference = GpInference::kSaga}), HasSubstr("means attributes: must be inducing-points"));
}

}  // namespace
}  // namespace fovea::gp
