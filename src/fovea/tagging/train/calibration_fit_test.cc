// SPDX-License-Identifier: Apache-2.0
// Temperatures, from one fit to what a trained tagger says.
#include "fovea/tagging/train/calibration_fit.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "fovea/base/error.h"
#include "fovea/tagging/model/tagger_model.h"
#include "fovea/tagging/stream/tag_sequences.h"
#include "fovea/tagging/train/train.h"
#include "tests/support/expect_error.h"
#include "tests/support/temporary_folder.h"

namespace fovea::tagging {
namespace {

using Words = std::vector<std::vector<std::string>>;

constexpr int kWords = 8;

/// Adds sequences of one word w0 .. w7, where word i is "y" with probability (i + 1/2) / 8.
void add_drawn(int count, Random random, TrainingSequences& sequences) {
  for (int n = 0; n < count; ++n) {
    const std::uint32_t word = random.uniform_index(kWords);
    const bool is_y = random.bernoulli((word + .5) / kWords);
    sequences.add(Words{{"w" + std::to_string(word)}}, std::vector<std::string>{is_y ? "y" : "n"});
  }
}

TrainingSequences drawn(int count, std::uint64_t seed) {
  TrainingSequences sequences = TrainingSequences::of_columns("U00:%x[0,0]\nB\n");
  add_drawn(count, Random(seed), sequences);
  return sequences;
}

TEST(FitTemperatureTest, RecoversTheFactorByWhichScoresAreTooLarge) {
  TrainJob job;
  job.crf.l2 = .01;
  const TrainedTagger trained = train(drawn(20000, 1), job, {});
  const Tagger tagger = Tagger::load(ContainerSource::memory(trained.bytes));
  TrainingSequences others = TrainingSequences::of_tagger(tagger);
  add_drawn(20000, Random(2), others);
  std::vector<LeftOutPart> parts(1);
  parts[0].weights = tagger.ngrams()->weights.divided_by(1 / 3.);
  parts[0].data = std::move(others).finish("score");
  const LeftOutScore score = fit_temperature(parts, {});
  EXPECT_EQ(score.items, 20000u);
  EXPECT_NEAR(score.temperature, 3, .15);
  EXPECT_LT(score.log_loss, score.log_loss_without - .05);
}

double log_loss(const TrainedTagger& trained) {
  const Tagger tagger = Tagger::load(ContainerSource::memory(trained.bytes));
  std::vector<TagItems> words;
  for (int i = 0; i < kWords; ++i) words.push_back({{"w" + std::to_string(i)}});
  const TaggedInMemory tagged = tag(tagger, words, {.options = {.all_marginals = true}});
  const std::size_t y = tagger.labels()[0] == "y" ? 0 : 1;
  double loss = 0;
  for (int i = 0; i < kWords; ++i) {
    const double truth = (i + .5) / kWords, p = tagged.sequences[static_cast<std::size_t>(i)].marginals[0][y];
    loss -= (truth * std::log(p) + (1 - truth) * std::log(1 - p)) / kWords;
  }
  return loss;
}

TEST(CalibrateTest, MakesATaggerOfFewSequencesLessSure) {
  TrainJob job;
  job.crf.l2 = 1e-3;
  const TrainedTagger sure = train(drawn(40, 3), job, {});
  job.calibration.calibrate = true;
  const TrainedTagger calibrated = train(drawn(40, 3), job, {});
  const nlohmann::json facts = nlohmann::json::parse(calibrated.report.json);
  EXPECT_EQ(facts["calibrated"], true);
  EXPECT_GT(facts["temperature"], 1.2);
  EXPECT_LT(facts["left_out_log_loss"], facts["left_out_log_loss_uncalibrated"]);
  EXPECT_THAT(calibrated.report.text, HasSubstr("calibrated: temperature "));
  EXPECT_LT(log_loss(calibrated), log_loss(sure) - .02);
}

/// Documents of four words of their own, which have a label of their own, and one word that they share.
TrainingSequences of_documents(const std::string& groups) {
  TrainingSequences sequences = TrainingSequences::of_columns("U00:%x[0,0]\nB\n", "", GroupChoice::of_text(groups));
  Random random(5);
  for (int document = 0; document < 30; ++document) {
    const std::string name = "d" + std::to_string(document), own = random.bernoulli(.5) ? "y" : "n";
    for (int n = 0; n < 5; ++n)
      sequences.add(Words{{n < 4 ? name : "shared", name}}, std::vector<std::string>{n < 4 ? own : "y"});
  }
  return sequences;
}

// Sequences left out alone meet their document's word in training, so that they seem predicted better than those of new
// documents are.
TEST(CalibrateTest, NeverLeavesOutAPartOfAGroup) {
  TrainJob job;
  job.calibration.calibrate = true;
  const auto loss = [&](const std::string& groups) {
    job.calibration.groups = groups;
    const TrainedTagger trained = train(of_documents(groups), job, {});
    return nlohmann::json::parse(trained.report.json)["left_out_log_loss"].get<double>();
  };
  EXPECT_GT(loss("2"), loss("") + .15);
}

TEST(CalibrateTest, FilesAreGroups) {
  const testing::TemporaryFolder folder;
  for (const char* name : {"a.txt", "b.txt"}) std::ofstream(folder / name) << "the\tD\ncat\tN\n\na\tD\ndog\tN\n";
  TrainJob job = {.files = {folder / "a.txt", folder / "b.txt"}};
  job.options.output = folder / "m.model";
  job.calibration.groups = "file";
  job.options.folds = 2;
  EXPECT_EQ(nlohmann::json::parse(train(job, {}).json)["folds"].size(), 2u);
  job.options.folds = 3;
  EXPECT_THAT(testing::message_of<UsageError>([&] { train(job, {}); }), HasSubstr("more than there are groups"));
  job.options.folds = 0;
  job.calibration.groups = "1";
  EXPECT_EQ(train(job, {}).json.find("folds"), std::string::npos);
}

TEST(CalibrateTest, RefusesGroupsThatAreNoColumn) {
  for (const char* text : {"0", "-1", "2x", "documents"})
    EXPECT_THAT(testing::message_of<UsageError>([&] { GroupChoice::of_text(text); }), HasSubstr("give 'file' or"));
  EXPECT_THAT(testing::message_of<InputError>([] { of_documents("3"); }),
              HasSubstr("option 'groups 3': there are 3 columns"));
}

class CalibrateStopTest : public ::testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(EveryPhase, CalibrateStopTest, ::testing::Values("calibration", "temperature"));

TEST_P(CalibrateStopTest, LeavesTheModelAsItIsAndSaysSo) {
  TrainJob job;
  const TrainedTagger plain = train(drawn(400, 3), job, {});
  job.calibration.calibrate = true;
  CancelToken cancel;
  std::string warning;
  const TrainedTagger stopped = train(drawn(400, 3), job,
                                      {.stop = {.cancel = &cancel},
                                       .progress =
                                           [&](const Progress& progress) {
                                             if (progress.phase == GetParam()) cancel.cancel();
                                           },
                                       .warn = [&](const std::string& text) { warning = text; }});
  EXPECT_THAT(warning, HasSubstr("the model is not calibrated"));
  EXPECT_THAT(stopped.report.json, HasSubstr(R"("calibrated":false)"));
  EXPECT_EQ(Tagger::load(ContainerSource::memory(stopped.bytes)).ngrams()->fingerprint,
            Tagger::load(ContainerSource::memory(plain.bytes)).ngrams()->fingerprint);
}

}  // namespace
}  // namespace fovea::tagging
