// SPDX-License-Identifier: Apache-2.0
#include "fovea/linkage/weights/fellegi_sunter.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "fovea/base/error.h"
#include "tests/support/expect_error.h"
#include "tests/support/record_pairs.h"
#include "tests/support/statistics.h"

namespace fovea::linkage {
namespace {

using testing::chi_square_threshold;
using testing::draw_levels;
using testing::draw_patterns;
using testing::for_each_pattern;
using testing::kFalseFailureRate;
using testing::level_counts;
using testing::pattern_probability;

const FellegiSunterModel kTruth{.match_share = .15,
                                .m = {{1, .05, .15, .8}, {1, .1, .9}, {1, .02, .08, .2, .7}, {1, .3, .7}},
                                .u = {{1, .7, .25, .05}, {1, .8, .2}, {1, .6, .3, .08, .02}, {1, .9, .1}}};
constexpr double kMissing = .1;

/// A pseudo-count that is small enough for maximum likelihood, and EM is run to the end.
const FellegiSunterOptions kPrecise{.pseudo_count = 1e-6, .tolerance = 1e-10, .max_iterations = 100000};

/// The free probabilities: the share and, for each comparison, all levels except the missing one and the last one.
std::vector<double*> free_parameters(FellegiSunterModel& model, bool with_m, bool with_u) {
  std::vector<double*> free = {&model.match_share};
  const auto add = [&](LevelTable& table) {
    for (std::vector<double>& row : table)
      for (std::size_t l = 1; l + 1 < row.size(); ++l) free.push_back(&row[l]);
  };
  if (with_m) add(model.m);
  if (with_u) add(model.u);
  return free;
}

void complete(FellegiSunterModel& model) {
  for (LevelTable* table : {&model.m, &model.u})
    for (std::vector<double>& row : *table) {
      row.back() = 1;
      for (std::size_t l = 1; l + 1 < row.size(); ++l) row.back() -= row[l];
    }
}

/// Wald's test that `model` is a maximum likelihood estimate from n pairs of kTruth: with d the errors of the free
/// parameters, n d' I d follows chi-square, where I is the Fisher information sum_l (dp dp') / p over all patterns l.
/// dp' d is a difference quotient along d.
::testing::AssertionResult recovers_truth(FellegiSunterModel model, std::size_t n, bool with_m, bool with_u) {
  FellegiSunterModel above = kTruth, below = kTruth;
  const std::vector<double*> estimate = free_parameters(model, with_m, with_u);
  const std::vector<double*> up = free_parameters(above, with_m, with_u);
  const std::vector<double*> down = free_parameters(below, with_m, with_u);
  constexpr double kStep = 1e-3;  // of d
  for (std::size_t i = 0; i < estimate.size(); ++i) {
    const double truth = *up[i];
    *up[i] += kStep * (*estimate[i] - truth);
    *down[i] -= kStep * (*estimate[i] - truth);
  }
  complete(above), complete(below);
  double statistic = 0;
  for_each_pattern(level_counts(kTruth), [&](const std::vector<Level>& levels) {
    double present = 1;
    for (const Level l : levels) present *= l == kMissingLevel ? kMissing : 1 - kMissing;
    const double slope = (pattern_probability(above, levels) - pattern_probability(below, levels)) / (2 * kStep);
    statistic += static_cast<double>(n) * present * slope * slope / pattern_probability(kTruth, levels);
  });
  const double threshold = chi_square_threshold(estimate.size(), kFalseFailureRate);
  if (statistic <= threshold) return ::testing::AssertionSuccess();
  return ::testing::AssertionFailure() << "X^2 = " << statistic << " > " << threshold;
}

TEST(FellegiSunter, StartsAsNotRun) {
  EXPECT_FALSE(FellegiSunterFit().usable());
  EXPECT_EQ(FellegiSunterFit().brief(), "EM: not run");
}

TEST(FellegiSunter, RecoversTheModelThatMadeThePairs) {
  constexpr std::size_t kPairs = 100000;
  Random random(2);
  const AgreementPatterns patterns = draw_patterns(kTruth, kPairs, kMissing, random);
  const FellegiSunterFit fit = fit_fellegi_sunter(patterns, kPrecise);
  EXPECT_EQ(fit.termination, optimize::Termination::kConverged);
  EXPECT_THAT(fit.brief(), HasSubstr("EM: converged after"));
  EXPECT_TRUE(recovers_truth(fit.model, kPairs, true, true));
  EXPECT_TRUE(recovers_truth(fit_fellegi_sunter(patterns, kPrecise, {.u = kTruth.u}).model, kPairs, true, false));
  const FellegiSunterFit share = fit_fellegi_sunter(patterns, kPrecise, {.m = kTruth.m, .u = kTruth.u});
  EXPECT_TRUE(recovers_truth(share.model, kPairs, false, false));
  EXPECT_EQ(share.model.m, kTruth.m);
  EXPECT_EQ(share.model.u, kTruth.u);
}

TEST(FellegiSunter, TheTestOfRecoveryHasPower) {
  FellegiSunterModel wrong = kTruth;
  EXPECT_TRUE(recovers_truth(wrong, 100000, true, true));
  wrong.m[0] = {1, .05, .18, .77};
  EXPECT_FALSE(recovers_truth(wrong, 100000, true, true));
}

TEST(FellegiSunter, ObjectiveNeverFalls) {
  Random random(3);
  for (const double pseudo_count : {1e-6, .5, 20.0})
    for (const bool knows_u : {false, true}) {
      const AgreementPatterns patterns = draw_patterns(kTruth, 300, .3, random);
      const FellegiSunterOptions options{.pseudo_count = pseudo_count, .tolerance = 0, .max_iterations = 200};
      const auto known = knows_u ? PriorKnowledge{.u = kTruth.u, .other_pairs = 500} : PriorKnowledge{};
      const FellegiSunterFit fit = fit_fellegi_sunter(patterns, options, known);
      EXPECT_GT(fit.objectives.back(), fit.objectives.front() + 1);
      for (std::size_t i = 1; i < fit.objectives.size(); ++i)
        EXPECT_GE(fit.objectives[i], fit.objectives[i - 1] - 1e-11 * std::abs(fit.objectives[i]));
      EXPECT_NEAR(fit.log_likelihood, fit.model.expect(patterns).log_likelihood, 1e-9);
    }
}

/// One comparison of two levels: s m + (1 - s) u is the share of pairs that agree.
TEST(FellegiSunter, ShareOfMatchesAgreesWithItsClosedForm) {
  AgreementPatterns patterns({3});
  patterns.add(std::vector<Level>{2}, 300);
  patterns.add(std::vector<Level>{1}, 700);
  patterns.add(std::vector<Level>{0}, 1000);
  FellegiSunterOptions options = kPrecise;
  options.tolerance = 1e-13;
  const FellegiSunterFit fit =
      fit_fellegi_sunter(patterns, options, {.m = LevelTable{{1, .1, .9}}, .u = LevelTable{{1, .8, .2}}});
  EXPECT_NEAR(fit.model.match_share, (.3 - .2) / (.9 - .2), 1e-8);
}

/// Pairs of a level that no match has are as good as pairs known not to match.
TEST(FellegiSunter, OtherPairsCountAsPairsThatDoNotMatch) {
  const LevelTable m = {{1, 1e-12, .1, .9 - 1e-12}}, u = {{1, .9, .08, .02}};
  AgreementPatterns all({4});
  all.add(std::vector<Level>{2}, 900);
  all.add(std::vector<Level>{3}, 700);
  const FellegiSunterFit known = fit_fellegi_sunter(all, kPrecise, {.m = m, .u = u, .other_pairs = 8400});
  all.add(std::vector<Level>{1}, 8400);
  const FellegiSunterFit given = fit_fellegi_sunter(all, kPrecise, {.m = m, .u = u});
  EXPECT_NEAR(known.model.match_share, given.model.match_share, 1e-9);
}

TEST(FellegiSunter, PseudoCountsKeepLevelsPossible) {
  AgreementPatterns patterns({4, 3, 3});
  patterns.add(std::vector<Level>{3, 2, 2}, 10);
  patterns.add(std::vector<Level>{1, 1, 1}, 90);
  const FellegiSunterFit fit = fit_fellegi_sunter(patterns, {.pseudo_count = 1});
  EXPECT_NEAR(fit.model.m[0][2], 1 / 13.0, 1e-3);
  EXPECT_NEAR(fit.model.u[0][2], 1 / 93.0, 1e-3);
  EXPECT_NEAR(fit.model.match_share, 11 / 102.0, 1e-3);
}

/// Neither among matches nor by chance: "years differ by over 10 %" once spoke for a match with 4.41 nats.
TEST(FellegiSunter, ALevelThatNobodyHasSeenSpeaksForNothing) {
  Random random(8);
  AgreementPatterns patterns({3, 3, 4});
  const FellegiSunterModel truth{.match_share = .2, .m = LevelTable(2, {1, .1, .9}), .u = LevelTable(2, {1, .9, .1})};
  for (int i = 0; i < 1000; ++i) {
    std::vector<Level> levels = draw_levels(truth, random.bernoulli(.2), 0, random);
    levels.push_back(static_cast<Level>(2 + random.uniform_index(2)));
    patterns.add(levels);
  }
  const LevelTable u = {truth.u[0], truth.u[1], {1, 1e-6, .5, .5 - 1e-6}};
  EXPECT_LT(fit_fellegi_sunter(patterns, {}, {.u = u}).model.weights().weights[2][1], 0);
}

/// Where nearly all pairs match, the levels of all pairs, from which `u` starts, agree more than the start of `m`.
TEST(FellegiSunter, MatchesAreTheClassThatAgreesMore) {
  const FellegiSunterModel truth{
      .match_share = .95, .m = LevelTable(4, {1, .01, .99}), .u = LevelTable(4, {1, .7, .3})};
  Random random(4);
  const AgreementPatterns patterns = draw_patterns(truth, 20000, 0, random);
  const FellegiSunterFit fit = fit_fellegi_sunter(patterns);
  for (std::size_t c = 0; c < truth.m.size(); ++c) EXPECT_GT(fit.model.m[c][2], fit.model.u[c][2]);
  EXPECT_NEAR(fit.model.match_share, .95, .01);  // 4.9 standard deviations (kFalseFailureRate) of the labels are .0076
  EXPECT_NEAR(fit.model.expect(patterns).log_likelihood, fit.log_likelihood, 1e-6);
}

TEST(FellegiSunter, StopsByEachRule) {
  Random random(5);
  const AgreementPatterns patterns = draw_patterns(kTruth, 1000, 0, random);
  const FellegiSunterFit few = fit_fellegi_sunter(patterns, {.tolerance = 0, .max_iterations = 3});
  EXPECT_EQ(few.termination, optimize::Termination::kIterations);
  EXPECT_EQ(few.objectives.size(), 4u);
  EXPECT_TRUE(few.usable());
  const FellegiSunterFit converged = fit_fellegi_sunter(patterns, {.tolerance = 1e-3});
  EXPECT_EQ(converged.termination, optimize::Termination::kConverged);
  EXPECT_LE(converged.largest_change, 1e-3);
  const auto iterations = static_cast<int>(converged.objectives.size()) - 1;
  EXPECT_GT(fit_fellegi_sunter(patterns, {.tolerance = 0, .max_iterations = iterations - 1}).largest_change, 1e-3);
}

/// Pairs of two blocking rules; each rule's comparison agrees in all of its pairs and is left out.
TEST(FellegiSunter, RunsOfSeveralBlockingRulesMakeOneModel) {
  constexpr std::size_t kPairs = 200000;
  Random random(6);
  std::vector<FellegiSunterFit> fits;
  for (const std::size_t rule : {0, 1}) {
    FellegiSunterModel blocked = kTruth;
    blocked.match_share = .5;
    blocked.m[rule].assign(blocked.m[rule].size(), 0);
    blocked.m[rule].back() = 1;
    blocked.u[rule] = blocked.m[rule];
    const AgreementPatterns pairs = draw_patterns(blocked, kPairs, 0, random);
    fits.push_back(fit_fellegi_sunter(pairs.without(std::vector{rule}), kPrecise, {.u = kTruth.u}));
    EXPECT_EQ(fits.back().evidence[rule], 0);
    EXPECT_EQ(fits.back().model.weights().weights[rule], std::vector<double>(kTruth.u[rule].size()));
  }
  const PriorKnowledge means = average(fits);
  EXPECT_EQ(means.m->at(0), fits[1].model.m[0]);
  EXPECT_EQ(means.m->at(1), fits[0].model.m[1]);
  EXPECT_DOUBLE_EQ(means.m->at(2)[4], (fits[0].model.m[2][4] + fits[1].model.m[2][4]) / 2);
  EXPECT_EQ(means.u->at(0), kTruth.u[0]);
  // Each run saw over thirty times as many matches as a tenth of these pairs holds, which therefore bounds the errors.
  const AgreementPatterns all = draw_patterns(kTruth, kPairs, kMissing, random);
  EXPECT_TRUE(recovers_truth(fit_fellegi_sunter(all, kPrecise, means).model, kPairs / 10, true, false));
}

TEST(FellegiSunter, ComparisonsThatNoRunSawHaveNoWeight) {
  Random random(7);
  const AgreementPatterns pairs = draw_patterns(kTruth, 1000, 0, random).without(std::vector<std::size_t>{1});
  for (const auto& known : {PriorKnowledge{}, PriorKnowledge{.u = kTruth.u}}) {
    const std::vector<FellegiSunterFit> fits(2, fit_fellegi_sunter(pairs, {}, known));
    const PriorKnowledge means = average(fits);
    EXPECT_EQ(means.m->at(1), means.u->at(1));
  }
}

TEST(FellegiSunter, SaysSoWhereClassesCannotBeTold) {
  AgreementPatterns patterns({3, 3, 3});
  const LevelTable u(3, {1, .9, .1});
  const auto refusal = [&](const PriorKnowledge& known) {
    return message_of<InputError>([&] { fit_fellegi_sunter(patterns, {}, known); });
  };
  EXPECT_THAT(refusal({.m = u, .u = u}), HasSubstr("only 0 comparisons"));
  patterns.add(std::vector<Level>{1, 0, 0});
  EXPECT_THAT(refusal({.u = u}), HasSubstr("takes 2"));
  patterns.add(std::vector<Level>{1, 2, 0});
  EXPECT_THAT(refusal({}), HasSubstr("only 2 comparisons have values in both records of some pair"));
  EXPECT_THAT(refusal({}), HasSubstr("takes 3. Compare more columns"));
  EXPECT_TRUE(fit_fellegi_sunter(patterns, {}, {.u = u}).usable());
}

TEST(FellegiSunter, RefusesBadOptionsAndProbabilities) {
  AgreementPatterns patterns({3, 3, 3});
  patterns.add(std::vector<Level>{1, 2, 1});
  EXPECT_THROW(fit_fellegi_sunter(patterns, {.pseudo_count = 0}), UsageError);
  EXPECT_THROW(fit_fellegi_sunter(patterns, {.start_match_share = 1}), UsageError);
  EXPECT_THROW(fit_fellegi_sunter(patterns, {.tolerance = -1}), UsageError);
  EXPECT_THROW(fit_fellegi_sunter(patterns, {.max_iterations = 0}), UsageError);
  const LevelTable good(3, {1, .9, .1});
  EXPECT_THROW(fit_fellegi_sunter(patterns, {}, {.m = good}), InternalError);
  EXPECT_THROW(fit_fellegi_sunter(patterns, {}, {.other_pairs = 1}), InternalError);
  EXPECT_THROW(fit_fellegi_sunter(patterns, {}, {.u = good, .other_pairs = -1}), InternalError);
  for (const LevelTable& bad : {LevelTable(2, {1, .9, .1}), LevelTable(3, {1, 1}), LevelTable(3, {0, .9, .1}),
                                LevelTable(3, {1, 1, 0}), LevelTable(3, {1, 1.5, .5})})
    EXPECT_THROW(fit_fellegi_sunter(patterns, {}, {.u = bad}), InternalError);
  EXPECT_THROW(average({}), InternalError);
}

}  // namespace
}  // namespace fovea::linkage
