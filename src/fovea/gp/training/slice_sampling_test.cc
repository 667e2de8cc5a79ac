// SPDX-License-Identifier: Apache-2.0
#include "fovea/gp/training/slice_sampling.h"

#include <gtest/gtest.h>

#include <cmath>

#include "fovea/gp/likelihood/chain_likelihood.h"
#include "tests/support/gp_problem.h"
#include "tests/support/statistics.h"

namespace fovea::gp {
namespace {

using fovea::testing::GpProblem;
using fovea::testing::random_gp_sequences;

constexpr std::size_t kSlicedLabels = 2;

/// Draws labels of all sequences from the chain, by enumeration.
void draw_chain_labels(const GpProblem& data, LatentState& state, Random random, std::vector<Value>& labels) {
  for (std::size_t n = 0; n < data.projected.sequence_count(); ++n) {
    const std::size_t length = data.projected.length(n), first = data.projected.begin(n);
    const Matrix<const double> unary(state.unary.data() + first * kSlicedLabels, length, kSlicedLabels),
        pairwise(state.pairwise.data(), kSlicedLabels, kSlicedLabels);
    std::vector<double> probabilities;
    const auto labeling = [&](std::size_t code) {
      std::vector<Value> y;
      for (std::size_t t = 0; t < length; ++t) y.push_back(static_cast<Value>(code >> t & 1));
      return y;
    };
    for (std::size_t code = 0; code < std::size_t{1} << length; ++code)
      probabilities.push_back(std::exp(data.likelihood.log_density(unary, pairwise, labeling(code))));
    const std::vector<Value> y = labeling(random.categorical(std::span<const double>(probabilities)));
    std::copy(y.begin(), y.end(), labels.begin() + static_cast<std::ptrdiff_t>(first));
  }
}

/// Geweke (2004), "Getting it right": if labels are drawn given a state of the prior, and the sampler moves the state
/// given the labels, all marginals of state and labels stay those of the joint law.
class JointLawTest : public ::testing::Test {
 protected:
  static constexpr std::size_t kReplicates = 4000;

  struct Record {
    std::vector<double> state;  // inducing, unary, what inducing points leave open, pairwise
    std::vector<double> fit;    // by how much functions and pairwise function favour the labels
  };

  Record record(const LatentState& state) const {
    Record result;
    const RowMatrix left_open = state.unary - data_.projected.rows().cast<double>() * state.inducing.transpose();
    for (const RowMatrix* each : {&state.inducing, &state.unary, &left_open})
      result.state.insert(result.state.end(), each->data(), each->data() + each->size());
    result.state.insert(result.state.end(), state.pairwise.begin(), state.pairwise.end());
    const std::vector<Value>& y = data_.sequences.labels;
    for (Index i = 0; i < state.unary.rows(); ++i)
      result.fit.push_back(state.unary(i, y[size(i)]) - state.unary(i, 1 - y[size(i)]));
    for (std::size_t n = 0; n < data_.projected.sequence_count(); ++n)
      for (std::size_t t = data_.projected.begin(n) + 1; t < data_.projected.begin(n + 1); ++t)
        result.fit.push_back(state.pairwise[y[t - 1] * kSlicedLabels + y[t]]);
    return result;
  }

  /// Runs all replicates. `wrong`: the sampler gets other labels than those that were drawn.
  void run(bool wrong) {
    const InferenceProblem problem = data_.problem();
    const LatentPrior prior(problem);
    for (std::size_t r = 0; r < kReplicates; ++r) {
      const Random random = Random(3).child("replicate", r);
      LatentState state;
      prior.draw(random.child("state"), state);
      draw_chain_labels(data_, state, random.child("labels"), data_.sequences.labels);
      before_.push_back(record(state));
      const std::vector<Value> drawn = data_.sequences.labels;
      if (wrong) std::fill(data_.sequences.labels.begin(), data_.sequences.labels.end(), Value{1});
      EllipticalSliceSampler sampler(problem, random.child("sampler"), std::move(state));
      for (int i = 0; i < 2; ++i) sampler.advance();
      data_.sequences.labels = drawn;
      after_.push_back(record(sampler.state()));
    }
  }

  static std::vector<double> column(const std::vector<Record>& records, std::vector<double> Record::*part,
                                    std::size_t i) {
    std::vector<double> result;
    for (const Record& each : records) result.push_back((each.*part)[i]);
    return result;
  }

  /// Prior variances in the order of Record::state.
  std::vector<double> prior_variances() const {
    std::vector<double> result(kSlicedLabels * data_.points.size(), 1), left_open;
    for (std::size_t n = 0; n < data_.projected.sequence_count(); ++n)
      for (Index t = 0; t < index(data_.projected.length(n)); ++t)
        for (std::size_t j = 0; j < kSlicedLabels; ++j) {
          left_open.push_back(data_.projected.residual(n)(t, t));
          result.push_back(data_.rows(n).row(t).squaredNorm() + left_open.back());
        }
    result.insert(result.end(), left_open.begin(), left_open.end());
    result.insert(result.end(), kSlicedLabels * kSlicedLabels, data_.pairwise_variance);
    return result;
  }

  std::size_t failures_of_the_state() const {
    const std::vector<double> variances = prior_variances();
    std::size_t failures = 0;
    for (std::size_t i = 0; i < variances.size(); ++i) {
      if (variances[i] < 1e-4) continue;  // an inducing point: what it leaves open is rounding
      const auto cdf = [&](double x) { return .5 * std::erfc(-x / std::sqrt(2 * variances[i])); };
      failures +=
          !fovea::testing::sample_follows(column(after_, &Record::state, i), cdf,
                                          fovea::testing::kFalseFailureRate / static_cast<double>(variances.size()));
    }
    return failures;
  }
  /// Counts the columns whose two samples are further apart than both thresholds of Dvoretzky, Kiefer and Wolfowitz,
  /// however they depend on each other, with twice the probability of one.
  std::size_t failures_of_the_fit() const {
    const std::size_t count = before_[0].fit.size();
    const double threshold = 2 * fovea::testing::kolmogorov_smirnov_threshold(
                                     kReplicates, fovea::testing::kFalseFailureRate / static_cast<double>(2 * count));
    std::size_t failures = 0;
    for (std::size_t i = 0; i < count; ++i) {
      std::vector<double> a = column(before_, &Record::fit, i), b = column(after_, &Record::fit, i);
      std::sort(a.begin(), a.end());
      std::sort(b.begin(), b.end());
      double distance = 0;
      for (const double x : a) {
        const auto share = [&](const std::vector<double>& all) {
          return static_cast<double>(std::upper_bound(all.begin(), all.end(), x) - all.begin()) / kReplicates;
        };
        distance = std::max(distance, std::abs(share(a) - share(b)));
      }
      failures += distance > threshold;
    }
    return failures;
  }

  ChainLikelihood chain_;
  /// Functions that vary much: labels carry much information on them, and most proposals are rejected at first.
  GpProblem data_{
      random_gp_sequences({2, 5}, kSlicedLabels, 1), chain_, {1, 3}, Rbf{.variance = 50, .length_scale = 1.5}};
  std::vector<Record> before_, after_;
};

TEST_F(JointLawTest, SamplerLeavesItInvariant) {
  run(false);
  EXPECT_EQ(failures_of_the_state(), 0u);
  EXPECT_EQ(failures_of_the_fit(), 0u);
}

TEST_F(JointLawTest, CatchesASamplerThatIsToldOfOtherLabels) {
  run(true);
  EXPECT_GT(failures_of_the_state(), 0u);
  EXPECT_GT(failures_of_the_fit(), 0u);
}

/// Draws of the prior, whatever the labels, have the right marginals of the
/// state and still are wrong.
TEST_F(JointLawTest, CatchesASamplerThatIgnoresTheLabels) {
  run(false);
  std::rotate(after_.begin(), after_.begin() + 1, after_.end());
  EXPECT_EQ(failures_of_the_state(), 0u);
  for (std::size_t r = 0; r < kReplicates; ++r) {  // the state of one replicate with the labels of another
    const std::size_t first = kSlicedLabels * data_.points.size();
    for (std::size_t i = 0; i < data_.sequences.item_count(); ++i) {
      const double* f = &after_[r].state[first + i * kSlicedLabels];
      const double* own = &before_[r].state[first + i * kSlicedLabels];
      after_[r].fit[i] = before_[r].fit[i] == own[0] - own[1] ? f[0] - f[1] : f[1] - f[0];
    }
  }
  EXPECT_GT(failures_of_the_fit(), 0u);
}

/// One item and two labels: u = f_1 - f_0 ~ N(0, 2) a priori, and p(label 1) =
/// 1 / (1 + e^-u).
TEST(EllipticalSliceSamplerTest, FindsThePosteriorMeanOfATinyModel) {
  double mass = 0, first_moment = 0;
  for (double u = -15; u <= 15; u += .001) {
    const double density = std::exp(-u * u / 4) / (1 + std::exp(-u));
    mass += density;
    first_moment += u * density;
  }
  const ChainLikelihood chain;
  const GpProblem data(testing::one_gp_item(), chain, {0}, Linear());
  const InferenceProblem problem = data.problem();
  EllipticalSliceSampler sampler(problem, Random(5));
  constexpr int kWarmUp = 100, kBatches = 40,
                kDrawsOfABatch = 400;  // batches are about independent
  for (int i = 0; i < kWarmUp; ++i) sampler.advance();
  std::vector<double> means(kBatches);
  for (double& mean : means)
    for (int i = 0; i < kDrawsOfABatch; ++i) {
      sampler.advance();
      mean += (sampler.state().unary(0, 1) - sampler.state().unary(0, 0)) / kDrawsOfABatch;
    }
  EXPECT_TRUE(fovea::testing::sample_has_mean(means, first_moment / mass));
}

/// The bracket shrinks towards the state, so that a proposal is taken in the end, however sharp the posterior is.
TEST(EllipticalSliceSamplerTest, EveryAdvanceMovesTheState) {
  const ChainLikelihood chain;
  const GpProblem data(random_gp_sequences({6, 6, 6}, kSlicedLabels, 2), chain, {1, 3},
                       Rbf{.variance = 50, .length_scale = 1.5});
  const InferenceProblem problem = data.problem();
  EllipticalSliceSampler sampler(problem, Random(5));
  for (int i = 0; i < 50; ++i) {
    const LatentState before = sampler.state();
    sampler.advance();
    EXPECT_NE(sampler.state().unary, before.unary);
    EXPECT_NE(sampler.state().inducing, before.inducing);
    EXPECT_NE(sampler.state().pairwise, before.pairwise);
  }
}

TEST(EllipticalSliceSamplerTest, KnowsTheDensityOfItsState) {
  const ChainLikelihood chain;
  const GpProblem data(random_gp_sequences({3, 1, 2}, kSlicedLabels, 2), chain, {1, 3});
  const InferenceProblem problem = data.problem();
  EllipticalSliceSampler sampler(problem, Random(5));
  for (int i = 0; i < 5; ++i) {
    sampler.advance();
    double expected = 0;
    for (std::size_t n = 0; n < 3; ++n)
      expected += chain.log_density({sampler.state().unary.data() + data.projected.begin(n) * kSlicedLabels,
                                     data.projected.length(n), kSlicedLabels},
                                    {sampler.state().pairwise.data(), kSlicedLabels, kSlicedLabels},
                                    data.sequences.labels_of(n));
    EXPECT_NEAR(sampler.log_density(), expected, 1e-12);
  }
}

/// With enough items and labels to make several threads worthwhile.
TEST(EllipticalSliceSamplerTest, DoesNotDependOnThreads) {
  const ChainLikelihood chain;
  const GpProblem data(random_gp_sequences(std::vector<std::uint32_t>(100, 11), 10, 2), chain, {1, 3});
  const InferenceProblem one = data.problem(1), three = data.problem(3);
  EllipticalSliceSampler a(one, Random(5)), b(three, Random(5));
  for (int i = 0; i < 3; ++i) {
    a.advance();
    b.advance();
    EXPECT_EQ(a.state().unary, b.state().unary);
    EXPECT_EQ(a.state().inducing, b.state().inducing);
    EXPECT_EQ(a.log_density(), b.log_density());
  }
}

/// Large features, whose products are rounded by more than any constant, and points that leave no residual.
TEST(EllipticalSliceSamplerTest, PointsThatLeaveNothingOpenAreNoTrouble) {
  Sequences sequences = random_gp_sequences({12, 20}, kSlicedLabels, 6);
  for (float& value : sequences.features.values) value *= 1e3f;
  const ChainLikelihood chain;
  const GpProblem data(sequences, chain, {0, 1, 2, 3, 4, 5}, Linear());
  const InferenceProblem problem = data.problem();
  EllipticalSliceSampler sampler(problem, Random(5));
  for (int i = 0; i < 3; ++i) sampler.advance();
  EXPECT_TRUE(sampler.state().unary.allFinite());
  LatentGaussian latent;
  const MixturePosterior posterior = {{.unary = UnaryPosterior(sampler.state().inducing), .pairwise = {}}};
  for_each_latent(data.projected, posterior[0].unary, 0, 2,
                  [&](std::size_t, std::size_t, LatentGaussian& q) { EXPECT_TRUE(q.factor.allFinite()); });
}

class SliceSamplingTest : public ::testing::Test {
 protected:
  FittedPosterior sampled(int iterations, std::size_t kept) {
    const Stop never;
    InferenceWatch watch(never, InferenceWatch::Clock::now(), {});
    return sample_by_slices(data_.problem(), {.iterations = iterations, .kept = kept}, Random(5), watch);
  }

  ChainLikelihood chain_;
  GpProblem data_{random_gp_sequences({1, 3}, kSlicedLabels, 1), chain_, {1, 3}};
};

TEST_F(SliceSamplingTest, KeepsEvenlySpacedDrawsAfterWarmUp) {
  constexpr std::size_t kKept = 6;
  constexpr int kMost = 130;
  const InferenceProblem problem = data_.problem();
  EllipticalSliceSampler sampler(problem, Random(5));
  std::vector<RowMatrix> states = {sampler.state().inducing};
  for (int i = 0; i < kMost; ++i) {
    sampler.advance();
    states.push_back(sampler.state().inducing);
  }
  for (const int iterations : {1, 3, 7, 8, 9, 16, 63, 64, 100, kMost}) {
    const FittedPosterior fitted = sampled(iterations, kKept);
    EXPECT_EQ(fitted.summary.iterations, iterations);
    EXPECT_TRUE(fitted.summary.converged);
    EXPECT_LE(fitted.posterior.size(), 2 * kKept);
    if (iterations >= 12) {
      EXPECT_GE(fitted.posterior.size(), kKept - kKept / 5);
    }
    std::vector<std::ptrdiff_t> kept;
    double weights = 0;
    for (const PosteriorComponent& component : fitted.posterior) {
      weights += component.weight;
      EXPECT_EQ(component.weight, fitted.posterior[0].weight);
      EXPECT_TRUE(component.unary.is_point());
      EXPECT_EQ(component.pairwise.deviations, std::vector<double>(kSlicedLabels * kSlicedLabels, 0));
      kept.push_back(std::find(states.begin(), states.end(), component.unary.means()) - states.begin());
      ASSERT_LE(kept.back(), iterations);
    }
    EXPECT_NEAR(weights, 1, 1e-12);
    for (std::size_t d = 2; d < kept.size(); ++d) EXPECT_EQ(kept[d] - kept[d - 1], kept[1] - kept[0]) << iterations;
    if (kept.size() > 1) {
      const std::ptrdiff_t spacing = kept[1] - kept[0], offered = (kept.back() + 1) / spacing;
      EXPECT_LT(iterations - kept.back(), spacing);                       // up to the end
      EXPECT_EQ((kept[0] + 1) / spacing - 1, offered / 5) << iterations;  // the first fifth is warm-up
    }
  }
}

TEST_F(SliceSamplingTest, StopsAtOnceWithWhatItHas) {
  CancelToken cancel;
  cancel.cancel();
  const Stop stop{.cancel = &cancel};
  InferenceWatch watch(stop, InferenceWatch::Clock::now(), {});
  const FittedPosterior fitted = sample_by_slices(data_.problem(), {}, Random(5), watch);
  EXPECT_EQ(fitted.summary.iterations, 0);
  EXPECT_FALSE(fitted.summary.converged);
  EXPECT_EQ(fitted.posterior.size(), 1u);
  EXPECT_EQ(fitted.posterior[0].weight, 1);
}

}  // namespace
}  // namespace fovea::gp
