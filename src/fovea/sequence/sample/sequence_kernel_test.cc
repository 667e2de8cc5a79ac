// SPDX-License-Identifier: Apache-2.0
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "fovea/sequence/sample/sequence_kernel_test.cc"
#include "hwy/foreach_target.h"  // must come before highway.h
// Compiled once per target from here on.
#include "fovea/sequence/sample/sequence_kernel-inl.h"
#include "tests/support/enumerating_random.h"

HWY_BEFORE_NAMESPACE();
namespace fovea::sequence::HWY_NAMESPACE {

std::size_t enumerated_visit(const LabelSequences& sequences, Value* labels, std::span<const VariableId> batch,
                             testing::EnumeratingRandom& random) {
  return visit<Visit::kSample, Detail::kNone>(sequences, labels, batch, random, {}, nullptr);
}

/// The largest relative error of fast_exp over [-80, 0], and its values at -inf and 0.
void exp_errors(double* largest, float* at_infinity, float* at_zero) {
  const Tag d;
  const auto of = [&](float x) { return hn::GetLane(fast_exp(d, hn::Set(d, x))); };
  *largest = 0;
  for (float x = -80; x < 0; x += 0.00137f) *largest = std::max(*largest, std::abs(of(x) / std::exp(double{x}) - 1));
  *at_infinity = of(-std::numeric_limits<float>::infinity());
  *at_zero = of(0);
}

}  // namespace fovea::sequence::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include <gtest/gtest.h>

#include <map>
#include <numeric>

#include "fovea/mcmc/gibbs.h"
#include "fovea/sequence/sample/orders.h"
#include "tests/support/instruction_sets.h"
#include "tests/support/random_sequences.h"

namespace fovea::sequence {
namespace {

HWY_EXPORT(enumerated_visit);
HWY_EXPORT(exp_errors);

using Law = std::map<Assignment, double>;

/// Exact law of the labeling after the kernel visited `batch`, by replaying every random choice.
Law law_after(const LabelSequences& sequences, const Assignment& start, std::span<const VariableId> batch) {
  Law law;
  Assignment y;
  testing::EnumeratingRandom random;
  random.enumerate(
      [&](testing::EnumeratingRandom& r) {
        y = start;
        HWY_DYNAMIC_DISPATCH(enumerated_visit)(sequences, y.data(), batch, r);
      },
      [&](double p) { law[y] += p; });
  return law;
}

/// All labelings of a single sequence with their normalised probabilities.
Law target_law(const LabelSequences& sequences) {
  Law law;
  Assignment y = sequences.make_labeling();
  double total = 0;
  const auto recurse = [&](auto&& self, std::size_t p) -> void {
    if (p == sequences.end(0)) {
      total += law[y] = std::exp(sequences.log_score(0, y));
      return;
    }
    for (Value k = 0; k < sequences.ngrams().label_count(); ++k) {
      y[p] = k;
      self(self, p + 1);
    }
  };
  recurse(recurse, sequences.begin(0));
  for (auto& [labels, p] : law) p /= total;
  return law;
}

/// max_y |(p A)(y) - p(y)| for the kernel A that visits `batch`.
double invariance_gap(const LabelSequences& sequences, std::span<const VariableId> batch) {
  const Law target = target_law(sequences);
  Law moved;
  for (const auto& [start, p] : target)
    if (p > 0)
      for (const auto& [y, q] : law_after(sequences, start, batch)) moved[y] += p * q;
  double gap = 0;
  for (const auto& [y, p] : target) gap = std::max(gap, std::abs(moved[y] - p));
  return gap;
}

// Weights are floats, so the exact matrix carries their rounding: 1e-7 relative per visit. gibbs_test.cc checks the
// plain kernel in double to 1e-12, and WideRowsMatchPlainGibbs ties the two together.
constexpr double kFloatGap = 2e-6;

TEST(SequenceGibbsTest, EverySweepLeavesTheTargetInvariant) {
  for (int factor_size = 1; factor_size <= 4; ++factor_size) {
    const auto made = testing::random_sequences({.factor_size = factor_size, .lengths = {4}, .ngram_density = .7}, 3);
    const LabelSequences& sequences = *made.sequences;
    testing::for_each_instruction_set(
        [&] { EXPECT_LT(invariance_gap(sequences, colour_order(sequences)), kFloatGap) << "f" << factor_size; });
  }
}

TEST(SequenceGibbsTest, HardConstraintsAreRespected) {
  const auto made = testing::random_sequences({.lengths = {4}, .ngram_density = .8, .forbidden = .15}, 5);
  const LabelSequences& sequences = *made.sequences;
  testing::for_each_instruction_set(
      [&] { EXPECT_LT(invariance_gap(sequences, left_to_right_order(sequences)), kFloatGap); });
}

// Scores hundreds of nats apart, where weights relative to the current label overflow.
TEST(SequenceGibbsTest, ExtremeScoresAreDrawnRight) {
  const auto made = testing::random_sequences({.lengths = {3}, .scale = 300}, 7);
  const LabelSequences& sequences = *made.sequences;
  const std::vector<VariableId> site = {static_cast<VariableId>(sequences.begin(0))};
  for (Value start = 0; start < 3; ++start) {
    Assignment y = sequences.make_labeling();
    y[site[0]] = start;
    testing::for_each_instruction_set([&] {
      double total = 0;
      for (const auto& [after, p] : law_after(sequences, y, site)) {
        total += p;
        for (Value k = 0; k < 3; ++k) {
          Assignment other = after;
          other[site[0]] = k;
          if (p > 1e-3) {
            EXPECT_LT(sequences.log_score(other), sequences.log_score(after) + 10);
          }
        }
      }
      EXPECT_NEAR(total, 1, 1e-9);
    });
  }
}

TEST(SequenceGibbsTest, CheckerSeesAKernelThatIsWrong) {
  const auto made = testing::random_sequences({.lengths = {3}}, 3);
  const auto other = testing::random_sequences({.lengths = {3}}, 4);  // a kernel for other scores
  const Law target = target_law(*made.sequences);
  Law moved;
  for (const auto& [start, p] : target)
    for (const auto& [y, q] : law_after(*other.sequences, start, left_to_right_order(*other.sequences)))
      moved[y] += p * q;
  double gap = 0;
  for (const auto& [y, p] : target) gap = std::max(gap, std::abs(moved[y] - p));
  EXPECT_GT(gap, 1e-3);
}

TEST(SequenceGibbsTest, WideRowsMatchPlainGibbs) {
  for (const int labels : {16, 17, 49, 64, 70}) {
    const auto made = testing::random_sequences({.label_count = labels, .lengths = {3}, .scale = 2}, 11);
    const LabelSequences& sequences = *made.sequences;
    const SequenceView view(sequences, 0);
    Assignment y = sequences.make_labeling();
    std::vector<float> scores(labels);
    view.conditional_scores(1, Assignment(y.begin() + sequences.begin(0), y.begin() + sequences.end(0)), scores);
    double total = 0;
    for (float s : scores) total += std::exp(double{s} - scores[0]);
    const std::vector<VariableId> site = {static_cast<VariableId>(sequences.begin(0) + 1)};
    testing::for_each_instruction_set([&] {
      for (const auto& [after, p] : law_after(sequences, y, site))
        EXPECT_NEAR(p, std::exp(double{scores[after[site[0]]]} - scores[0]) / total, 2e-6) << labels;
    });
  }
}

TEST(SequenceGibbsTest, DrawsFollowTheEnumeratedLaw) {
  Random random(17);
  const auto made = testing::random_sequences({.label_count = 9, .lengths = {1}}, 17);
  const LabelSequences& sequences = *made.sequences;
  const std::vector<VariableId> site = {static_cast<VariableId>(sequences.begin(0))};
  const Law law = law_after(sequences, sequences.make_labeling(), site);
  testing::for_each_instruction_set([&] {
    std::vector<double> counts(9);
    const int draws = 200000;
    Assignment y = sequences.make_labeling();
    const SequenceGibbs kernel(sequences);
    for (int i = 0; i < draws; ++i) {
      kernel.step(y, site, random);
      ++counts[y[site[0]]];
    }
    double chi_square = 0;
    for (const auto& [after, p] : law) {
      const double expected = p * draws;
      chi_square += (counts[after[site[0]]] - expected) * (counts[after[site[0]]] - expected) / expected;
    }
    EXPECT_LT(chi_square, 37.33);  // chi-square with 8 degrees of freedom, 1 - 1e-5
  });
}

// Sites that share no window are visited side by side. Whatever the order of the batch, the draws are those of one
// visit after another.
TEST(SequenceGibbsTest, BatchesEqualSingleVisits) {
  for (int factor_size = 1; factor_size <= 5; ++factor_size) {
    const auto made = testing::random_sequences({.factor_size = factor_size, .lengths = {31, 1, 2, 40}}, 19);
    const LabelSequences& sequences = *made.sequences;
    const SequenceGibbs kernel(sequences);
    auto scattered = left_to_right_order(sequences), backward = scattered;
    std::reverse(backward.begin(), backward.end());
    Random mix(19);
    for (VariableId& p : scattered) p = backward[mix.uniform_index(static_cast<std::uint32_t>(backward.size()))];
    for (const auto& order : {left_to_right_order(sequences), colour_order(sequences), backward, scattered})
      testing::for_each_instruction_set([&] {
        Assignment together = sequences.make_labeling(), alone = together;
        Random one(23), other(23);
        for (int sweep = 0; sweep < 20; ++sweep) {
          kernel.step(together, order, one);
          for (const VariableId& p : order) kernel.step(alone, {&p, 1}, other);
          ASSERT_EQ(together, alone) << "f" << factor_size << " sweep " << sweep;
        }
      });
  }
}

TEST(SequenceIcmTest, NeverLowersTheScoreAndStopsAtALocalMaximum) {
  Random random(23);
  const auto made = testing::random_sequences({.label_count = 5, .factor_size = 3, .lengths = {7, 1, 2, 9}}, 23);
  const LabelSequences& sequences = *made.sequences;
  testing::for_each_instruction_set([&] {
    Assignment y = sequences.make_labeling();
    const SequenceIcm kernel(sequences);
    const auto order = colour_order(sequences);
    double score = sequences.log_score(y);
    while (kernel.step(y, order, random).changes > 0) {
      EXPECT_GT(sequences.log_score(y), score);
      score = sequences.log_score(y);
    }
    for (const VariableId p : order)
      for (Value k = 0; k < 5; ++k) {
        Assignment other = y;
        other[p] = k;
        EXPECT_LE(sequences.log_score(other), score + 1e-4);
      }
  });
}

TEST(SequenceKernelTest, SiteInfoMatchesItsDefinition) {
  Random random(29);
  const auto made = testing::random_sequences({.label_count = 4, .factor_size = 3, .lengths = {5}}, 29);
  const LabelSequences& sequences = *made.sequences;
  const SequenceView view(sequences, 0);
  testing::for_each_instruction_set([&] {
    Assignment y = sequences.make_labeling();
    for (const VariableId p : left_to_right_order(sequences)) {
      const auto v = static_cast<VariableId>(p - sequences.begin(0));
      std::vector<float> scores(4);
      view.conditional_scores(v, Assignment(y.begin() + sequences.begin(0), y.begin() + sequences.end(0)), scores);
      const Value before = y[p];
      mcmc::SiteInfo info;
      SequenceGibbs(sequences).step(y, {&p, 1}, random, std::span<mcmc::SiteInfo>(&info, 1));
      double total = 0, entropy = 0, mean = 0, best = *std::max_element(scores.begin(), scores.end());
      for (float s : scores) total += std::exp(s - best);
      for (float s : scores) {
        const double q = std::exp(s - best) / total;
        entropy -= q * std::log(q);
        mean += q * (s - scores[before]);
      }
      EXPECT_EQ(info.before, before);
      EXPECT_EQ(info.after, y[p]);
      EXPECT_NEAR(info.doubt, 1 - 1 / total, 1e-6);
      EXPECT_NEAR(info.entropy, entropy, 1e-5);
      EXPECT_NEAR(info.log_gain, scores[y[p]] - scores[before], 1e-5);
      EXPECT_NEAR(info.best_gain, best - scores[before], 1e-5);
      EXPECT_NEAR(info.mean_gain, mean, 1e-5);
    }
  });
}

TEST(SequenceKernelTest, GainsAreThoseOfSiteInfo) {
  const auto made = testing::random_sequences({.label_count = 20, .lengths = {30, 7}, .scale = 2}, 43);
  const LabelSequences& sequences = *made.sequences;
  const std::vector<VariableId> order = colour_order(sequences);
  std::vector<mcmc::SiteInfo> sites(order.size());
  std::vector<float> gains(order.size()), gains_beside_doubt(order.size()), doubt(sequences.position_count());
  std::vector<VariableId> changed(order.size() + 1);
  const auto check = [&](const auto& kernel) {
    Assignment y = sequences.make_labeling(), z = y, w = y;
    Random one(47), two(47), three(47);
    kernel.step(y, order, one, std::span(sites));
    const mcmc::StepInfo info = kernel.step(z, order, two, mcmc::VisitRecord{.gains = gains.data()});
    kernel.step(w, order, three, {doubt.data(), changed.data(), gains_beside_doubt.data()});
    EXPECT_EQ(info.gains.size(), order.size());
    for (std::size_t i = 0; i < order.size(); ++i) {
      EXPECT_EQ(gains[i], sites[i].log_gain);
      EXPECT_EQ(gains_beside_doubt[i], sites[i].log_gain);
    }
  };
  testing::for_each_instruction_set([&] { check(SequenceGibbs(sequences)), check(SequenceIcm(sequences)); });
}

TEST(SequenceKernelTest, SitesWithoutAPossibleLabelStayAsTheyAre) {
  const auto made = testing::random_sequences({.lengths = {3}}, 53);
  LabelSequences& sequences = *made.sequences;
  const std::vector<VariableId> site = {static_cast<VariableId>(sequences.begin(0) + 1)};
  std::fill_n(sequences.unary(site[0]), 3, -std::numeric_limits<float>::infinity());
  const auto check = [&](const auto& kernel) {
    Assignment y = sequences.make_labeling();
    y[site[0]] = 2;
    const Assignment before = y;
    Random random(1);
    float gain = 1;
    std::vector<float> doubt(sequences.position_count(), 1);
    std::array<VariableId, 2> changed{};
    mcmc::SiteInfo info;
    kernel.step(y, site, random, mcmc::VisitRecord{});
    kernel.step(y, site, random, mcmc::VisitRecord{.gains = &gain});
    kernel.step(y, site, random, mcmc::VisitRecord{.doubt = doubt.data(), .changed = changed.data()});
    kernel.step(y, site, random, std::span(&info, 1));
    EXPECT_EQ(y, before);
    EXPECT_EQ(gain, 0);
    EXPECT_EQ(doubt[site[0]], 0);
    EXPECT_EQ(info.log_gain, 0);
  };
  testing::for_each_instruction_set([&] { check(SequenceGibbs(sequences)), check(SequenceIcm(sequences)); });
}

TEST(SequenceKernelTest, FastExponentialIsAccurate) {
  testing::for_each_instruction_set([&] {
    double largest;
    float at_infinity, at_zero;
    HWY_DYNAMIC_DISPATCH(exp_errors)(&largest, &at_infinity, &at_zero);
    EXPECT_LT(largest, 1e-5);  // float spacing at x = -80 alone moves exp by 4e-6
    EXPECT_EQ(at_infinity, 0);
    EXPECT_EQ(at_zero, 1);
  });
}

}  // namespace
}  // namespace fovea::sequence
#endif
