// SPDX-License-Identifier: Apache-2.0
#include "fovea/sequence/decode/sequence_decoder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "fovea/base/error.h"
#include "fovea/mcmc/enumeration.h"
#include "fovea/sequence/decode/tune.h"
#include "fovea/sequence/policy/universal_policy.h"
#include "tests/support/expect_error.h"
#include "tests/support/random_sequences.h"
#include "tests/support/statistics.h"

namespace fovea::sequence {
namespace {

TuneOptions unmeasured() {
  TuneOptions options;
  options.measure = false;
  return options;
}

/// Random sequences with a policy tuned on them.
struct Fixture {
  explicit Fixture(int factor_size, std::vector<std::uint32_t> lengths = {6, 0, 1, 5, 7, 1, 4})
      : made(testing::random_sequences({.factor_size = factor_size, .lengths = std::move(lengths), .scale = 2}, 3)),
        sequences(*made.sequences),
        policy(tune(sequences, sequences.make_labeling(), unmeasured())) {
    policy.label_names = {"A", "B", "C"};
  }

  DecodeResult decode(const DecodeOptions& options, const fovea::Run& limits = {}, std::uint64_t seed = 1,
                      const DecodeRequest& request = {}) const {
    DecodeResult result;
    SequenceDecoder(*made.ngrams, &policy, options, request).decode(sequences, limits.with(Random(seed)), result);
    return result;
  }

  testing::RandomSequences made;
  const LabelSequences& sequences;
  Policy policy;
};

/// One of each way to visit, including rounds and queues of learned.
std::vector<DecodeOptions> walking_methods(int factor_size) {
  std::vector<DecodeOptions> all;
  for (const DecodeStart start : {DecodeStart::kUnigram, DecodeStart::kChain, DecodeStart::kRandom}) {
    all.push_back({.method = DecodeMethod::kIcm, .start = start, .sweeps = 2});
    all.push_back({.method = DecodeMethod::kGibbs, .start = start, .sweeps = 2.5});
    all.push_back({.method = DecodeMethod::kGibbs,
                   .start = start,
                   .answer = DecodeAnswer::kBest,
                   .sweeps = 2,
                   .order = SweepOrder::kLeftToRight});
    all.push_back({.method = DecodeMethod::kGibbs, .start = start, .answer = DecodeAnswer::kMarginal, .sweeps = 3});
    if (factor_size < 2) continue;
    for (const LearnedSchedule schedule : {LearnedSchedule::kHeap, LearnedSchedule::kBuckets})
      all.push_back(
          {.method = DecodeMethod::kLearned, .start = start, .sweeps = 3, .schedule = schedule, .threshold = -1e3});
    if (start == DecodeStart::kRandom) continue;
    for (const VisitKind visit : {VisitKind::kBest, VisitKind::kSample})
      all.push_back({.method = DecodeMethod::kLearned, .start = start, .visit = visit, .threshold = -10});
    for (const DecodeAnswer answer : {DecodeAnswer::kBest, DecodeAnswer::kMarginal})
      all.push_back({.method = DecodeMethod::kLearned,
                     .start = start,
                     .answer = answer,
                     .visit = VisitKind::kJoint,
                     .threshold = -10});
  }
  return all;
}

std::string name_of(const DecodeOptions& o) { return options_json(o); }

TEST(SequenceDecoderTest, ExactAndAWideBeamVsEnumeration) {
  for (int q = 1; q <= 4; ++q) {
    const Fixture f(q);
    for (const DecodeMethod method : {DecodeMethod::kExact, DecodeMethod::kBeam}) {
      const DecodeResult result = f.decode({.method = method, .beam_width = 1000});
      EXPECT_EQ(result.work.oracle_calls, f.sequences.sequence_count());
      EXPECT_EQ(result.stopped_by, StopReason::kSettled);
      for (std::size_t s = 0; s < f.sequences.sequence_count(); ++s) {
        const double best = mcmc::enumerate(SequenceView(f.sequences, s)).best.score;
        EXPECT_NEAR(f.sequences.log_score(s, result.labels), best, 1e-4) << word_of(method) << " factor size " << q;
      }
    }
  }
}

/// With nothing pruned and every site visited, joint visits decode exactly.
TEST(SequenceDecoderTest, JointVisitsToAllSitesVsEnumeration) {
  for (int q = 2; q <= 4; ++q) {
    const Fixture f(q);
    for (const DecodeStart start : {DecodeStart::kUnigram, DecodeStart::kChain}) {
      DecodeOptions options{
          .method = DecodeMethod::kLearned, .start = start, .visit = VisitKind::kJoint, .prune = 0, .threshold = -1e9};
      const DecodeResult best = f.decode(options);
      options.answer = DecodeAnswer::kMarginal;
      const DecodeResult likeliest = f.decode(options);
      for (std::size_t s = 0; s < f.sequences.sequence_count(); ++s) {
        const auto expected = mcmc::enumerate(SequenceView(f.sequences, s));
        EXPECT_NEAR(f.sequences.log_score(s, best.labels), expected.best.score, 1e-4);
        for (std::size_t t = 0; t < expected.marginals.size(); ++t) {
          const auto& marginals = expected.marginals[t];
          EXPECT_NEAR(marginals[likeliest.labels[f.sequences.begin(s) + t]],
                      *std::max_element(marginals.begin(), marginals.end()), 1e-5);
        }
      }
    }
  }
}

TEST(SequenceDecoderTest, ExactMarginalsVsEnumeration) {
  const Fixture f(3);
  const DecodeResult result = f.decode({.method = DecodeMethod::kExact}, {}, 1, {.marginals = true});
  for (std::size_t s = 0; s < f.sequences.sequence_count(); ++s) {
    const auto expected = mcmc::enumerate(SequenceView(f.sequences, s)).marginals;
    for (std::size_t t = 0; t < expected.size(); ++t)
      for (std::size_t k = 0; k < 3; ++k)
        EXPECT_NEAR(result.marginals[(f.sequences.begin(s) + t) * f.made.ngrams->stride() + k], expected[t][k], 1e-5);
  }
}

TEST(SequenceDecoderTest, EveryWalkDependsOnItsSeedAlone) {
  for (int q = 1; q <= 3; ++q) {
    const Fixture f(q);
    for (const DecodeOptions& options : walking_methods(q)) {
      const DecodeResult first = f.decode(options, {}, 5), again = f.decode(options, {}, 5);
      EXPECT_EQ(first.labels, again.labels) << name_of(options);
      EXPECT_EQ(first.work, again.work) << name_of(options);
    }
  }
  const Fixture f(2);
  const DecodeOptions gibbs = {.method = DecodeMethod::kGibbs, .sweeps = 1};
  EXPECT_NE(f.decode(gibbs, {}, 1).labels, f.decode(gibbs, {}, 2).labels);
}

TEST(SequenceDecoderTest, BudgetsAreKeptExactlyAndVisitsAddUp) {
  for (int q = 1; q <= 3; ++q) {
    const Fixture f(q);
    for (const DecodeOptions& options : walking_methods(q)) {
      SCOPED_TRACE(name_of(options));
      const std::uint64_t unlimited = f.decode(options).work.transitions;
      EXPECT_GT(unlimited, 0u);
      for (const std::uint64_t budget : {0, 1, 7, 30, 100'000}) {
        const DecodeResult result =
            f.decode(options, {.budget = {.transitions = static_cast<double>(budget)}}, 1, {.visits = true});
        EXPECT_EQ(result.work.transitions, std::min(budget, unlimited));
        EXPECT_EQ(std::accumulate(result.visits.begin(), result.visits.end(), std::uint64_t{0}),
                  result.work.transitions);
        for (std::size_t p = 0; p < result.labels.size(); ++p) {
          const bool pad = f.sequences.make_labeling()[p] == f.made.ngrams->pad();
          EXPECT_EQ(result.labels[p] == f.made.ngrams->pad(), pad);
          if (pad) {
            EXPECT_EQ(result.visits[p], 0u);
          }
        }
      }
    }
  }
}

TEST(SequenceDecoderTest, TheBestSampleIsNeverBelowTheLastNorTheStart) {
  const Fixture f(2, std::vector<std::uint32_t>(40, 5));
  for (const DecodeMethod method : {DecodeMethod::kGibbs, DecodeMethod::kLearned})
    for (std::uint64_t seed = 1; seed <= 10; ++seed) {
      DecodeOptions options = {.method = method, .sweeps = 4, .schedule = LearnedSchedule::kHeap, .threshold = -1e3};
      const Assignment last = f.decode(options, {}, seed).labels;
      const Assignment start = f.decode(options, {.budget = {.transitions = 0}}, seed).labels;
      options.answer = DecodeAnswer::kBest;
      const Assignment best = f.decode(options, {}, seed).labels;
      EXPECT_GE(f.sequences.log_score(best), f.sequences.log_score(last) - 1e-3);
      for (std::size_t s = 0; s < f.sequences.sequence_count(); ++s)
        EXPECT_GE(f.sequences.log_score(s, best), f.sequences.log_score(s, start) - 1e-4);
    }
}

// Every copy of the sequence gives an independent average of conditionals in [0, 1], so that Hoeffding's inequality
// bounds the error of their mean. Burn-in leaves a bias far below it: the chain forgets at least half per sweep.
TEST(SequenceDecoderTest, GibbsMarginalsAreWithinTheMonteCarloBound) {
  constexpr std::size_t kCopies = 10'000, kLength = 3;
  const auto made =
      testing::random_sequences({.factor_size = 3, .lengths = std::vector<std::uint32_t>(kCopies, kLength)}, 9);
  LabelSequences& sequences = *made.sequences;
  for (std::size_t s = 1; s < kCopies; ++s)
    for (std::size_t t = 0; t < kLength; ++t)
      std::copy_n(sequences.unary(sequences.begin(0) + t), 3, sequences.unary(sequences.begin(s) + t));
  SequenceDecoder decoder(
      *made.ngrams, nullptr,
      {.method = DecodeMethod::kGibbs, .answer = DecodeAnswer::kMarginal, .sweeps = 30, .burn_in = 2.0 / 3},
      {.marginals = true});
  DecodeResult result;
  decoder.decode(sequences, {.random = Random(1)}, result);
  const auto exact = mcmc::enumerate(SequenceView(sequences, 0)).marginals;
  const double bound = std::sqrt(std::log(2 * kLength * 3 / testing::kFalseFailureRate) / (2.0 * kCopies));
  for (std::size_t t = 0; t < kLength; ++t)
    for (std::size_t k = 0; k < 3; ++k) {
      double mean = 0;
      for (std::size_t s = 0; s < kCopies; ++s)
        mean += double{result.marginals[(sequences.begin(s) + t) * made.ngrams->stride() + k]} / kCopies;
      EXPECT_NEAR(mean, exact[t][k], bound);
    }
}

TEST(SequenceDecoderTest, EveryTokenHasMarginalsWhateverTheBudget) {
  const Fixture f(2);
  for (const std::uint64_t budget : {0, 10, 1000})
    for (const double burn_in : {0.0, 0.9}) {
      const DecodeResult result =
          f.decode({.method = DecodeMethod::kGibbs, .answer = DecodeAnswer::kMarginal, .sweeps = 8, .burn_in = burn_in},
                   {.budget = {.transitions = static_cast<double>(budget)}}, 1, {.marginals = true});
      for (std::size_t s = 0; s < f.sequences.sequence_count(); ++s)
        for (std::size_t p = f.sequences.begin(s); p < f.sequences.end(s); ++p) {
          const float* row = result.marginals.data() + p * f.made.ngrams->stride();
          EXPECT_NEAR(row[0] + row[1] + row[2], 1, 1e-5) << budget << " " << burn_in;
        }
    }
}

TEST(SequenceDecoderTest, BurnInIsAShareOfWhatTheBudgetAllows) {
  const Fixture f(2);
  const DecodeOptions few = {
      .method = DecodeMethod::kGibbs, .answer = DecodeAnswer::kMarginal, .sweeps = 8, .burn_in = 0.5};
  DecodeOptions many = few;
  many.sweeps = 1000;
  const DecodeResult expected = f.decode(few, {}, 1, {.marginals = true});
  const DecodeResult cut = f.decode(
      many, {.budget = {.transitions = static_cast<double>(8 * f.sequences.token_count())}}, 1, {.marginals = true});
  EXPECT_EQ(cut.marginals, expected.marginals);
}

TEST(SequenceDecoderTest, NoSequencesAndNoTokens) {
  for (const std::vector<std::uint32_t>& lengths : {std::vector<std::uint32_t>{}, {0, 0}}) {
    const Fixture f(3);
    LabelSequences none(*f.made.ngrams);
    none.reset(lengths);
    std::vector<DecodeOptions> all = walking_methods(3);
    all.push_back({.method = DecodeMethod::kExact});
    all.push_back({.method = DecodeMethod::kBeam});
    for (const DecodeOptions& options : all) {
      DecodeResult result;
      SequenceDecoder(*f.made.ngrams, &f.policy, options).decode(none, {.random = Random(1)}, result);
      EXPECT_EQ(result.labels, none.make_labeling()) << name_of(options);
      EXPECT_EQ(result.work.transitions, 0u) << name_of(options);
    }
  }
}

TEST(SequenceDecoderTest, ADecoderCanBeUsedAgainOnOtherChains) {
  const Fixture f(3), g(3, {9, 2, 12, 1});
  LabelSequences other(*f.made.ngrams);
  other.reset(std::vector<std::uint32_t>{9, 2, 12, 1});
  for (std::size_t p = 0; p < other.position_count(); ++p) std::copy_n(g.sequences.unary(p), 3, other.unary(p));
  for (const DecodeOptions& options : walking_methods(3)) {
    SequenceDecoder decoder(*f.made.ngrams, &f.policy, options);
    DecodeResult fresh, reused;
    SequenceDecoder(*f.made.ngrams, &f.policy, options).decode(other, {.random = Random(1)}, fresh);
    decoder.decode(f.sequences, {.random = Random(1)}, reused);
    decoder.decode(other, {.random = Random(1)}, reused);
    EXPECT_EQ(fresh.labels, reused.labels) << name_of(options);
  }
}

TEST(SequenceDecoderTest, WithoutAPolicyRoundsAreThoseForAnyLabels) {
  const Fixture f(3);
  const Policy universal = universal_policy(*f.made.ngrams);
  for (const VisitKind visit : {VisitKind::kBest, VisitKind::kSample, VisitKind::kJoint}) {
    const DecodeOptions options = {.method = DecodeMethod::kLearned, .visit = visit, .threshold = .01};
    DecodeResult without, with;
    SequenceDecoder(*f.made.ngrams, nullptr, options).decode(f.sequences, {.random = Random(1)}, without);
    SequenceDecoder(*f.made.ngrams, &universal, options).decode(f.sequences, {.random = Random(1)}, with);
    EXPECT_EQ(without.labels, with.labels);
    EXPECT_GT(without.work.transitions, 0u);
  }
}

TEST(SequenceDecoderTest, RefusesWhatDoesNotGoTogether) {
  const Fixture f(3), pairs(2), single(1);
  const auto refusal = [&](const Fixture& of, const Policy* policy, const DecodeOptions& options,
                           const DecodeRequest& request = {}) {
    return testing::message_of<UsageError>([&] { SequenceDecoder(*of.made.ngrams, policy, options, request); });
  };
  EXPECT_THAT(refusal(f, &f.policy, {.method = DecodeMethod::kAuto}), HasSubstr("planned"));
  EXPECT_THAT(refusal(pairs, &f.policy, {.method = DecodeMethod::kIcm}), HasSubstr("factor size 3"));
  for (const LearnedSchedule queue : {LearnedSchedule::kHeap, LearnedSchedule::kBuckets})
    EXPECT_THAT(refusal(f, nullptr, {.method = DecodeMethod::kLearned, .schedule = queue}),
                HasSubstr("queues need a policy"));
  EXPECT_THAT(refusal(f, nullptr, {.method = DecodeMethod::kLearned, .regret = .1}), HasSubstr("needs a policy"));
  EXPECT_THAT(refusal(pairs, nullptr, {.method = DecodeMethod::kLearned, .start = DecodeStart::kChain}),
              HasSubstr("own scores"));
  EXPECT_THAT(refusal(f, nullptr, {.method = DecodeMethod::kIcm, .start = DecodeStart::kChain}),
              HasSubstr("needs a policy"));
  EXPECT_THAT(refusal(single, &single.policy, {.method = DecodeMethod::kLearned}), HasSubstr("factor size 1"));
  EXPECT_THAT(refusal(f, &f.policy, {.method = DecodeMethod::kLearned, .start = DecodeStart::kRandom}),
              HasSubstr("option 'start unigram'"));
  EXPECT_THAT(refusal(f, &f.policy, {.method = DecodeMethod::kLearned, .answer = DecodeAnswer::kMarginal}),
              HasSubstr("not marginals"));
  EXPECT_THAT(
      refusal(f, &f.policy,
              {.method = DecodeMethod::kLearned, .visit = VisitKind::kJoint, .schedule = LearnedSchedule::kHeap}),
      HasSubstr("rounds"));
  for (const DecodeOptions& options :
       {DecodeOptions{.method = DecodeMethod::kGibbs, .regret = .1},
        DecodeOptions{.method = DecodeMethod::kLearned, .schedule = LearnedSchedule::kHeap, .regret = .1},
        DecodeOptions{.method = DecodeMethod::kLearned, .threshold = .1, .regret = .1}})
    EXPECT_THAT(refusal(f, &f.policy, options), HasSubstr("option 'regret'"));
  for (const DecodeMethod method :
       {DecodeMethod::kBeam, DecodeMethod::kIcm, DecodeMethod::kGibbs, DecodeMethod::kLearned})
    EXPECT_THAT(refusal(f, &f.policy, {.method = method}, {.marginals = true}), HasSubstr("marginals need"));
  Policy untuned;
  untuned.label_count = 3;
  untuned.factor_size = 2;
  EXPECT_THAT(testing::message_of<UsageError>([&] {
                DecodeResult result;
                SequenceDecoder(*pairs.made.ngrams, &untuned, {.method = DecodeMethod::kLearned})
                    .decode(pairs.sequences, {.random = Random(1)}, result);
              }),
              HasSubstr("fovea tune"));
  EXPECT_NO_THROW(
      SequenceDecoder(*pairs.made.ngrams, nullptr, {.method = DecodeMethod::kIcm, .start = DecodeStart::kChain}));
}

}  // namespace
}  // namespace fovea::sequence
