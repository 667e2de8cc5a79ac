// SPDX-License-Identifier: Apache-2.0
#include "fovea/tagging/train/tune_tagger.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "fovea/base/error.h"
#include "fovea/tagging/metrics/tagging_metrics.h"
#include "fovea/tagging/model/tagger_model.h"
#include "fovea/tagging/stream/tag_sequences.h"
#include "tests/support/expect_error.h"
#include "tests/support/temporary_folder.h"

namespace fovea::tagging {
namespace {

using ::testing::HasSubstr;

using Cells = std::vector<std::vector<std::string>>;

/// Sentences in which the word before tells the label.
const std::vector<std::pair<Cells, std::vector<std::string>>> kSentences = {
    {{{"the"}, {"fish"}, {"swims"}}, {"det", "noun", "verb"}},
    {{{"they"}, {"fish"}}, {"pron", "verb"}},
    {{{"the"}, {"walk"}}, {"det", "noun"}},
    {{{"unseen"}, {"walk"}}, {"adverb", "verb"}}};

using Sentences = std::vector<std::pair<Cells, std::vector<std::string>>>;

Tagger tagger_of(TaggerFamily family, const Sentences& sentences = {kSentences.begin(), kSentences.begin() + 3}) {
  TrainingSequences training = TrainingSequences::of_columns();
  for (int copy = 0; copy < 4; ++copy)
    for (const auto& [cells, labels] : sentences) training.add(cells, labels);
  TrainJob job;
  job.options.family = family;
  job.crf.factor_size = family == TaggerFamily::kGp ? 2 : 3;
  if (family != TaggerFamily::kGp) job.crf.iterations = 20;
  if (family == TaggerFamily::kGp) job.gp_inference.gp_steps = 3;
  return Tagger::load(ContainerSource::memory(train(std::move(training), job, {}).bytes));
}

TrainingSequences tuning_for(const Tagger& tagger) {
  TrainingSequences tuning = TrainingSequences::of_tagger(tagger, "?");
  for (const auto& [cells, labels] : kSentences) tuning.add(cells, labels);
  tuning.add(Cells{{"fish"}}, std::vector<std::string>{"?"});
  return tuning;
}

TEST(TuneTagger, InMemoryGivesThePolicyOfFiles) {
  const Tagger tagger = tagger_of(TaggerFamily::kCrf);
  const testing::TemporaryFolder folder;
  tagger.save(folder / "a.model");
  testing::write_file(folder / "tune.txt",
                      "the\tdet\nfish\tnoun\nswims\tverb\n\nthey\tpron\nfish\tverb\n\nthe\tdet\nwalk\tnoun\n\n"
                      "unseen\tadverb\nwalk\tverb\n\nfish\t?\n\n");
  TuneJob job = {.model = folder / "a.model", .files = {folder / "tune.txt"}, .unknown_label = "?"};
  job.options.measure = false;  // clocks differ
  tune_tagger(job, {}).save(folder / "file.policy");
  const sequence::Policy policy = tune_tagger(tagger, tuning_for(tagger), job.options, {});
  policy.save(folder / "memory.policy");
  EXPECT_EQ(testing::read_file(folder / "memory.policy"), testing::read_file(folder / "file.policy"));

  const std::vector<TagItems> items = {kSentences[0].first, kSentences[3].first};
  TagJob learned = {.policy = &policy};
  learned.decode.method = sequence::DecodeMethod::kLearned;
  const sequence::Policy again = tagger.load_policy(folder / "file.policy");
  TagJob from_file = learned;
  from_file.policy = &again;
  for (std::size_t s = 0; s < items.size(); ++s)
    EXPECT_EQ(tag(tagger, items, learned).sequences[s].labels, tag(tagger, items, from_file).sequences[s].labels);
}

TEST(TuneTagger, MeasuresMethodsUnlessItIsLate) {
  const Tagger tagger = tagger_of(TaggerFamily::kCrf);
  EXPECT_GT(tune_tagger(tagger, tuning_for(tagger), {}, {}).profile.size(), 10u);
  fovea::Run late;
  late.stop = late.stop.within(0);
  EXPECT_TRUE(tune_tagger(tagger, tuning_for(tagger), {}, late).profile.empty());
}

// Most labels are outside: the share of right ones would call a tagger good that finds no entity.
TEST(TuneTagger, MeasuresEntitiesByTheirF1) {
  const Tagger tagger =
      tagger_of(TaggerFamily::kCrf, {{{{"in"}, {"york"}, {"it"}, {"rains"}}, {"O", "B-LOC", "O", "O"}},
                                     {{{"a"}, {"york"}, {"ham"}}, {"O", "O", "O"}}});
  const Sentences seen = {{{{"in"}, {"york"}, {"it"}, {"rains"}}, {"O", "B-LOC", "O", "O"}},
                          {{{"it"}, {"rains"}, {"in"}, {"leeds"}}, {"O", "O", "O", "B-LOC"}},
                          {{{"a"}, {"leeds"}, {"ham"}}, {"O", "B-LOC", "O"}}};
  TrainingSequences tuning = TrainingSequences::of_tagger(tagger);
  std::vector<TagItems> items;
  for (const auto& [cells, labels] : seen) {
    tuning.add(cells, labels);
    items.push_back(cells);
  }
  TaggingMetrics metrics;
  const TaggedInMemory tagged = tag(tagger, items);
  for (std::size_t s = 0; s < seen.size(); ++s) {
    const std::vector<std::string_view> gold(seen[s].second.begin(), seen[s].second.end());
    std::vector<std::string_view> predicted;
    for (const auto& label : tagged.sequences[s].labels) predicted.push_back(label);
    metrics.add(gold, predicted);
  }
  ASSERT_LT(metrics.entities().f1(), metrics.accuracy());
  const sequence::Policy policy = tune_tagger(tagger, std::move(tuning), {}, {});
  EXPECT_EQ(policy.quality_measure, "entity F1");
  EXPECT_EQ(policy.quality_units, 3U);
  ASSERT_EQ(policy.profile.front().method, sequence::DecodeMethod::kExact);
  EXPECT_EQ(policy.profile.front().quality, metrics.entities().f1());
  const Tagger of_words = tagger_of(TaggerFamily::kCrf);
  EXPECT_EQ(tune_tagger(of_words, tuning_for(of_words), {}, {}).quality_measure, "accuracy");
}

TEST(TuneTagger, RefusesWhatDoesNotFitTheTagger) {
  const Tagger tagger = tagger_of(TaggerFamily::kCrf), other = tagger_of(TaggerFamily::kCrf);
  const auto refusal = [](const Tagger& tuned, TrainingSequences sequences) {
    return testing::message_of<UsageError>([&] { tune_tagger(tuned, std::move(sequences), {}, {}); });
  };
  EXPECT_THAT(refusal(tagger, tuning_for(other)), HasSubstr("not numbered for this tagger"));
  EXPECT_THAT(refusal(tagger, TrainingSequences::of_columns()), HasSubstr("not numbered for this tagger"));
  EXPECT_THAT(refusal(tagger, TrainingSequences::of_tagger(tagger)), HasSubstr("no sequence to tune on"));
  TrainingSequences empty = TrainingSequences::of_tagger(tagger);
  empty.add(Cells{}, {});
  EXPECT_THAT(refusal(tagger, std::move(empty)), HasSubstr("all sequences are empty"));
  const Tagger process = tagger_of(TaggerFamily::kGp);
  EXPECT_THAT(refusal(process, tuning_for(process)), HasSubstr("takes no policy"));
  EXPECT_THAT(testing::message_of<UsageError>([&] { train(tuning_for(tagger), {}, {}); }),
              HasSubstr("numbered for tuning a tagger"));
}

}  // namespace
}  // namespace fovea::tagging
