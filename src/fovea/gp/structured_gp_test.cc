// SPDX-License-Identifier: Apache-2.0
#include "fovea/gp/structured_gp.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "fovea/base/error.h"
#include "fovea/base/random.h"
#include "fovea/gp/likelihood/chain_likelihood.h"
#include "tests/support/expect_error.h"
#include "tests/support/gp_problem.h"
#include "tests/support/temporary_folder.h"

namespace fovea::gp {
namespace {

using fovea::testing::message_of;

/// Items with a feature that tells the label, which repeats with probability .3 all the same, and one that tells
/// nothing.
Sequences generated(std::size_t count, std::uint64_t seed, std::size_t labels = 3, std::uint32_t columns = 12) {
  Random random(seed);
  Sequences sequences;
  sequences.label_count = labels;
  for (std::size_t n = 0; n < count; ++n) {
    const std::size_t length = 1 + random.uniform_index(8);
    for (std::size_t t = 0; t < length; ++t) {
      const std::uint32_t shown = random.uniform_index(columns), other = columns + random.uniform_index(columns);
      auto label = static_cast<Value>(shown % labels);
      if (t > 0 && random.bernoulli(.3)) label = sequences.labels.back();
      sequences.labels.push_back(label);
      sequences.features.columns.insert(sequences.features.columns.end(), {shown, other});
      sequences.features.end_row();
    }
    sequences.begin.push_back(static_cast<std::uint32_t>(sequences.labels.size()));
  }
  return sequences;
}

double accuracy(const StructuredGp& gp, const Sequences& sequences) {
  const Prediction prediction = gp.predict(sequences);
  double right = 0;
  for (std::size_t i = 0; i < sequences.item_count(); ++i) {
    const auto p = prediction.marginals_matrix().row(i);
    right += std::max_element(p.begin(), p.end()) - p.begin() == sequences.labels[i];
  }
  return right / static_cast<double>(sequences.item_count());
}

TEST(StructuredGpTest, LearnsWhatTheLabelsFollow) {
  const Sequences train = generated(150, 1), test = generated(100, 2);
  StructuredGp chain, pseudo;
  const FitSummary summary = chain.fit(train);
  pseudo.fit(train, std::make_shared<PseudoLikelihood>());
  EXPECT_TRUE(summary.converged);
  EXPECT_EQ(summary.inducing_points, 23u);  // the rank of the features: both kinds sum to one
  EXPECT_GT(accuracy(chain, test), .66);
  EXPECT_GT(accuracy(pseudo, test), .66);
}

TEST(StructuredGpTest, EveryStepRaisesTheBound) {
  StructuredGp gp({.tolerance = 0, .means = GpMeans::kInducingPoints});
  std::vector<double> bounds;
  gp.fit(generated(40, 3), Stop{}, [&](const Progress& progress) { bounds.push_back(progress.value); });
  ASSERT_GT(bounds.size(), 3u);
  for (std::size_t i = 2; i < bounds.size(); ++i) EXPECT_GE(bounds[i], bounds[i - 1]) << i;
}

/// One item with one feature and two labels: the posterior depends on u = f_1 - f_0 ~ N(0, 2), and the log evidence is
/// an integral in one dimension.
TEST(StructuredGpTest, BoundIsJustBelowTheEvidenceOfATinyModel) {
  const Sequences one = testing::one_gp_item();
  StructuredGp gp({.draws = 2000, .tolerance = 1e-7});
  const FitSummary summary = gp.fit(one);
  EXPECT_LT(summary.bound.total(), std::log(.5) + .005);  // by symmetry the evidence is 1/2
  EXPECT_GT(summary.bound.total(), std::log(.5) - .03);
  EXPECT_NEAR(summary.bound.pairwise_divergence, 0, 1e-6);  // without pairs nothing is learned of them
  EXPECT_GT(summary.bound.unary_divergence, 0);
  const auto moments = [&](Value label) { return gp.latent_moments(one, Labels(&label, 1)); };
  EXPECT_GT(moments(1).means[0], .2);
  EXPECT_NEAR(moments(0).means[0], -moments(1).means[0], .05);
  EXPECT_LT(moments(0).variances[0], 1);
}

TEST(StructuredGpTest, FarFromTheDataItKnowsAsMuchAsThePrior) {
  StructuredGp gp({.kernel = Rbf{.variance = 2, .length_scale = .5}, .calibrate = false});
  gp.fit(generated(60, 4));
  Sequences far;
  far.features.columns = {99};
  far.features.values = {50};
  far.features.end_row();
  far.begin.push_back(1);
  const Prediction prediction = gp.predict(far, 1000);
  for (Value j = 0; j < 3; ++j) {
    const LatentMoments moments = gp.latent_moments(far, Labels(&j, 1));
    EXPECT_NEAR(moments.means[0], 0, 1e-6);
    EXPECT_NEAR(moments.variances[0], 2, 1e-3);
    EXPECT_NEAR(prediction.marginals[j], 1.0 / 3, .05);
  }
}

/// The chain as a user's density.
struct SlowChain {
  template <class T>
  T operator()(Matrix<const T> unary, Matrix<const T> pairwise, Labels labels) const {
    std::vector<T> alpha(unary.row(0).begin(), unary.row(0).end());
    T score = unary(0, labels[0]);
    for (std::size_t t = 1; t < labels.size(); ++t) {
      std::vector<T> next;
      for (std::size_t j = 0; j < unary.columns(); ++j) {
        std::vector<T> terms;
        for (std::size_t i = 0; i < unary.columns(); ++i) terms.push_back(alpha[i] + pairwise(i, j));
        next.push_back(unary(t, j) + math::log_sum_exp(std::span<const T>(terms)));
      }
      alpha = next;
      score += unary(t, labels[t]) + pairwise(labels[t - 1], labels[t]);
    }
    return score - math::log_sum_exp(std::span<const T>(alpha));
  }
  void marginals(Matrix<const double> unary, Matrix<const double> pairwise, Matrix<double> out) const {
    ChainLikelihood().marginals(unary, pairwise, out);
  }
};

TEST(StructuredGpTest, ALikelihoodOfOnesOwnGetsWhereTheChainGets) {
  const Sequences train = generated(60, 5);
  StructuredGp known({.draws = 64}), own({.draws = 64});
  const double bound = known.fit(train).bound.total();
  EXPECT_NEAR(own.fit(train, SlowChain()).bound.total(), bound, .01 * std::abs(bound));
}

TEST(StructuredGpTest, AnswersDoNotDependOnThreads) {
  const Sequences train = generated(80, 6), test = generated(30, 7);
  StructuredGp one({.threads = 1}), four({.threads = 4});
  EXPECT_EQ(one.fit(train).bound.total(), four.fit(train).bound.total());
  EXPECT_EQ(one.predict(test, 16, 1).marginals, four.predict(test, 16, 4).marginals);
}

TEST(StructuredGpTest, WhatIsSaidOfASequenceDoesNotDependOnOthers) {
  StructuredGp gp;
  gp.fit(generated(60, 8));
  const Sequences two = generated(2, 9);
  Sequences second;
  for (std::size_t i = two.begin[1]; i < two.begin[2]; ++i) {
    for (std::uint32_t e = two.features.offsets[i]; e < two.features.offsets[i + 1]; ++e)
      second.features.columns.push_back(two.features.columns[e]);
    second.features.end_row();
  }
  second.begin.push_back(static_cast<std::uint32_t>(second.item_count()));
  const std::vector<double> alone = gp.predict(second).marginals, together = gp.predict(two).marginals;
  for (std::size_t i = 0; i < alone.size(); ++i) EXPECT_NEAR(alone[i], together[two.begin[1] * 3 + i], 1e-5);
}

TEST(StructuredGpTest, ComesBackFromAFileAsItWas) {
  const fovea::testing::TemporaryFolder folder;
  const std::string path = folder / "a.gp";
  const Sequences test = generated(20, 11);
  StructuredGp gp({.kernel = Covariance(Linear{2}) + Constant{.5}, .seed = 7});
  gp.fit(generated(50, 10));
  ContainerWriter writer("test", 1);
  gp.save(writer, "gp.");
  writer.write(path);
  const StructuredGp back =
      StructuredGp::load(Container::open(path, "test", 1), "gp.", std::make_shared<ChainLikelihood>());
  EXPECT_EQ(back.predict(test).marginals, gp.predict(test).marginals);
  EXPECT_EQ(back.options().kernel.text(), "linear(2) + constant(0.5)");
}

TEST(StructuredGpTest, DuplicatesAndOneLabelAreNoTrouble) {
  Sequences same = generated(1, 12, 1);
  for (int i = 0; i < 20; ++i) {
    same.features.columns.push_back(3);
    same.features.end_row();
    same.labels.push_back(0);
  }
  same.begin.push_back(static_cast<std::uint32_t>(same.labels.size()));
  for (const InducingChoice inducing :
       {InducingChoice::kPivotedCholesky, InducingChoice::kKMeans, InducingChoice::kRandom}) {
    StructuredGp gp({.inducing = inducing});
    gp.fit(same);
    EXPECT_EQ(gp.predict(same).marginals[0], 1) << word_of(inducing);
  }
}

TEST(StructuredGpTest, RefusesWhatItCannotLearnFrom) {
  const auto message = [](const Sequences& sequences, StructuredGpOptions options = {}) {
    return message_of<InputError>([&] { StructuredGp(options).fit(sequences); });
  };
  EXPECT_THAT(message({}), HasSubstr("no sequence"));
  Sequences bad = generated(5, 13);
  bad.labels[2] = 3;
  EXPECT_THAT(message(bad), HasSubstr("label 3 of item 3: must be below the number of labels, 3"));
  bad.labels.pop_back();
  EXPECT_THAT(message(bad), HasSubstr("labels for"));
  Sequences silent = generated(5, 14);
  silent.features.columns.clear();
  std::fill(silent.features.offsets.begin(), silent.features.offsets.end(), 0);
  EXPECT_THAT(message(silent), HasSubstr("is 0 at every item"));
  Sequences hole = generated(2, 15);
  hole.begin.insert(hole.begin.begin() + 1, hole.begin[1]);
  EXPECT_THAT(message(hole), HasSubstr("sequence 2 is empty"));
  EXPECT_THAT(message_of<UsageError>([] { StructuredGp().predict(generated(1, 1)); }), HasSubstr("fit()"));
}

struct ValuesAlone {
  double operator()(Matrix<const double>, Matrix<const double>, Labels) const { return -1; }
};

TEST(StructuredGpTest, RefusesOptionsThatCannotBe) {
  const auto message = [](StructuredGpOptions options) {
    return message_of<UsageError>([&] { StructuredGp(options).fit(generated(5, 18)); });
  };
  EXPECT_THAT(message({.inducing_points = 0}), HasSubstr("inducing_points 0: must be at least 1"));
  EXPECT_THAT(message({.pairwise_variance = 0}), HasSubstr("pairwise_variance"));
  EXPECT_THAT(message({.draws = -1}), HasSubstr("draws"));
  EXPECT_THAT(message({.components = 0}), HasSubstr("components 0"));
  EXPECT_THAT(message({.inference = GpInference::kNaturalGradient, .components = 2}),
              HasSubstr("components 2: must be 1 for inference natural-gradient"));
  EXPECT_THAT(message({.inference = GpInference::kSliceSampling, .diagonal = true}),
              HasSubstr("diagonal true: must be false"));
  StructuredGp needs_gradients({.inference = GpInference::kNaturalGradient});
  EXPECT_THAT(message_of<UsageError>([&] { needs_gradients.fit(generated(5, 18), ValuesAlone()); }),
              HasSubstr("needs a likelihood with gradients"));
  StructuredGp odd({.draws = 5});
  odd.fit(generated(5, 18));
  ContainerWriter writer("test", 1);
  StructuredGp scaled({.kernel = of_scaled_columns(Linear(), {1, 2})});
  scaled.fit(generated(5, 18));
  EXPECT_THAT(message_of<UsageError>([&] { scaled.save(writer, "gp."); }), HasSubstr("cannot be saved"));
}

struct NotANumber {
  template <class T>
  T operator()(Matrix<const T> unary, Matrix<const T>, Labels) const {
    return unary(0, 0) * std::numeric_limits<double>::quiet_NaN();
  }
};

TEST(StructuredGpTest, ALikelihoodThatIsNotANumberIsNamed) {
  EXPECT_THAT(message_of<InputError>([] { StructuredGp().fit(generated(5, 16), NotANumber()); }),
              HasSubstr("the log likelihood of sequence 1 is nan"));
}

TEST(StructuredGpTest, StopsWithTheBestSoFar) {
  CancelToken cancel;
  StructuredGp gp({.tolerance = 0});
  const FitSummary summary =
      gp.fit(generated(40, 17), Stop{.cancel = &cancel}, [&](const Progress&) { cancel.cancel(); });
  EXPECT_EQ(summary.iterations, 1);
  EXPECT_FALSE(summary.converged);
  EXPECT_GT(accuracy(gp, generated(40, 17)), .5);
}

}  // namespace
}  // namespace fovea::gp
