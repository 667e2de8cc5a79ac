// SPDX-License-Identifier: Apache-2.0
// Training on sequences in memory, against training on the same sequences in a file.
#include "fovea/tagging/train/train.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "fovea/base/error.h"
#include "fovea/tagging/model/tagger_model.h"
#include "fovea/tagging/stream/tag_sequences.h"
#include "tests/support/expect_error.h"
#include "tests/support/temporary_folder.h"

namespace fovea::tagging {
namespace {

using Cells = std::vector<std::vector<std::string>>;

struct Labelled {
  Cells items;
  std::vector<std::string> labels;
};

const std::vector<Labelled>& labelled() {
  static const std::vector<Labelled> sequences = {{{{"the"}, {"cat"}, {"sleeps"}}, {"D", "N", "V"}},
                                                  {{{"a"}, {"dog"}, {"barks"}}, {"D", "N", "V"}},
                                                  {{}, {}},
                                                  {{{"dogs"}, {"bark"}}, {"N", "V"}}};
  return sequences;
}

TrainingSequences in_memory() {
  TrainingSequences training = TrainingSequences::of_columns();
  for (const Labelled& sequence : labelled()) training.add(sequence.items, sequence.labels);
  return training;
}

TEST(TrainInMemory, IsTheSameAsFromAFile) {
  const testing::TemporaryFolder folder;
  std::ofstream file(folder / "train.txt");
  for (const Labelled& sequence : labelled()) {
    for (std::size_t t = 0; t < sequence.items.size(); ++t)
      file << sequence.items[t][0] << '\t' << sequence.labels[t] << '\n';
    file << '\n';
  }
  file.close();
  TrainJob job = {.files = {folder / "train.txt"}};
  job.options.output = folder / "file.model";
  train(job, {});
  const TrainedTagger trained = train(in_memory(), {}, {});
  const Tagger from_file = Tagger::load(folder / "file.model");
  const Tagger from_memory = Tagger::load(ContainerSource::memory(trained.bytes));
  EXPECT_EQ(from_memory.labels(), from_file.labels());
  const std::vector<TagItems> sequences = {labelled()[0].items, labelled()[3].items};
  const TagJob marginals = {.options = {.marginals = true}};
  const TaggedInMemory expected = tag(from_file, sequences, marginals), found = tag(from_memory, sequences, marginals);
  for (std::size_t s = 0; s < sequences.size(); ++s) {
    EXPECT_EQ(found.sequences[s].labels, expected.sequences[s].labels);
    EXPECT_EQ(found.sequences[s].marginals, expected.sequences[s].marginals);
  }
  EXPECT_EQ(found.sequences[0].labels, labelled()[0].labels);
  EXPECT_THAT(trained.report.json, HasSubstr(R"("sequences":3,"items":8)"));
}

TEST(TrainInMemory, TakesAttributesWithValuesAndEveryFamily) {
  for (const TaggerFamily family : {TaggerFamily::kCrf, TaggerFamily::kSvm, TaggerFamily::kGp}) {
    TrainingSequences training = TrainingSequences::of_attributes();
    AttributeSequence sequence;
    for (int copy = 0; copy < 4; ++copy) {
      sequence.clear(1);
      for (const char* label : {"x", "y"}) {
        sequence.add_item(label);
        sequence.add_attribute("is", *label == 'x' ? 1.5f : -1.5f);
        sequence.add_attribute(label, 1);
      }
      training.add(sequence);
    }
    TrainJob job;
    job.options.family = family;
    const TrainedTagger trained = train(std::move(training), job, {});
    const Tagger tagger = Tagger::load(ContainerSource::memory(trained.bytes));
    EXPECT_EQ(tagger.family(), family);
    const std::vector<AttributeSequence> sequences = {sequence};
    EXPECT_EQ(tag(tagger, sequences).sequences[0].labels, (std::vector<std::string>{"x", "y"}));
  }
}

TEST(TrainInMemory, ScoresSequencesThatItDoesNotTrainOn) {
  TrainingSequences with_dev = in_memory();
  with_dev.add_dev(Cells{{"fish"}, {"nowhere"}}, std::vector<std::string>{"new label", "noun"});
  with_dev.add_dev(Cells{}, std::vector<std::string>{});
  const TrainedTagger scored = train(std::move(with_dev), {}, {});
  EXPECT_THAT(scored.report.json, HasSubstr(R"("dev":{"score":)"));
  EXPECT_THAT(scored.report.text, HasSubstr("dev: "));
  const TrainedTagger plain = train(in_memory(), {}, {});
  EXPECT_EQ(Tagger::load(ContainerSource::memory(scored.bytes)).ngrams()->fingerprint,
            Tagger::load(ContainerSource::memory(plain.bytes)).ngrams()->fingerprint);
  TrainingSequences ragged = in_memory();
  EXPECT_THAT(testing::message_of<UsageError>([&] { ragged.add_dev(Cells{{"a"}}, std::vector<std::string>{}); }),
              HasSubstr("dev sequence 1: 0 labels for 1 items"));
}

// A fit that was stopped has no sequences left out to be judged by.
TEST(TrainInMemory, KeepsTheKernelThatWasJudgedWhenTheNextOneIsStopped) {
  TrainJob job;
  job.options.family = TaggerFamily::kGp;
  job.gp.kernel = {"linear(1)", "linear(9)"};
  CancelToken cancel;
  int steps_of_second = 0;
  bool is_second = false;
  const TrainedTagger trained = train(in_memory(), job,
                                      {.stop = {.cancel = &cancel},
                                       .progress =
                                           [&](const Progress&) {
                                             if (is_second && ++steps_of_second == 3) cancel.cancel();
                                           },
                                       .note = [&](const std::string&) { is_second = true; }});
  const nlohmann::json facts = nlohmann::json::parse(trained.report.json);
  ASSERT_EQ(facts["tried"].size(), 2u);
  EXPECT_EQ(facts["tried"][1]["fit"]["calibrated"], false);
  EXPECT_EQ(facts["fit"]["kernel"], "linear(1)");
  EXPECT_EQ(facts["fit"]["calibrated"], true);
}

TEST(TrainInMemory, NamesTheSequenceThatIsWrong) {
  TrainingSequences training = in_memory();
  EXPECT_THAT(testing::message_of<UsageError>([&] { training.add(Cells{{"a"}}, std::vector<std::string>{}); }),
              HasSubstr("sequence 5: 0 labels for 1 items"));
  EXPECT_THAT(testing::message_of<InputError>([&] {
                training.add(Cells{{"a"}, {"b", "c"}}, std::vector<std::string>{"x", "y"});
              }),
              HasSubstr("sequence 6, item 2: 2 cells, but the items before have 1"));
  EXPECT_THAT(testing::message_of<InputError>([&] { training.add(Cells{{"a"}}, std::vector<std::string>{""}); }),
              HasSubstr("sequence 7:1: the label is missing"));
  EXPECT_THAT(testing::message_of<InputError>([&] { training.add(Cells{{"a"}}, std::vector<std::string>{"x\ny"}); }),
              HasSubstr("sequence 8:1: a label that holds a line feed"));
  EXPECT_THAT(testing::message_of<UsageError>([] { train(TrainingSequences::of_columns(), {}, {}); }),
              HasSubstr("no sequence"));
}

}  // namespace
}  // namespace fovea::tagging
