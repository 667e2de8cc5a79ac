// SPDX-License-Identifier: Apache-2.0
// Shows why marginals are drawn in fixed orders only: schedules that look at the current labels would bias them.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "fovea/graph/grid/strip_rule.h"
#include "fovea/graph/grid/strip_schedule.h"
#include "fovea/mcmc/fixed_schedule.h"
#include "fovea/mcmc/run.h"
#include "fovea/sequence/model/label_sequences.h"
#include "fovea/sequence/policy/queue_schedule.h"
#include "fovea/sequence/sample/orders.h"
#include "fovea/sequence/sample/sequence_kernel.h"
#include "tests/support/random_grid.h"
#include "tests/support/random_sequences.h"
#include "tests/support/statistics.h"

namespace fovea {
namespace {

using Marginals = std::vector<std::vector<double>>;  // [variable][value]

static_assert(std::same_as<graph::StripSchedule::TargetLaw, mcmc::Heuristic>);
static_assert(std::same_as<sequence::HeapSchedule::TargetLaw, mcmc::Heuristic>);
static_assert(std::same_as<mcmc::FixedSchedule::TargetLaw, mcmc::Invariant>);

constexpr std::size_t kRuns = 4000;  // independent, so that errors are those of counts
constexpr double kManyErrors = 20;

/// Marginals by enumeration of all assignments. log_score(assignment) is that of the model.
template <class LogScore>
Marginals enumerated_marginals(std::size_t variables, std::size_t values, const LogScore& log_score) {
  Marginals marginals(variables, std::vector<double>(values));
  double total = 0;
  Assignment y(variables);
  for (std::size_t v = 0; v < variables;) {
    const double weight = std::exp(log_score(y));
    total += weight;
    for (std::size_t u = 0; u < variables; ++u) marginals[u][y[u]] += weight;
    for (v = 0; v < variables && ++y[v] == values; ++v) y[v] = 0;
  }
  for (std::vector<double>& row : marginals)
    for (double& p : row) p /= total;
  return marginals;
}

/// The largest |share - p| over all values, in standard errors of the share. draw(run) -> assignment.
template <class Draw>
double largest_error(const Marginals& expected, const Draw& draw) {
  Marginals counts;
  for (const std::vector<double>& row : expected) counts.emplace_back(row.size());
  for (std::size_t run = 0; run < kRuns; ++run) {
    const Assignment y = draw(run);
    for (std::size_t v = 0; v < counts.size(); ++v) ++counts[v][y[v]];
  }
  double largest = 0;
  for (std::size_t v = 0; v < counts.size(); ++v)
    for (std::size_t k = 0; k < counts[v].size(); ++k) {
      const double p = expected[v][k], n = static_cast<double>(kRuns);
      largest = std::max(largest, std::abs(counts[v][k] / n - p) / std::sqrt(p * (1 - p) / n));
    }
  return largest;
}

/// The value that largest_error stays below for draws from the model, except at kFalseFailureRate.
double few_errors(const Marginals& expected) {
  std::size_t values = 0;
  for (const std::vector<double>& row : expected) values += row.size();
  return std::sqrt(testing::chi_square_threshold(1, testing::kFalseFailureRate / static_cast<double>(values)));
}

/// Scores are strong enough for some strips to look settled: if all were in doubt, every rule would visit all of them.
class GridBias : public ::testing::Test {
 protected:
  GridBias()
      : model_(testing::random_grid({3, 3, false}, 2, 4, 3)),
        expected_(enumerated_marginals(9, 2, [&](const Assignment& y) { return model_.log_score(y); })) {}

  /// Runs rounds at the model's own temperature, as if the schedule were a sampler.
  double error_of(const graph::StripTable& table) const {
    return largest_error(expected_, [&](std::size_t run) {
      graph::StripSchedule schedule(model_, table, Random(run));
      schedule.anneal({.hottest = 1, .coldest = 1, .rounds = 30, .descents = 0});
      return schedule.labels();
    });
  }

  graph::GridModel model_;
  Marginals expected_;
};

TEST_F(GridBias, HotBitsAreFarFromTheMarginals) { EXPECT_GT(error_of(graph::StripTable::hot_bits(6)), kManyErrors); }

TEST_F(GridBias, TheLearnedRuleIsFarFromTheMarginals) {
  EXPECT_GT(error_of(graph::universal_strip_rule().table()), kManyErrors);
}

TEST_F(GridBias, TheFixedOrderIsNot) {
  const graph::StripTable always = graph::StripTable::from([](const graph::StripFeatures&) { return true; });
  EXPECT_LT(error_of(always), few_errors(expected_));
}

class SequenceBias : public ::testing::Test {
 protected:
  SequenceBias()
      : made_(testing::random_sequences({.factor_size = 2, .lengths = {6}}, 3)),
        expected_(enumerated_marginals(
            6, 3, [&](const Assignment& y) { return sequence::SequenceView(*made_.sequences, 0).log_score(y); })) {}

  /// make_schedule(labels) -> schedule
  template <class MakeSchedule>
  double error_of(const MakeSchedule& make_schedule) const {
    const sequence::LabelSequences& sequences = *made_.sequences;
    return largest_error(expected_, [&](std::size_t number) {
      Random random(number);
      Assignment labels = sequences.make_labeling();
      auto schedule = make_schedule(labels);
      mcmc::run(labels, schedule, sequence::SequenceGibbs(sequences),
                {.budget = {.transitions = static_cast<double>(40 * sequences.token_count())}}, random);
      return Assignment(labels.begin() + static_cast<std::ptrdiff_t>(sequences.begin(0)),
                        labels.begin() + static_cast<std::ptrdiff_t>(sequences.end(0)));
    });
  }

  testing::RandomSequences made_;
  Marginals expected_;
};

// Leaves sites alone whose label and the one next to it are an uninteresting pair.
TEST_F(SequenceBias, TheQueueOfTheHighestValueIsFarFromTheMarginals) {
  const sequence::SiteNetwork network(*made_.sequences);
  sequence::ValueFunction value(sequence::meta_feature_count(3));
  value.alpha[sequence::kSp] = -0.05f;
  for (std::size_t i = sequence::kScalarFeatures; i < value.alpha.size(); ++i)
    value.alpha[i] = static_cast<float>(i % 4);
  value.w = 2;
  const std::vector<VariableId> order = left_to_right_order(*made_.sequences);
  const double error =
      error_of([&](const Assignment& labels) { return sequence::HeapSchedule(network, labels, value, {}, order); });
  EXPECT_GT(error, kManyErrors);
}

TEST_F(SequenceBias, TheFixedOrderIsNot) {
  const double error =
      error_of([&](const Assignment&) { return mcmc::FixedSchedule(left_to_right_order(*made_.sequences), 1000); });
  EXPECT_LT(error, few_errors(expected_));
}

}  // namespace
}  // namespace fovea
