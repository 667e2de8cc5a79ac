// SPDX-License-Identifier: Apache-2.0
#include "fovea/sequence/decode/restart_decoder.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <random>

#include "fovea/mcmc/enumeration.h"
#include "tests/support/random_sequences.h"

namespace fovea::sequence {
namespace {

constexpr double kRate = .3;

struct DecodeRunResult {
  Assignment labels;
  std::vector<float> marginals;
  std::vector<std::uint32_t> visits;
  RestartSummary summary;
};

/// Sequences of trigrams, and the chain of their pairs from which they restart.
class RestartDecoderTest : public ::testing::Test {
 protected:
  RestartDecoderTest() {
    const testing::RandomSequencesShape shape{.factor_size = 3, .lengths = {3, 0, 2}, .scale = 1.5};
    std::mt19937 engine(4);
    std::vector<LabelNgram> ngrams = testing::random_ngrams(shape, engine);
    trigrams_.emplace(3, 3, ngrams);
    std::erase_if(ngrams, [](const LabelNgram& ngram) { return ngram.size > 2; });
    pairs_.emplace(3, 2, ngrams);
    sequences_.emplace(*trigrams_);
    start_chains_.emplace(*pairs_);
    sequences_->reset(shape.lengths);
    start_chains_->reset(shape.lengths);
    std::normal_distribution<float> score(0, 1);
    for (std::size_t s = 0; s < shape.lengths.size(); ++s)
      for (std::uint32_t t = 0; t < shape.lengths[s]; ++t)
        for (int k = 0; k < 3; ++k)
          sequences_->unary(sequences_->begin(s) + t)[k] = start_chains_->unary(start_chains_->begin(s) + t)[k] =
              score(engine);
  }

  /// [token][label] of the stationary law of a sequence, by its series.
  std::vector<std::vector<double>> exact_marginals(std::size_t s, double rate) const {
    const SequenceView model(*sequences_, s), start(*start_chains_, s);
    std::map<Assignment, double> law;
    double total = 0;
    mcmc::enumerate_assignments(start, [&](const Assignment& y, double score) { total += law[y] = std::exp(score); });
    for (auto& [y, p] : law) p /= total;
    std::vector<std::vector<double>> marginals(model.variable_count(), std::vector<double>(3));
    for (double weight = rate; weight > 1e-10; weight *= 1 - rate) {
      for (const auto& [y, p] : law)
        for (std::size_t t = 0; t < y.size(); ++t) marginals[t][y[t]] += weight * p;
      law = after_sweep(model, law);
    }
    return marginals;
  }

  DecodeRunResult decode(const RestartDecoderOptions& options, const fovea::Run& limits = {}, std::uint64_t seed = 1) {
    DecodeRunResult result;
    result.labels = sequences_->make_labeling();
    result.marginals.resize(sequences_->position_count() * trigrams_->stride());
    result.visits.resize(sequences_->position_count());
    result.summary = RestartDecoder(*pairs_, options)
                         .decode(*sequences_, limits, Random(seed), result.labels, result.marginals, result.visits);
    return result;
  }

  double largest_gap(const DecodeRunResult& result, double rate) const {
    double gap = 0;
    for (std::size_t s = 0; s < sequences_->sequence_count(); ++s) {
      const auto exact = exact_marginals(s, rate);
      for (std::size_t t = 0; t < exact.size(); ++t)
        for (std::size_t k = 0; k < 3; ++k)
          gap = std::max(
              gap, std::abs(exact[t][k] - result.marginals[(sequences_->begin(s) + t) * trigrams_->stride() + k]));
    }
    return gap;
  }

  std::optional<LabelNgrams> trigrams_, pairs_;
  std::optional<LabelSequences> sequences_, start_chains_;

 private:
  static std::map<Assignment, double> after_sweep(const SequenceView& model, std::map<Assignment, double> law) {
    for (VariableId v = 0; v < model.variable_count(); ++v) {
      std::map<Assignment, double> next;
      for (const auto& [y, p] : law) {
        std::vector<float> scores(3);
        model.conditional_scores(v, y, scores);
        double total = 0;
        for (const float score : scores) total += std::exp(score);
        Assignment to = y;
        for (Value k = 0; k < 3; ++k) {
          to[v] = k;
          next[to] += p * std::exp(scores[k]) / total;
        }
      }
      law = std::move(next);
    }
    return law;
  }
};

TEST_F(RestartDecoderTest, MarginalsAreThoseOfTheStationaryLaw) {
  constexpr int kRuns = 40000;
  // Runs are independent, and each gives, for every marginal, a share of its steps: an error above 5 / sqrt(runs) does
  // not occur by chance.
  EXPECT_LT(largest_gap(decode({.rate = kRate, .runs = kRuns}), kRate), 5 / std::sqrt(kRuns));
  EXPECT_GT(largest_gap(decode({.rate = kRate, .runs = kRuns}), 1), 5 / std::sqrt(kRuns)) << "u has other marginals";
}

TEST_F(RestartDecoderTest, RestartsAloneAreTheStartChainExactly) {
  const DecodeRunResult result = decode({.rate = 1, .runs = 3});
  EXPECT_LT(largest_gap(result, 1), 1e-5);
  EXPECT_EQ(result.summary.work.transitions, 0u);
  EXPECT_EQ(result.summary.stopped_by, StopReason::kSettled);
}

TEST_F(RestartDecoderTest, LabelsAreTheLikeliest) {
  const DecodeRunResult result = decode({.rate = kRate, .runs = 100});
  for (const std::size_t s : {0u, 2u})
    for (std::size_t p = sequences_->begin(s); p < sequences_->end(s); ++p) {
      const float* row = result.marginals.data() + p * trigrams_->stride();
      EXPECT_EQ(result.labels[p], std::max_element(row, row + 3) - row);
      EXPECT_NEAR(row[0] + row[1] + row[2], 1, 1e-5);
      EXPECT_GT(result.visits[p], 0u);
    }
}

TEST_F(RestartDecoderTest, SettledSequencesAreLeft) {
  const std::uint64_t all = decode({.rate = kRate, .runs = 500}).summary.work.transitions;
  EXPECT_LT(decode({.rate = kRate, .runs = 500, .settled = 2}).summary.work.transitions, all / 2);
}

TEST_F(RestartDecoderTest, LimitsEndIt) {
  const DecodeRunResult result = decode({.rate = kRate, .runs = 500}, {.budget = {.transitions = 60}});
  EXPECT_EQ(result.summary.stopped_by, StopReason::kTransitions);
  EXPECT_LT(result.summary.work.transitions, 60u + 3);
  const DecodeRunResult none = decode({.rate = kRate, .runs = 500}, {.budget = {.transitions = 0}});
  EXPECT_LT(largest_gap(none, 1), 1e-5) << "decided by the start chain";
}

TEST_F(RestartDecoderTest, WholeRunsAreCounted) {
  const RestartSummary all = decode({.rate = kRate, .runs = 50}).summary;
  EXPECT_EQ(all.runs, 100u) << "50 for each of two sequences; an empty one needs none";
  EXPECT_EQ(all.whole_runs, all.runs);
  const RestartSummary cut =
      decode({.rate = kRate, .runs = 50}, {.budget = {.transitions = static_cast<double>(all.work.transitions - 2)}})
          .summary;
  EXPECT_EQ(cut.runs, all.runs);
  EXPECT_LT(cut.whole_runs, all.runs) << "the last run missed a sweep";
  EXPECT_EQ(cut.stopped_by, StopReason::kTransitions);
  const RestartSummary none = decode({.rate = kRate, .runs = 50}, {.budget = {.transitions = 0}}).summary;
  EXPECT_EQ(none.runs, all.runs);
  EXPECT_EQ(none.whole_runs, 0u);
}

TEST_F(RestartDecoderTest, OneSeedOneResult) {
  const RestartDecoderOptions options{.rate = kRate, .runs = 20};
  EXPECT_EQ(decode(options).marginals, decode(options).marginals);
  EXPECT_NE(decode(options).marginals, decode(options, {}, 2).marginals);
}

}  // namespace
}  // namespace fovea::sequence
