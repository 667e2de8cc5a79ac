// SPDX-License-Identifier: Apache-2.0
#include "fovea/sequence/policy/policy_learner.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "fovea/base/error.h"
#include "fovea/mcmc/fixed_schedule.h"
#include "fovea/mcmc/run.h"
#include "fovea/sequence/policy/queue_schedule.h"
#include "fovea/sequence/sample/orders.h"
#include "fovea/sequence/sample/sequence_kernel.h"
#include "tests/support/random_sequences.h"

namespace fovea::sequence {
namespace {

void randomize(const LabelSequences& sequences, Assignment& y, Random& random) {
  for (const VariableId p : left_to_right_order(sequences))
    y[p] = static_cast<Value>(random.uniform_index(static_cast<std::uint32_t>(sequences.ngrams().label_count())));
}

// ------------------------------------------------------------------------------------------------------------------
// Table 1 of the paper. "right" (NN or JJ) is settled by the tag of the next word, which one sweep from left to right
// samples too late; all other words are settled by themselves.

enum Tag : Value { kDt, kNn, kJj, kVb, kTagCount };

// A settled word is sampled wrong with probability e^-20 even between two tempting neighbours, an unsettled one with
// e^-15 once its neighbours are right: all errors are unsettled words with a neighbour that was wrong.
constexpr float kSure = 50;

/// Sentences of 8 words of which one, at a random place, is ambiguous: JJ before a NN, NN before a VB.
class AmbiguousSentences {
 public:
  AmbiguousSentences(std::size_t count, std::uint64_t seed) : ngrams_(kTagCount, 2, kPairs), sequences_(ngrams_) {
    Random random(seed);
    sequences_.reset(std::vector<std::uint32_t>(count, 8));
    gold_ = sequences_.make_labeling();
    for (std::size_t s = 0; s < count; ++s) {
      const std::size_t ambiguous = sequences_.begin(s) + 1 + random.uniform_index(6);
      for (std::size_t p = sequences_.begin(s); p < sequences_.end(s); ++p) {
        gold_[p] = kDt;
        if (p == ambiguous) gold_[p] = random.bernoulli(0.5) ? kJj : kNn;
        if (p == ambiguous + 1) gold_[p] = gold_[p - 1] == kJj ? kNn : kVb;
        sequences_.unary(p)[gold_[p]] = kSure;
        if (p == ambiguous) sequences_.unary(p)[kJj] = sequences_.unary(p)[kNn] = kSure;
      }
    }
  }
  const LabelSequences& sequences() const { return sequences_; }

  double accuracy(const Assignment& y) const {
    double right = 0;
    for (const VariableId p : left_to_right_order(sequences_)) right += y[p] == gold_[p];
    return right / static_cast<double>(sequences_.token_count());
  }

 private:
  inline static const std::vector<LabelNgram> kPairs = {{.labels = {kJj, kNn}, .size = 2, .score = 15},
                                                        {.labels = {kNn, kVb}, .size = 2, .score = 15}};
  LabelNgrams ngrams_;
  LabelSequences sequences_;
  Assignment gold_;
};

double cyclic_accuracy(const AmbiguousSentences& data, double sweeps, std::uint64_t seed) {
  Random random(seed);
  Assignment y = data.sequences().make_labeling();
  randomize(data.sequences(), y, random);
  mcmc::FixedSchedule schedule(left_to_right_order(data.sequences()), sweeps);
  mcmc::run(y, schedule, SequenceGibbs(data.sequences()), {}, random);
  return data.accuracy(y);
}

TEST(PolicyLearnerTest, OneMoreVisitSettlesTheAmbiguousTagAsASecondSweepDoes) {
  const AmbiguousSentences tuning(200, 1), held_out(200, 2);
  Random random(3);
  Assignment labels = tuning.sequences().make_labeling();
  randomize(tuning.sequences(), labels, random);
  const MetaFeatureOptions features;
  const ValueFunction value = learn_policy(tuning.sequences(), labels, features, {}, random);

  Random same(4);
  Assignment y = held_out.sequences().make_labeling();
  randomize(held_out.sequences(), y, same);
  const SiteNetwork network(held_out.sequences());
  HeapSchedule schedule(network, y, value, features, left_to_right_order(held_out.sequences()));
  const std::uint64_t budget = held_out.sequences().token_count() + held_out.sequences().sequence_count();
  const RunSummary summary = mcmc::run(y, schedule, SequenceGibbs(held_out.sequences()),
                                       {.budget = {.transitions = static_cast<double>(budget)}}, same);
  EXPECT_EQ(summary.work.transitions, budget);
  EXPECT_GE(held_out.accuracy(y), cyclic_accuracy(held_out, 2, 4));
  // After one sweep about half of the ambiguous words, a sixteenth of all, are wrong; learning found which.
  EXPECT_LT(cyclic_accuracy(held_out, 1, 4), 0.98);
  EXPECT_GT(held_out.accuracy(y), 0.995);
}

// ------------------------------------------------------------------------------------------------------------------
// Table 2 of the paper. Two words are best labelled ORG ORG, but from LOC LOC each move alone loses.

enum Entity : Value { kLoc, kOrg };
const std::vector<LabelNgram> kCity = {{.labels = {kLoc, kOrg}, .size = 2, .score = -1},
                                       {.labels = {kOrg, kLoc}, .size = 2, .score = -1},
                                       {.labels = {kOrg, kOrg}, .size = 2, .score = 3}};

/// Q of sampling the first word once both have been sampled to LOC, as learned with this horizon.
float learned_value_of_first_move(int horizon, std::uint64_t seed) {
  const LabelNgrams ngrams(2, 2, kCity);
  LabelSequences sequences(ngrams);
  sequences.reset(std::vector<std::uint32_t>(2000, 2));
  Assignment labels = sequences.make_labeling();  // LOC LOC
  const MetaFeatureOptions nb_only = {.vary = false, .cond_ent = false, .unigram_ent = false, .sp = false};
  Random random(seed);
  const ValueFunction value =
      learn_policy(sequences, labels, nb_only,
                   {.sweeps = 3, .horizon = horizon, .rollout = RolloutAction::kRandomNeighbour}, random);
  MetaVector phi;
  phi.add(kScalarFeatures + 2 * kLoc + kLoc, 1);
  return value.value(phi);
}

TEST(PolicyLearnerTest, OnlyCumulativeRewardSeesTwoCoordinatedMoves) {
  // Alone: p(ORG) = 1 / (1 + e) = .269 times -1. With the other's answer to it: -.269 + .269 (.982 * 4) + ... = +.86.
  EXPECT_LT(learned_value_of_first_move(0, 5), 0);
  EXPECT_GT(learned_value_of_first_move(1, 5), 0);
}

TEST(PolicyLearnerTest, ImmediateRewardOfOneTokenIsItsExpectedGain) {
  // One token, two labels, scores 0 and 1, H = 0: Q(label 0) = p(1), Q(label 1) = -p(0); sp, the stale entropy and
  // the unary scores say nothing about the label, so Q tends to the mean over visits, which is 0 in equilibrium.
  const LabelNgrams ngrams(2, 2);
  LabelSequences sequences(ngrams);
  sequences.reset(std::vector<std::uint32_t>(3000, 1));
  for (std::size_t s = 0; s < 3000; ++s) sequences.unary(sequences.begin(s))[1] = 1;
  Assignment labels = sequences.make_labeling();
  const MetaFeatureOptions none = {.vary = false, .nb = false, .cond_ent = false, .unigram_ent = false, .sp = false};
  Random random(7);
  const ValueFunction value = learn_policy(sequences, labels, none, {.horizon = 0}, random);
  EXPECT_NEAR(value.value(MetaVector()), 0, 0.05);
}

// ------------------------------------------------------------------------------------------------------------------
// Kernels without chance, by which utilities are known exactly.

const MetaFeatureOptions kNoFeatures = {
    .vary = false, .nb = false, .cond_ent = false, .unigram_ent = false, .sp = false};

/// The utility (4) - (5) of sampling the only site once more after a first sweep. Each visit moves its label to the
/// next one; the expected gain of leaving label k is gains[k], the sampled gain ten times that. So the utility with
/// horizon H is gains[1 + H]: what the last step of the roll-out after acting sees, and the one before it does not.
double utility_of_second_visit(const PolicyLearnerOptions& options) {
  constexpr std::array kGains = {0.f, 1.f, 2.f, 5.f, 11.f, 23.f};
  const LabelNgrams ngrams(kGains.size() + 1, 2);
  LabelSequences sequences(ngrams);
  sequences.reset(std::vector<std::uint32_t>{1});
  Assignment labels = sequences.make_labeling();
  const SiteSampler sampler = [&](Assignment& y, VariableId site, Random&) {
    const Value before = y[site];
    y[site] = static_cast<Value>(before + 1);
    return mcmc::SiteInfo{
        .before = before, .after = y[site], .log_gain = 10 * kGains[before], .mean_gain = kGains[before]};
  };
  Random random(1);
  double squared_error = 0;  // of a value function that is still 0
  learn_policy(SiteNetwork(sequences), sampler, labels, kNoFeatures, options, random,
               [&](const Progress& progress) { squared_error = progress.value; });
  EXPECT_EQ(labels[sequences.begin(0)], 2);  // roll-outs are undone
  return std::sqrt(squared_error);
}

TEST(PolicyLearnerTest, UtilityIsTheRewardWithTheActionMinusTheRewardWithoutIt) {
  EXPECT_EQ(utility_of_second_visit({.epochs = 1, .sweeps = 2, .horizon = 0}), 1);
  EXPECT_EQ(utility_of_second_visit({.epochs = 1, .sweeps = 2, .horizon = 1}), 2);
  EXPECT_EQ(utility_of_second_visit({.epochs = 1, .sweeps = 2, .horizon = 2}), 5);
  EXPECT_EQ(utility_of_second_visit({.epochs = 1, .sweeps = 2, .horizon = 3}), 11);
}

TEST(PolicyLearnerTest, RewardsAreExpectedOrSampled) {
  EXPECT_EQ(utility_of_second_visit({.epochs = 1, .sweeps = 2, .horizon = 1, .expected_rewards = false}), 20);
}

// Three sites whose gains are always 1 at the best place and .5 and 0 at the others, of which the oracle feature tells.
// Only the oracle, which has a stream of its own, finds the other label; it must put it back.
void expect_roll_outs_at(std::size_t best) {
  const LabelNgrams ngrams(2, 2);
  LabelSequences sequences(ngrams);
  sequences.reset(std::vector<std::uint32_t>{3});
  Assignment labels = sequences.make_labeling();
  const Assignment first = labels;
  MetaFeatureOptions oracle = kNoFeatures;
  oracle.oracle = true;
  Random random(1);
  std::vector<std::size_t> visited;  // by exploration and roll-outs
  const auto gain_at = [&](std::size_t place) { return 1 - .5f * static_cast<float>((place + 3 - best) % 3); };
  const SiteSampler sampler = [&](Assignment& y, VariableId site, Random& stream) {
    const std::size_t place = site - sequences.begin(0);
    if (&stream == &random) visited.push_back(place);
    else y[site] = 1;
    return mcmc::SiteInfo{.before = 0, .after = y[site], .log_gain = gain_at(place), .mean_gain = gain_at(place)};
  };
  const ValueFunction value = learn_policy(SiteNetwork(sequences), sampler, labels, oracle,
                                           {.epochs = 1, .sweeps = 40, .horizon = 2, .rate = 1, .delta = 1e-4}, random);
  EXPECT_EQ(labels, first);
  for (const float gain : {0.f, .5f, 1.f}) {
    MetaVector phi;
    phi.add(kOracle, gain);
    EXPECT_NEAR(value.value(phi), gain, .3);
  }
  // After a first sweep: two steps without the action, the action in cyclic order, two steps after it.
  ASSERT_EQ(visited.size(), 3U + 39 * 3 * 5);
  for (std::size_t t = 30; t < 39 * 3; ++t) {
    const std::span<const std::size_t> steps = std::span(visited).subspan(3 + 5 * t, 5);
    EXPECT_EQ(steps[2], t % 3);
    for (const std::size_t i : {0, 1, 3, 4}) EXPECT_EQ(steps[i], best) << t;
  }
}

TEST(PolicyLearnerTest, RollOutsTakeTheActionOfTheHighestValue) {
  for (const std::size_t best : {0, 1, 2}) expect_roll_outs_at(best);
}

// Blankets of chains of pairs: the sites before and after.
TEST(PolicyLearnerTest, RandomRollOutsStayInTheBlanket) {
  const LabelNgrams ngrams(2, 2, kCity);
  LabelSequences sequences(ngrams);
  sequences.reset(std::vector<std::uint32_t>{5});
  Assignment labels = sequences.make_labeling();
  Random random(1);
  std::vector<VariableId> visited;
  const SiteSampler sampler = [&](Assignment& y, VariableId site, Random&) {
    visited.push_back(site);
    return mcmc::SiteInfo{.before = y[site], .after = y[site]};
  };
  learn_policy(SiteNetwork(sequences), sampler, labels, kNoFeatures,
               {.epochs = 1, .sweeps = 50, .horizon = 1, .rollout = RolloutAction::kRandomNeighbour}, random);
  ASSERT_EQ(visited.size(), 5U + 49 * 5 * 3);
  std::size_t before = 0, after = 0;
  for (std::size_t t = 5; t < visited.size(); t += 3)
    for (const std::size_t i : {t, t + 2}) {
      before += visited[i] + 1 == visited[t + 1];
      after += visited[i] == visited[t + 1] + 1;
    }
  EXPECT_EQ(before + after, 49U * 5 * 2);
  EXPECT_NEAR(static_cast<double>(before), 245, 60);  // as many to either side
}

// ------------------------------------------------------------------------------------------------------------------

struct SmallRun {
  ValueFunction value;
  Assignment labels;
};

SmallRun learn_small(std::uint64_t seed, const MetaFeatureOptions& features, const PolicyLearnerOptions& options,
                     double forbidden = 0, const CancelToken* cancel = nullptr) {
  const auto made = testing::random_sequences({.lengths = {6, 0, 1, 5, 9}, .scale = 2, .forbidden = forbidden}, 11);
  Assignment labels = made.sequences->make_labeling();
  Random random(seed);
  ValueFunction value = learn_policy(*made.sequences, labels, features, options, random, {}, cancel);
  return {std::move(value), std::move(labels)};
}

std::vector<float> parameters(const ValueFunction& value) {
  std::vector<float> all = value.alpha;
  all.insert(all.end(), {value.w, value.b});
  return all;
}

TEST(PolicyLearnerTest, DependsOnTheSeedAlone) {
  const SmallRun first = learn_small(1, {}, {}), again = learn_small(1, {}, {}), other = learn_small(2, {}, {});
  EXPECT_EQ(parameters(first.value), parameters(again.value));
  EXPECT_EQ(first.labels, again.labels);
  EXPECT_NE(parameters(first.value), parameters(other.value));
}

TEST(PolicyLearnerTest, EverySettingLearnsFiniteWeightsAlsoUnderHardConstraints) {
  const MetaFeatureOptions all = {.nb_ent = true, .oracle = true};
  for (const RolloutAction rollout : {RolloutAction::kArgmax, RolloutAction::kRandomNeighbour})
    for (const bool expected : {true, false})
      for (const int horizon : {0, 2}) {
        const SmallRun result = learn_small(
            3, all, {.horizon = horizon, .rollout = rollout, .expected_rewards = expected}, /*forbidden=*/0.25);
        for (const float x : parameters(result.value)) EXPECT_TRUE(std::isfinite(x));
        EXPECT_NE(result.value.b, 0);
      }
}

TEST(PolicyLearnerTest, FeaturesThatAreOffKeepWeightZero) {
  const SmallRun result = learn_small(1, {.nb = false, .sp = false}, {});
  EXPECT_EQ(result.value.alpha[kSp], 0);
  EXPECT_NE(result.value.alpha[kCondEnt], 0);
  for (std::size_t i = kScalarFeatures; i < result.value.alpha.size(); ++i) EXPECT_EQ(result.value.alpha[i], 0);
}

TEST(PolicyLearnerTest, CancelReturnsWhatWasLearnedSoFar) {
  CancelToken cancel;
  cancel.cancel();
  const SmallRun result = learn_small(1, {}, {}, 0, &cancel);
  EXPECT_EQ(result.value.b, 0);
}

TEST(PolicyLearnerTest, ReportsProgressToTheEnd) {
  const auto made = testing::random_sequences({.lengths = std::vector<std::uint32_t>(600, 3)}, 11);
  Assignment labels = made.sequences->make_labeling();
  Random random(1);
  std::vector<double> done;
  learn_policy(*made.sequences, labels, {}, {.epochs = 2}, random, [&](const Progress& report) {
    EXPECT_EQ(report.total, 1200);
    EXPECT_GE(report.value, 0);
    done.push_back(report.done);
  });
  EXPECT_EQ(done, (std::vector<double>{256, 512, 600, 856, 1112, 1200}));
}

TEST(PolicyLearnerTest, RefusesSettingsOutOfRange) {
  EXPECT_THROW(learn_small(1, {}, {.epochs = 0}), UsageError);
  EXPECT_THROW(learn_small(1, {}, {.horizon = -1}), UsageError);
}

}  // namespace
}  // namespace fovea::sequence
