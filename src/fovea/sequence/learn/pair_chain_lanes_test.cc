// SPDX-License-Identifier: Apache-2.0
#include "fovea/sequence/learn/pair_chain_lanes.h"

#include <gtest/gtest.h>

#include <random>

#include "fovea/sequence/exact/forward_backward.h"
#include "tests/support/random_sequences.h"

namespace fovea::sequence {
namespace {

struct LaneProblem {
  std::vector<LabelNgram> pairs;
  std::vector<RowRange> ranges;
  AlignedVector<float> rows;
  std::vector<Value> labels;
};

LaneProblem random_problem(int label_count, std::vector<std::uint32_t> lengths, double scale) {
  std::mt19937 engine(static_cast<std::uint32_t>(17 * label_count + lengths.size()));
  std::normal_distribution<float> score(0, static_cast<float>(scale));
  LaneProblem problem;
  problem.pairs = testing::random_ngrams({.label_count = label_count, .scale = scale}, engine);
  std::uint32_t tokens = 0;
  for (const std::uint32_t length : lengths) {
    problem.ranges.push_back({tokens, length});
    tokens += length;
  }
  problem.rows.resize(tokens * 16);
  for (std::uint32_t t = 0; t < tokens; ++t) {
    for (int k = 0; k < label_count; ++k) problem.rows[t * 16 + k] = score(engine);
    problem.labels.push_back(static_cast<Value>(engine() % label_count));
  }
  return problem;
}

/// The same by ForwardBackward, one sequence at a time; returns sum of log Z - score(labels).
double run_one_by_one(const LaneProblem& problem, int label_count, AlignedVector<float>& rows,
                      std::vector<double>& counts) {
  const LabelNgrams ngrams(label_count, 2, problem.pairs);
  ForwardBackward forward_backward(ngrams);
  LabelSequences sequences(ngrams);
  double sum = 0;
  std::vector<double> windows(ngrams.context_count() * ngrams.stride());
  for (const RowRange range : problem.ranges) {
    if (range.length == 0) continue;
    sequences.reset({&range.length, 1});
    Assignment labeling = sequences.make_labeling();
    for (std::uint32_t t = 0; t < range.length; ++t) {
      std::copy_n(problem.rows.begin() + (range.begin + t) * 16, label_count, sequences.unary(sequences.begin(0) + t));
      labeling[sequences.begin(0) + t] = problem.labels[range.begin + t];
    }
    sum += forward_backward.run(sequences, 0, rows.data() + range.begin * 16, windows.data());
    sum -= sequences.log_score(0, labeling);
  }
  for (int i = 0; i < label_count; ++i)
    for (int k = 0; k < label_count; ++k) counts[i * label_count + k] = windows[i * ngrams.stride() + k];
  return sum;
}

void expect_agreement(int label_count, const std::vector<std::uint32_t>& lengths, double scale) {
  LaneProblem problem = random_problem(label_count, lengths, scale);
  AlignedVector<float> expected = problem.rows;
  std::vector<double> expected_counts(label_count * label_count), counts(label_count * label_count);
  const double expected_loss = run_one_by_one(problem, label_count, expected, expected_counts);
  PairChainLanes lanes(label_count);
  lanes.set_pairs(problem.pairs);
  std::vector<RowRange> failed;
  const double loss = lanes.run(problem.ranges, problem.labels.data(), problem.rows.data(), counts.data(), failed);
  EXPECT_TRUE(failed.empty());
  EXPECT_NEAR(loss, expected_loss, 1e-5 * expected_loss);
  for (std::size_t i = 0; i < expected.size(); ++i) EXPECT_NEAR(problem.rows[i], expected[i], 2e-5) << i;
  for (std::size_t i = 0; i < counts.size(); ++i) EXPECT_NEAR(counts[i], expected_counts[i], 1e-4) << i;
}

TEST(PairChainLanes, AgreesWithForwardBackward) {
  const std::vector<std::uint32_t> lengths = {3, 1, 0, 12, 7, 7, 1, 5, 2, 30, 4, 9, 6, 8, 3, 2, 1, 11, 5, 40};
  for (const int label_count : {1, 2, 9, 16}) {
    SCOPED_TRACE(label_count);
    expect_agreement(label_count, lengths, 1);
    expect_agreement(label_count, lengths, 6);
    expect_agreement(label_count, {5}, 1);
  }
}

TEST(PairChainLanes, LeavesAloneWhatUnderflows) {
  LaneProblem problem = random_problem(2, {4, 3}, 0);
  problem.pairs = {{.labels = {0, 0}, .size = 2, .score = 200}, {.labels = {1, 1}, .size = 2, .score = 100}};
  // Sequence 0 insists on 1 1 1 1, whose pair has weight exp(-100) relative to the largest: 0 in single floats.
  for (int t = 0; t < 4; ++t) {
    problem.rows[t * 16] = -300;
    problem.rows[t * 16 + 1] = 300;
  }
  const AlignedVector<float> before = problem.rows;
  PairChainLanes lanes(2);
  lanes.set_pairs(problem.pairs);
  std::vector<double> counts(4);
  std::vector<RowRange> failed;
  const double loss = lanes.run(problem.ranges, problem.labels.data(), problem.rows.data(), counts.data(), failed);
  ASSERT_EQ(failed.size(), 1u);
  EXPECT_EQ(failed[0].begin, 0u);
  EXPECT_TRUE(std::equal(before.begin(), before.begin() + 4 * 16, problem.rows.begin()));
  EXPECT_TRUE(std::isfinite(loss));
  EXPECT_NEAR(counts[0] + counts[1] + counts[2] + counts[3], 2, 1e-5);  // of the other sequence's two pairs
}

}  // namespace
}  // namespace fovea::sequence
