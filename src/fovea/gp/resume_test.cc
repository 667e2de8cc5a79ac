// SPDX-License-Identifier: Apache-2.0
// Fits that continue from a posterior, and checkpoints to continue from.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "fovea/base/error.h"
#include "fovea/gp/structured_gp.h"
#include "tests/support/expect_error.h"
#include "tests/support/gp_problem.h"
#include "tests/support/temporary_folder.h"

namespace fovea::gp {
namespace {

using fovea::testing::message_of;
using fovea::testing::telling_gp_sequences;

const StructuredGpOptions kScores{.inference = GpInference::kScoreFunction, .draws = 2000, .iterations = 1};

double first_bound(StructuredGp& gp, const Sequences& sequences, const StructuredGpOptions& options, bool resume) {
  std::vector<double> bounds;
  const FitObserver note = [&](const FitRecord& record) { bounds.push_back(record.bound); };
  if (resume) {
    gp.resume(sequences, options, {}, {}, note);
  } else {
    gp = StructuredGp(options);
    gp.fit(sequences, std::make_shared<ChainLikelihood>(), {}, {}, note);
  }
  return bounds.at(0);
}

/// Within five standard errors, since both bounds are estimates: eight of 2,000 draws, and one of 16,000, which has the
/// standard error of their mean.
TEST(ResumeTest, ScoresGoOnFromNaturalGradients) {
  const Sequences train = telling_gp_sequences(20, 1);
  const fovea::testing::TemporaryFolder folder;
  StructuredGp fitted({.draws = 16000, .means = GpMeans::kInducingPoints});
  const double bound = fitted.fit(train).bound.total();
  StructuredGp fresh;
  const double from_prior = first_bound(fresh, train, kScores, false);
  ContainerWriter writer("test", 1);
  fitted.save(writer, "gp.");
  writer.write(folder / "a.gp");
  double sum = 0, squares = 0;
  for (std::uint64_t seed = 1; seed <= 8; ++seed) {
    StructuredGp again =
        StructuredGp::load(Container::open(folder / "a.gp", "test", 1), "gp.", std::make_shared<ChainLikelihood>());
    StructuredGpOptions options = kScores;
    options.seed = seed;
    const double difference = first_bound(again, train, options, true) - bound;
    sum += difference;
    squares += difference * difference;
  }
  const double mean = sum / 8, variance = (squares / 8 - mean * mean) * 8 / 7;
  EXPECT_LT(std::abs(mean), 5 * std::sqrt(2 * variance / 8));
  EXPECT_LT(from_prior, bound - .1 * std::abs(bound));
}

TEST(ResumeTest, ADiagonalPosteriorKeepsVariancesAndMeans) {
  const Sequences train = telling_gp_sequences(20, 1), test = telling_gp_sequences(5, 2);
  StructuredGpOptions options = kScores;
  options.diagonal = true;
  StructuredGp gp(options);
  gp.fit(train);
  const LatentMoments before = gp.latent_moments(test, test.labels);
  CancelToken cancelled;
  cancelled.cancel();
  gp.resume(train, options, Stop{.cancel = &cancelled});
  const LatentMoments after = gp.latent_moments(test, test.labels);
  for (std::size_t i = 0; i < before.means.size(); ++i) {
    EXPECT_NEAR(after.means[i], before.means[i], 1e-6);
    EXPECT_NEAR(after.variances[i], before.variances[i], 1e-5 * (1 + before.variances[i]));
  }
}

TEST(ResumeTest, AChainGoesOnFromItsLastDraw) {
  const Sequences train = telling_gp_sequences(20, 3);
  const StructuredGpOptions options{.inference = GpInference::kSliceSampling, .iterations = 100};
  StructuredGp gp(options);
  const double last = gp.fit(train).bound.expected_log_likelihood;
  CancelToken cancelled;
  cancelled.cancel();
  const Stop at_once{.cancel = &cancelled};
  // With points for the whole rank the residual is 0, so the last draw is known completely, except for a jitter of 1e-5
  // of variances.
  EXPECT_NEAR(gp.resume(train, options, at_once).bound.expected_log_likelihood, last, .1);
  StructuredGp fresh(options);
  const Stop late{.deadline = Stop::Clock::now()};
  EXPECT_GT(std::abs(fresh.fit(train, std::make_shared<ChainLikelihood>(), late).bound.expected_log_likelihood - last),
            1);
  EXPECT_THROW(fresh.fit(train, std::make_shared<ChainLikelihood>(), at_once), CancelledError);
  EXPECT_EQ(gp.resume(train, options).iterations, 100);
}

TEST(ResumeTest, ACheckpointIsTheModelAsItStands) {
  const fovea::testing::TemporaryFolder folder;
  const std::string path = folder / "part.gp";
  const Sequences train = telling_gp_sequences(20, 4), test = telling_gp_sequences(10, 5);
  std::vector<double> expected;
  StructuredGp gp;
  gp.fit(train, std::make_shared<ChainLikelihood>(), {}, {}, [&](const FitRecord& record) {
    if (record.iteration != 2) return;
    ContainerWriter writer("test", 1);
    record.save(writer, "gp.");
    writer.write(path);
    expected = record.predict(test).marginals;
  });
  ASSERT_FALSE(expected.empty());
  StructuredGp back = StructuredGp::load(Container::open(path, "test", 1), "gp.", std::make_shared<ChainLikelihood>());
  EXPECT_EQ(back.predict(test).marginals, expected);
  back.resume(train, kScores);
  EXPECT_GT(back.label_count(), 0u);
}

TEST(ResumeTest, RefusesWhatItCannotGoOnFrom) {
  const Sequences train = telling_gp_sequences(10, 6), others = telling_gp_sequences(10, 6, 3);
  StructuredGp none, gaussians, draws({.inference = GpInference::kSliceSampling, .iterations = 20});
  gaussians.fit(train);
  draws.fit(train);
  const auto resume = [](StructuredGp& gp, const Sequences& sequences, GpInference inference) {
    gp.resume(sequences, {.inference = inference});
  };
  const auto message = [&](StructuredGp& gp, const Sequences& sequences, GpInference inference) {
    return message_of<UsageError>([&] { resume(gp, sequences, inference); });
  };
  EXPECT_THAT(message(none, train, GpInference::kSaga), HasSubstr("needs a model"));
  EXPECT_THAT(message(gaussians, train, GpInference::kNaturalGradient),
              HasSubstr("cannot go on from a posterior of Gaussians"));
  EXPECT_THAT(message(draws, train, GpInference::kSaga), HasSubstr("cannot go on from a posterior of draws"));
  EXPECT_THAT(message_of<InputError>([&] { resume(gaussians, others, GpInference::kSaga); }),
              HasSubstr("3 labels, but the model to go on from has 2"));
  EXPECT_EQ(gaussians.label_count(), 2u);
}

}  // namespace
}  // namespace fovea::gp
