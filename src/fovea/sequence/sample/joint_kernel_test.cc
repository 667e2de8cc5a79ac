// SPDX-License-Identifier: Apache-2.0
#include "fovea/sequence/sample/joint_kernel.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <random>

#include "tests/support/expect_error.h"
#include "tests/support/random_sequences.h"

namespace fovea::sequence {
namespace {

/// Sequences, the labels around, and sites with some of their labels open.
struct Problem {
  testing::RandomSequences made;
  Assignment labels;
  OpenLabels open;
  std::vector<VariableId> sites;

  const LabelSequences& sequences() const { return *made.sequences; }
};

Problem random_problem(const testing::RandomSequencesShape& shape, std::uint32_t seed) {
  Problem problem{.made = testing::random_sequences(shape, seed), .labels = {}, .open = {}, .sites = {}};
  std::mt19937 engine(seed);
  problem.labels = problem.sequences().make_labeling();
  problem.open.reset(problem.labels.size());
  for (std::size_t s = 0; s < problem.sequences().sequence_count(); ++s)
    for (std::size_t p = problem.sequences().begin(s); p < problem.sequences().end(s); ++p) {
      problem.labels[p] = static_cast<Value>(engine() % shape.label_count);
      if (engine() % 3 == 0) continue;
      problem.sites.push_back(static_cast<VariableId>(p));
      std::vector<float> weights(shape.label_count);
      for (float& w : weights) w = static_cast<float>(engine() % 1000);
      if (engine() % 5 > 0) problem.open.open(p, weights, 400);
    }
  return problem;
}

/// Calls visit(labels, exp(score)) for every labeling that the open labels allow.
template <class Visit>
void for_each_open_labeling(const Problem& problem, const Visit& visit) {
  Assignment labels = problem.labels;
  std::vector<std::size_t> choice(problem.sites.size());
  const auto options = [&](std::size_t i) {
    const auto open = problem.open.at(problem.sites[i]);
    return open.empty() ? std::span<const Value>(&problem.labels[problem.sites[i]], 1) : open;
  };
  for (;;) {
    for (std::size_t i = 0; i < choice.size(); ++i) labels[problem.sites[i]] = options(i)[choice[i]];
    visit(labels, std::exp(problem.sequences().log_score(labels)));
    std::size_t i = 0;
    while (i < choice.size() && ++choice[i] == options(i).size()) choice[i++] = 0;
    if (i == choice.size()) return;
  }
}

Assignment step(const Problem& problem, JointAnswer answer, const mcmc::VisitRecord& record = {}) {
  Assignment labels = problem.labels;
  Random unused(0);
  SequenceJoint(problem.sequences(), problem.open, answer).step(labels, problem.sites, unused, record);
  return labels;
}

class SequenceJointTest : public ::testing::TestWithParam<int> {
 protected:
  testing::RandomSequencesShape shape() const {
    return {.label_count = 4, .factor_size = GetParam(), .lengths = {5, 0, 1, 6}, .scale = 1.5};
  }
};

TEST_P(SequenceJointTest, BestIsTheBestGivenTheRest) {
  for (std::uint32_t seed = 0; seed < 20; ++seed) {
    const Problem problem = random_problem(shape(), seed);
    double best = 0;
    for_each_open_labeling(problem, [&](const Assignment&, double weight) { best = std::max(best, weight); });
    EXPECT_NEAR(std::exp(problem.sequences().log_score(step(problem, JointAnswer::kBest))) / best, 1, 1e-5);
  }
}

TEST_P(SequenceJointTest, MarginalsAreThoseGivenTheRest) {
  for (std::uint32_t seed = 0; seed < 20; ++seed) {
    const Problem problem = random_problem(shape(), seed);
    std::vector<std::vector<double>> sums(problem.labels.size(), std::vector<double>(4));
    double total = 0;
    for_each_open_labeling(problem, [&](const Assignment& labels, double weight) {
      total += weight;
      for (const VariableId p : problem.sites) sums[p][labels[p]] += weight;
    });
    std::vector<float> doubt(problem.labels.size(), -1);
    std::vector<VariableId> changed(problem.sites.size() + 1);
    const Assignment labels = step(problem, JointAnswer::kMarginal, {.doubt = doubt.data(), .changed = changed.data()});
    for (const VariableId p : problem.sites) {
      EXPECT_NEAR(sums[p][labels[p]], *std::max_element(sums[p].begin(), sums[p].end()), 1e-5 * total);
      if (problem.open.at(p).size() > 1) EXPECT_NEAR(doubt[p], 1 - sums[p][labels[p]] / total, 1e-5);
      else EXPECT_EQ(doubt[p], -1);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(FactorSizes, SequenceJointTest, ::testing::Values(2, 3, 4, 5));

TEST(SequenceJoint, RecordsWhatChanges) {
  const Problem problem = random_problem({.label_count = 3, .factor_size = 3, .lengths = {9}}, 5);
  Assignment labels = problem.labels;
  std::vector<VariableId> shuffled(problem.sites.rbegin(), problem.sites.rend()), changed(10), expected;
  Random unused(0);
  const mcmc::StepInfo info = SequenceJoint(problem.sequences(), problem.open, JointAnswer::kBest)
                                  .step(labels, shuffled, unused, {.doubt = nullptr, .changed = changed.data()});
  for (std::size_t p = 0; p < labels.size(); ++p)
    if (labels[p] != problem.labels[p]) expected.push_back(static_cast<VariableId>(p));
  ASSERT_FALSE(expected.empty());
  changed.resize(info.changes);
  EXPECT_THAT(changed, ElementsAreArray(expected));
  EXPECT_EQ(info.work.transitions, problem.sites.size());
  EXPECT_GT(info.work.factors, 0u);
}

/// p(01) = .3, p(02) = p(10) = .25, p(20) = .2: label 0 is the likelier one at both sites, but 00 is impossible.
TEST(SequenceJoint, MarginalsKeepHardConstraints) {
  const float forbidden = -std::numeric_limits<float>::infinity();
  const std::map<std::pair<Value, Value>, float> possible = {
      {{0, 1}, .3f}, {{0, 2}, .25f}, {{1, 0}, .25f}, {{2, 0}, .2f}};
  std::vector<LabelNgram> pairs;
  for (Value a = 0; a < 3; ++a)
    for (Value b = 0; b < 3; ++b) {
      const auto found = possible.find({a, b});
      pairs.push_back(
          {.labels = {a, b}, .size = 2, .score = found == possible.end() ? forbidden : std::log(found->second)});
    }
  const LabelNgrams ngrams(3, 2, pairs);
  LabelSequences sequences(ngrams);
  sequences.reset(std::vector<std::uint32_t>{2});
  const auto p = static_cast<VariableId>(sequences.begin(0));
  const std::vector<VariableId> sites = {p, p + 1};
  OpenLabels open;
  open.reset(sequences.position_count());
  for (const VariableId site : sites) open.open(site, std::vector<float>{1, 1, 1}, 0);
  Assignment labels = sequences.make_labeling();
  Random unused(0);
  SequenceJoint(sequences, open, JointAnswer::kMarginal).step(labels, sites, unused);
  EXPECT_EQ(labels[p], 0);
  EXPECT_EQ(labels[p + 1], 1);
}

TEST(SequenceJoint, ImpossibleStretchesKeepTheirLabels) {
  Problem problem = random_problem({.label_count = 3, .factor_size = 2, .lengths = {4}}, 1);
  LabelSequences& sequences = *problem.made.sequences;
  for (int k = 0; k < 3; ++k) sequences.unary(problem.sites[0])[k] = -std::numeric_limits<float>::infinity();
  for (const JointAnswer answer : {JointAnswer::kBest, JointAnswer::kMarginal})
    EXPECT_EQ(step(problem, answer)[problem.sites[0]], problem.labels[problem.sites[0]]);
}

/// All 12 labels open at factor size 5 are 248,832 combinations a window; 4096 hold with the lightest left out.
TEST(SequenceJoint, TooManyCombinationsDropTheLightestLabels) {
  const testing::RandomSequences made =
      testing::random_sequences({.label_count = 12, .factor_size = 5, .lengths = {2000}, .ngram_density = 0}, 3);
  OpenLabels open;
  open.reset(made.sequences->position_count());
  std::vector<VariableId> sites;
  for (std::size_t p = made.sequences->begin(0); p < made.sequences->end(0); ++p) {
    sites.push_back(static_cast<VariableId>(p));
    open.open(p, {made.sequences->unary(p), 12}, -100);
  }
  for (const JointAnswer answer : {JointAnswer::kBest, JointAnswer::kMarginal}) {
    Assignment labels = made.sequences->make_labeling();
    Random unused(0);
    const mcmc::StepInfo info = SequenceJoint(*made.sequences, open, answer).step(labels, sites, unused);
    EXPECT_LE(info.work.factors, SequenceJoint::kMaxWindows * sites.size() * 5 / 4);
    for (const VariableId p : sites) EXPECT_EQ(labels[p], open.at(p)[0]);  // no n-grams: each for itself
  }
}

}  // namespace
}  // namespace fovea::sequence
