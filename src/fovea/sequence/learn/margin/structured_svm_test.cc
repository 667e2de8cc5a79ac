// SPDX-License-Identifier: Apache-2.0
#include "fovea/sequence/learn/margin/structured_svm.h"

#include <gtest/gtest.h>

#include <vector>

#include "fovea/base/error.h"
#include "fovea/sequence/exact/viterbi.h"
#include "fovea/sequence/learn/training_set.h"
#include "tests/support/reference_crf.h"
#include "tests/support/reference_margin.h"

namespace fovea::sequence {
namespace {

using testing::random_training_set;
using testing::ReferenceMargin;

CrfTrainer::Result train_svm(const TrainingSet& set, const CrfTrainerOptions& options, const fovea::Run& run = {},
                             const TrainingHooks& hooks = {}) {
  return StructuredSvmTrainer(options).train(set, run, hooks);
}

std::vector<double> parameters_of(const CrfTrainer::Result& result, const CrfFeatures& features) {
  const std::vector<float> x = result.weights.as_parameters(features);
  return {x.begin(), x.end()};
}

/// Labels follow each other in a circle; the attribute of an item names its label, but every third says nothing.
TrainingSet separable_set() {
  TrainingSet set = testing::empty_training_set(3, 4);
  for (std::uint32_t s = 0; s < 6; ++s) {
    for (std::uint32_t t = 0; t < 8; ++t) {
      const std::uint32_t label = (s + t) % 3;
      set.items.items.columns.push_back(t % 3 == 2 ? 3 : label);
      set.items.items.end_row();
      set.labels.push_back(static_cast<Value>(label));
    }
    set.items.sequence_begin.push_back(static_cast<std::uint32_t>(set.labels.size()));
  }
  return set;
}

std::size_t training_errors(const TrainingSet& set, const CrfWeights& weights) {
  const LabelNgrams ngrams = weights.label_ngrams();
  LabelSequences sequences(ngrams);
  std::vector<std::uint32_t> lengths;
  for (std::size_t s = 0; s < set.items.sequence_count(); ++s)
    lengths.push_back(static_cast<std::uint32_t>(set.sequence_length(s)));
  sequences.reset(lengths);
  for (std::size_t s = 0; s < lengths.size(); ++s)
    for (std::size_t t = 0; t < lengths[s]; ++t)
      for (const std::uint32_t bundle : set.items.items.row(set.items.sequence_begin[s] + t))
        for (const std::uint32_t attribute : set.items.bundles.row(bundle))
          weights.add_scores(attribute, 1, sequences.unary(sequences.begin(s) + t));
  Assignment labeling = sequences.make_labeling();
  Viterbi(ngrams).decode_all(sequences, labeling);
  std::size_t errors = 0;
  for (std::size_t s = 0; s < lengths.size(); ++s)
    for (std::size_t t = 0; t < lengths[s]; ++t)
      errors += labeling[sequences.begin(s) + t] != set.labels[set.items.sequence_begin[s] + t];
  return errors;
}

TEST(StructuredSvm, ComesAsNearTheMinimumAsItSays) {
  for (const int factor_size : {1, 2})
    for (const double l2 : {.1, 1.}) {
      const TrainingSet set = random_training_set({.with_values = true}, 17);
      const CrfFeatures features = observed_features(set, TransposedItems(set.items, set.attribute_count), factor_size);
      const CrfTrainer::Result result =
          train_svm(set, {.factor_size = factor_size, .l2 = l2, .iterations = 5000, .gap_tolerance = 1e-3});
      const optimize::IterationRecord& last = result.summary.last;
      EXPECT_EQ(result.summary.termination, optimize::Termination::kConverged);
      EXPECT_LE(*last.gap, 1e-3 * last.objective);
      const ReferenceMargin reference(set, features, l2);
      EXPECT_NEAR(reference.evaluate(parameters_of(result, features)), last.objective, 1e-4 * last.objective);
      const double minimum = reference.minimum(features.dimension(), 300);
      EXPECT_LE(last.objective - *last.gap, minimum);
      EXPECT_LE(last.objective, 1.001 * minimum);
    }
}

TEST(StructuredSvm, SeparatesWhatCanBeSeparated) {
  const TrainingSet set = separable_set();
  const CrfTrainer::Result result = train_svm(set, {.l2 = .01});
  EXPECT_EQ(result.summary.termination, optimize::Termination::kConverged);
  EXPECT_EQ(training_errors(set, result.weights), 0u);
  // Without label pairs the items that say nothing cannot be told apart: the test above can fail.
  EXPECT_GT(training_errors(set, train_svm(set, {.factor_size = 1, .l2 = .01}).weights), 0u);
}

TEST(StructuredSvm, IsTheSameToTheBitWithTheSameSeedAtAnyNumberOfThreads) {
  const TrainingSet set = random_training_set({.lengths = std::vector<std::uint32_t>(200, 5)}, 19);
  const CrfFeatures features = observed_features(set, TransposedItems(set.items, set.attribute_count), 2);
  const auto x = [&](std::uint64_t seed, int threads) {
    return parameters_of(train_svm(set, {.iterations = 7}, {.threads = threads, .random = Random(seed)}), features);
  };
  const std::vector<double> one = x(1, 1);
  EXPECT_EQ(one, x(1, 1));
  EXPECT_EQ(one, x(1, 3));
  EXPECT_NE(one, x(2, 1));
}

TEST(StructuredSvm, ReportsAndStops) {
  const TrainingSet set = random_training_set({.lengths = std::vector<std::uint32_t>(40, 5)}, 21);
  TrainingHooks hooks;
  std::vector<optimize::IterationRecord> records;
  hooks.observer = [&](const optimize::IterationRecord& record) {
    records.push_back(record);
    return records.size() < 4;
  };
  hooks.dev_score = [](const CrfWeights& weights) { return weights.label_count(); };
  const CrfTrainer::Result stopped = train_svm(set, {.gap_tolerance = 0}, {}, hooks);
  EXPECT_EQ(stopped.summary.termination, optimize::Termination::kStopped);
  EXPECT_EQ(records.size(), 4u);
  EXPECT_EQ(records.back().dev_score, 3);
  EXPECT_LT(*records.back().gap, *records.front().gap);
  EXPECT_EQ(records.front().objective, 200);  // every label wrong, weights 0
  EXPECT_NE(stopped.summary.brief().find("above the minimum"), std::string::npos);

  const CrfTrainer::Result limited = train_svm(set, {.iterations = 3, .gap_tolerance = 0});
  EXPECT_EQ(limited.summary.termination, optimize::Termination::kIterations);
  EXPECT_EQ(limited.summary.last.iteration, 3);

  CancelToken cancel;
  cancel.cancel();
  const CrfTrainer::Result cancelled = train_svm(set, {}, {.stop = {.cancel = &cancel}});
  EXPECT_EQ(cancelled.summary.termination, optimize::Termination::kStopped);
  EXPECT_EQ(cancelled.summary.last.iteration, 0);
  EXPECT_NE(cancelled.summary.brief().find("objective unknown"), std::string::npos);
}

TEST(StructuredSvm, RefusesWhatDoesNotApply) {
  EXPECT_THROW(StructuredSvmTrainer({.factor_size = 3}), UsageError);
  EXPECT_THROW(StructuredSvmTrainer({.l2 = 0}), UsageError);
  EXPECT_THROW(StructuredSvmTrainer({.l1 = 1}), UsageError);
  EXPECT_THROW(StructuredSvmTrainer({.gradient = CrfGradient::kExact}), UsageError);
  EXPECT_THROW(StructuredSvmTrainer({.optimizer = CrfOptimizer::kLbfgs}), UsageError);
  EXPECT_THROW(StructuredSvmTrainer({.tolerance = 1e-3}), UsageError);
  EXPECT_THROW(train_svm({}, {}), UsageError);
  EXPECT_THROW(train_svm(random_training_set({.unknown = .5}, 23), {}), UsageError);
}

}  // namespace
}  // namespace fovea::sequence
