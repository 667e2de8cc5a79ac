// SPDX-License-Identifier: Apache-2.0
// Common behaviour of all inference methods, as users of StructuredGp see it.
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <thread>

#include "fovea/gp/structured_gp.h"
#include "tests/support/gp_problem.h"

namespace fovea::gp {
namespace {

using fovea::testing::telling_gp_sequences;

StructuredGpOptions quick(GpInference inference, int threads = 0) {
  StructuredGpOptions options{.inference = inference, .threads = threads};
  if (inference != GpInference::kNaturalGradient)
    options.iterations = inference == GpInference::kSliceSampling ? 400 : 1;
  if (inference == GpInference::kScoreFunction) options.draws = 200;
  if (inference == GpInference::kSaga) options.draws = 30;
  return options;
}

std::vector<Value> likeliest_labels(const Prediction& prediction) {
  std::vector<Value> labels;
  for (std::size_t i = 0; i < prediction.marginals_matrix().rows(); ++i) {
    const auto p = prediction.marginals_matrix().row(i);
    labels.push_back(static_cast<Value>(std::max_element(p.begin(), p.end()) - p.begin()));
  }
  return labels;
}

double share_right(const Prediction& prediction, const std::vector<Value>& labels) {
  const std::vector<Value> found = likeliest_labels(prediction);
  double right = 0;
  for (std::size_t i = 0; i < labels.size(); ++i) right += found[i] == labels[i];
  return right / static_cast<double>(labels.size());
}

class EveryInferenceTest : public ::testing::TestWithParam<GpInference> {
 protected:
  const Sequences train_ = telling_gp_sequences(20, 1), test_ = telling_gp_sequences(30, 2);
};

INSTANTIATE_TEST_SUITE_P(Methods, EveryInferenceTest,
                         ::testing::Values(GpInference::kNaturalGradient, GpInference::kScoreFunction,
                                           GpInference::kSaga, GpInference::kSliceSampling));

/// Blocks of 256 items are divided among threads: there are three. Seeing threads at work in saga and slice-sampling
/// takes more, in tests of their own.
TEST(InferenceThreadsTest, ChangeNoAnswer) {
  const Sequences train = telling_gp_sequences(260, 3), test = telling_gp_sequences(30, 4);
  ASSERT_GT(train.item_count(), 600u);
  for (const GpInference inference : {GpInference::kNaturalGradient, GpInference::kScoreFunction}) {
    std::vector<double> bounds;
    std::vector<std::vector<double>> marginals;
    for (const int threads : {1, 3}) {
      StructuredGpOptions options = quick(inference, threads);
      if (inference == GpInference::kScoreFunction) options.components = 2;
      options.draws = 4;
      StructuredGp gp(options);
      bounds.push_back(gp.fit(train).bound.total());
      marginals.push_back(gp.predict(test, 64, threads).marginals);
    }
    EXPECT_EQ(bounds[0], bounds[1]);
    EXPECT_EQ(marginals[0], marginals[1]);
  }
}

/// Columns determine about .85 of the labels: .7 do, and half of those that repeat.
TEST_P(EveryInferenceTest, PredictsWellWhoeverWatches) {
  StructuredGp alone(quick(GetParam())), watched(quick(GetParam()));
  const FitSummary summary = alone.fit(train_);
  EXPECT_EQ(summary.inference, GetParam());
  const Prediction prediction_alone = alone.predict(test_);
  EXPECT_GT(share_right(prediction_alone, test_.labels), .75);
  for (const double variance : alone.latent_moments(test_, test_.labels).variances) EXPECT_GT(variance, 0);
  std::vector<FitRecord> records;
  std::vector<double> shares;
  const auto observe = [&](const FitRecord& record) {
    if (records.size() % 4 == 0) {
      const Prediction prediction = record.predict(test_);
      for (std::size_t i = 0; i < test_.item_count(); ++i)
        EXPECT_NEAR(prediction.marginals[2 * i] + prediction.marginals[2 * i + 1], 1, 1e-9);
      shares.push_back(share_right(prediction, test_.labels));
    }
    records.push_back(record);
  };
  EXPECT_EQ(watched.fit(train_, std::make_shared<ChainLikelihood>(), {}, {}, observe).bound.total(),
            summary.bound.total());
  EXPECT_EQ(watched.predict(test_).marginals, prediction_alone.marginals);
  ASSERT_GE(records.size(), 4u);
  for (std::size_t i = 1; i < records.size(); ++i) {
    EXPECT_GE(records[i].seconds, records[i - 1].seconds);
    EXPECT_GE(records[i].iteration, records[i - 1].iteration);
    EXPECT_TRUE(std::isfinite(records[i].bound));
  }
  EXPECT_GT(shares.back(), .7);
}

TEST_P(EveryInferenceTest, SecondsDoNotCountTheObserver) {
  constexpr auto kNap = std::chrono::milliseconds(10);
  StructuredGp gp(quick(GetParam()));
  std::chrono::duration<double> napped{0};
  CancelToken cancel;
  const auto start = std::chrono::steady_clock::now();
  const FitSummary summary =
      gp.fit(train_, std::make_shared<ChainLikelihood>(), Stop{.cancel = &cancel}, {}, [&](const FitRecord& record) {
        EXPECT_LE(record.seconds,
                  std::chrono::duration<double>(std::chrono::steady_clock::now() - start - napped).count());
        std::this_thread::sleep_for(kNap);
        napped += kNap;
        if (napped > 4 * kNap) cancel.cancel();
      });
  const std::chrono::duration<double> all = std::chrono::steady_clock::now() - start;
  EXPECT_LE(summary.seconds, (all - napped).count());
  EXPECT_GT(summary.seconds, 0);
}

/// Is slow at its first call: by the choice of inducing points.
struct SlowAtFirst {
  std::shared_ptr<bool> asked = std::make_shared<bool>(false);
  double operator()(const InnerProducts& products) const {
    if (!std::exchange(*asked, true)) std::this_thread::sleep_for(std::chrono::milliseconds(50));
    return products.xy;
  }
};

TEST(InferenceTimeTest, CountsTheChoiceOfInducingPoints) {
  StructuredGp gp({.kernel = SlowAtFirst(), .threads = 1});
  EXPECT_GE(gp.fit(telling_gp_sequences(5, 1)).seconds, .05);
}

TEST_P(EveryInferenceTest, StopsWithTheBestSoFar) {
  CancelToken cancel;
  int after = 0;
  StructuredGpOptions options = quick(GetParam());
  options.iterations = 0;  // long
  StructuredGp gp(options);
  const FitSummary summary = gp.fit(train_, Stop{.cancel = &cancel}, [&](const Progress& progress) {
    after += cancel.cancelled();
    if (progress.done >= 1 || progress.seconds > .05) cancel.cancel();
  });
  EXPECT_FALSE(summary.converged);
  EXPECT_LE(after, 1);
  EXPECT_EQ(gp.predict(test_).marginals.size(), test_.item_count() * 2);
}

/// Values only, without marginals of its own.
struct ValuesOfAChain {
  double operator()(Matrix<const double> unary, Matrix<const double> pairwise, Labels labels) const {
    return ChainLikelihood().log_density(unary, pairwise, labels);
  }
};

TEST(ValuesAloneTest, AreEnoughToLearnFrom) {
  const Sequences train = telling_gp_sequences(20, 1), test = telling_gp_sequences(15, 2);
  StructuredGp values({.draws = 300, .iterations = 2}), chain;
  const FitSummary summary = values.fit(train, ValuesOfAChain());
  chain.fit(train);
  EXPECT_EQ(summary.inference, GpInference::kScoreFunction);
  const Prediction prediction = values.predict(test, 16);
  EXPECT_GT(share_right(prediction, test.labels), .75);
  EXPECT_GT(share_right(prediction, likeliest_labels(chain.predict(test))), .9);
}

}  // namespace
}  // namespace fovea::gp
