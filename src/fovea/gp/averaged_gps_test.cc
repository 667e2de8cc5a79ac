// SPDX-License-Identifier: Apache-2.0
#include "fovea/gp/averaged_gps.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "fovea/base/error.h"
#include "tests/support/expect_error.h"
#include "tests/support/gp_problem.h"
#include "tests/support/temporary_folder.h"

namespace fovea::gp {
namespace {

using fovea::testing::message_of;
using fovea::testing::telling_gp_sequences;
using ::testing::HasSubstr;

double log_sum(const std::vector<std::vector<double>>& probabilities, double first) {
  double sum = 0;
  for (std::size_t i = 0; i < probabilities[0].size(); ++i)
    sum += std::log(first * probabilities[0][i] + (1 - first) * probabilities[1][i]);
  return sum;
}

TEST(StackingTest, WeightsMakeTheLabelsLikeliest) {
  Random random(3);
  std::vector<std::vector<double>> probabilities(2, std::vector<double>(50));
  for (std::vector<double>& predictor : probabilities)
    for (double& p : predictor) p = random.threshold(1.0);
  const std::vector<double> weights = stacking_weights(probabilities);
  EXPECT_NEAR(weights[0] + weights[1], 1, 1e-9);
  for (double first = 0; first <= 1; first += .01)
    EXPECT_LE(log_sum(probabilities, first), log_sum(probabilities, weights[0]) + 1e-4) << first;
}

TEST(StackingTest, AllWeightIsOnAPredictorThatIsAlwaysBetter) {
  EXPECT_NEAR(stacking_weights(std::vector<std::vector<double>>{{.9, .8}, {.5, .1}})[0], 1, 1e-3);
}

TEST(StackingTest, OnlyItemsThatAllLeftOutCount) {
  const double none = std::nan("");
  const std::vector<std::vector<double>> some = {{.9, .8, .01}, {.5, .1, none}};
  EXPECT_NEAR(stacking_weights(some)[0], 1, 1e-3);
  EXPECT_EQ(stacking_weights(std::vector<std::vector<double>>{{none}, {.5}}), (std::vector<double>{.5, .5}));
}

class AveragedGpsTest : public ::testing::Test {
 protected:
  static StructuredGp fitted(double variance) {
    StructuredGp gp({.kernel = Linear{.variance = variance}});
    gp.fit(telling_gp_sequences(20, 1));
    return gp;
  }
  static AveragedGps average() {
    std::vector<AveragedGps::Member> members;
    members.push_back({fitted(.1), .25});
    members.push_back({fitted(3), .75});
    return AveragedGps(std::move(members));
  }

  Sequences test_ = telling_gp_sequences(10, 2);
};

TEST_F(AveragedGpsTest, AveragesMarginalsAndMoments) {
  const AveragedGps both = average();
  const StructuredGp a = fitted(.1), b = fitted(3);
  const std::vector<double> p = a.predict(test_).marginals, q = b.predict(test_).marginals;
  const std::vector<double> marginals = both.predict(test_).marginals;
  for (std::size_t i = 0; i < p.size(); ++i) EXPECT_NEAR(marginals[i], .25 * p[i] + .75 * q[i], 1e-12);
  const LatentMoments x = a.latent_moments(test_, test_.labels), y = b.latent_moments(test_, test_.labels);
  const LatentMoments mixture = both.latent_moments(test_, test_.labels);
  for (std::size_t i = 0; i < x.means.size(); ++i) {
    EXPECT_NEAR(mixture.means[i], .25 * x.means[i] + .75 * y.means[i], 1e-12);
    const double between = .25 * .75 * (x.means[i] - y.means[i]) * (x.means[i] - y.means[i]);
    EXPECT_NEAR(mixture.variances[i], .25 * x.variances[i] + .75 * y.variances[i] + between, 1e-9);
  }
}

TEST_F(AveragedGpsTest, IsStoredWithItsWeights) {
  const testing::TemporaryFolder folder;
  const AveragedGps both = average();
  ContainerWriter writer("test", 1);
  both.save(writer, "gp.");
  writer.write(folder / "both.gp");
  const Container container = Container::open(folder / "both.gp", "test", 1);
  const AveragedGps back = AveragedGps::load(container, "gp.", std::make_shared<ChainLikelihood>());
  ASSERT_EQ(back.members().size(), 2u);
  EXPECT_EQ(back.members()[1].weight, .75);
  EXPECT_EQ(back.predict(test_).marginals, both.predict(test_).marginals);
}

TEST_F(AveragedGpsTest, OneProcessIsStoredAsWithoutAverages) {
  const testing::TemporaryFolder folder;
  const StructuredGp one = fitted(3);
  ContainerWriter writer("test", 1);
  one.save(writer, "gp.");
  writer.write(folder / "one.gp");
  const Container container = Container::open(folder / "one.gp", "test", 1);
  AveragedGps back = AveragedGps::load(container, "gp.", std::make_shared<ChainLikelihood>());
  EXPECT_EQ(back.predict(test_).marginals, one.predict(test_).marginals);
  EXPECT_EQ(back.release_only().label_count(), 2u);
}

TEST_F(AveragedGpsTest, RefusesWhatIsNoAverage) {
  const testing::TemporaryFolder folder;
  for (const std::vector<double>& weights : {std::vector{.5, .6}, std::vector{1.5, -.5}}) {
    ContainerWriter bad("test", 1);
    fitted(1).save(bad, "gp.");
    bad.add_array("gp.average", std::span<const double>(weights));
    bad.write(folder / "bad.gp");
    const Container container = Container::open(folder / "bad.gp", "test", 1);
    EXPECT_THAT(
        message_of<InputError>([&] { AveragedGps::load(container, "gp.", std::make_shared<ChainLikelihood>()); }),
        HasSubstr("of sum 1"));
  }
  EXPECT_THAT(message_of<UsageError>([] { average().release_only(); }), HasSubstr("average of 2"));
}

}  // namespace
}  // namespace fovea::gp
