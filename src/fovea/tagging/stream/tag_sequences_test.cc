// SPDX-License-Identifier: Apache-2.0
#include "fovea/tagging/stream/tag_sequences.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "fovea/base/error.h"
#include "fovea/tagging/stream/tag_file.h"
#include "fovea/tagging/train/train.h"
#include "tests/support/expect_error.h"
#include "tests/support/temporary_folder.h"

namespace fovea::tagging {
namespace {

using ::testing::SizeIs;

/// Taggers of sentences such as "the fish" and "they fish", in which the word before tells the label.
class TagSequencesTest : public ::testing::Test {
 protected:
  TagSequencesTest() {
    std::string columns, attributes;
    for (int i = 0; i < 8; ++i)
      for (const char* word : {"fish", "walk", "hope"}) {
        columns += fmt::format("the\tdet\n{0}\tnoun\n\nthey\tpron\n{0}\tverb\n\n", word);
        attributes +=
            fmt::format("det\tw=the\nnoun\tw={0}\tafter=the\n\npron\tw=they\nverb\tw={0}\tafter=they\n\n", word);
      }
    fovea::testing::write_file(columns_, columns);
    fovea::testing::write_file(attributes_, attributes);
  }

  std::string model_of(TaggerFamily family, TextFormat format = TextFormat::kColumns) const {
    TrainJob job = {.files = {format == TextFormat::kColumns ? columns_ : attributes_}};
    job.options.output = folder_ / "a.model";
    job.options.family = family;
    job.options.format = format;
    if (family == TaggerFamily::kDoeblin) job.crf.factor_size = 3;
    if (family != TaggerFamily::kGp) job.crf.iterations = 30;
    if (family == TaggerFamily::kGp) job.gp_inference.gp_steps = 5;
    train(job, {});
    return job.options.output;
  }

  /// Lines of the tagged file, without the cells that were given.
  std::string tagged_file(const std::string& model, const std::string& text) const {
    TagFileJob job = {.model = model, .input = folder_ / "in.txt"};
    job.files.output = folder_ / "out.txt";
    job.options.all_marginals = true;
    fovea::testing::write_file(job.input, text);
    tag_file(job, {});
    return fovea::testing::read_file(job.files.output);
  }

  /// The same from memory; `latent`: mean, variance and entropy are part of a line.
  static std::string tagged_lines(const Tagger& tagger, const std::vector<TagItems>& sequences) {
    std::string text;
    const TaggedInMemory tagged = tag(tagger, sequences, {.options = {.all_marginals = true}});
    for (std::size_t s = 0; s < sequences.size(); ++s, text += '\n')
      for (std::size_t t = 0; t < sequences[s].size(); ++t) {
        const SequenceTags& tags = tagged.sequences[s];
        text += sequences[s][t][0] + '\t' + tags.labels[t];
        for (std::size_t k = 0; k < tagger.labels().size(); ++k)
          text += fmt::format("\t{}:{:.6f}", tagger.labels()[k], tags.marginals[t][k]);
        if (!tags.latent_means.empty())
          text += fmt::format("\tmean:{:.4f}\tvariance:{:.4f}", tags.latent_means[t], tags.latent_variances[t]);
        text += '\n';
      }
    return text;
  }

  static std::string without_entropy(const std::string& text) {
    std::string kept;
    for (std::size_t at = 0; at < text.size();) {
      const std::size_t end = text.find('\n', at), cut = std::min(text.find("\tentropy:", at), end);
      kept += text.substr(at, cut - at) + '\n';
      at = end + 1;
    }
    return kept;
  }

  fovea::testing::TemporaryFolder folder_;
  std::string columns_ = folder_ / "columns.txt", attributes_ = folder_ / "attributes.txt";
};

const std::vector<TagItems> kFish = {{{"the"}, {"fish"}}, {{"they"}, {"fish"}}, {{"walk"}}};
constexpr const char* kFishText = "the\nfish\n\nthey\nfish\n\nwalk\n\n";

TEST_F(TagSequencesTest, EveryFamilyTagsMemoryAsItTagsFiles) {
  for (const auto& [family, name] : words_of(TaggerFamily())) {
    const std::string model = model_of(family);
    const Tagger tagger = Tagger::load(model);
    EXPECT_EQ(tagger.family(), family) << name;
    EXPECT_TRUE(tagger.reads_columns());
    EXPECT_EQ(tagged_lines(tagger, kFish), without_entropy(tagged_file(model, kFishText))) << name;
    const TaggedInMemory tagged = tag(tagger, kFish);
    EXPECT_THAT(tagged.sequences[0].labels, ElementsAre("det", "noun")) << name;
    EXPECT_THAT(tagged.sequences[1].labels, ElementsAre("pron", "verb")) << name;
    EXPECT_THAT(tagged.sequences[1].marginals, IsEmpty());
    EXPECT_EQ(tagged.report.items, 5u);
    EXPECT_EQ(tagged.report.family, family);
    EXPECT_THAT(tagged.report.json(),
                StartsWith(family == TaggerFamily::kGp ? R"({"sequences":3,"items":5,"seconds":)" : R"({"given":)"));
  }
}

TEST_F(TagSequencesTest, ATaggerComesFromBytesToo) {
  const std::string bytes = fovea::testing::read_file(model_of(TaggerFamily::kCrf));
  const Tagger tagger = Tagger::load(ContainerSource::memory(bytes, "a model"));
  EXPECT_THAT(tag(tagger, kFish).sequences[1].labels, ElementsAre("pron", "verb"));
  EXPECT_THAT(testing::message_of<InputError>([] { Tagger::load(ContainerSource::memory("no model", "bytes")); }),
              HasSubstr("bytes"));
}

TEST_F(TagSequencesTest, ItemsMayBeAttributes) {
  for (const TaggerFamily family : {TaggerFamily::kCrf, TaggerFamily::kGp}) {
    const Tagger tagger = Tagger::load(model_of(family, TextFormat::kAttributes));
    EXPECT_FALSE(tagger.reads_columns());
    const std::vector<TagItems> names = {{{"w=they"}, {"w=hope", "after=they"}}};
    const TaggedInMemory named = tag(tagger, names, {.options = {.marginals = true}});
    EXPECT_THAT(named.sequences[0].labels, ElementsAre("pron", "verb"));
    std::vector<AttributeSequence> valued(1);
    valued[0].clear(1);
    for (const TagItem& item : names[0]) {
      valued[0].add_item({});
      for (const std::string& name : item) valued[0].add_attribute(name, 1);
    }
    EXPECT_EQ(tag(tagger, valued, {.options = {.marginals = true}}).sequences[0].marginals,
              named.sequences[0].marginals);
  }
}

TEST_F(TagSequencesTest, ManySequencesStayInTheirPlaces) {
  const Tagger tagger = Tagger::load(model_of(TaggerFamily::kCrf));
  std::vector<TagItems> many;
  for (std::size_t s = 0; s < 500; ++s) many.push_back(s % 7 == 0 ? TagItems() : kFish[s % 3]);
  const TaggedInMemory tagged = tag(tagger, many, {.options = {.n_best = 2}}, {.threads = 2});
  ASSERT_THAT(tagged.sequences, SizeIs(500));
  for (std::size_t s = 0; s < many.size(); ++s) {
    ASSERT_THAT(tagged.sequences[s].labels, SizeIs(many[s].size())) << s;
    if (many[s].empty()) continue;
    EXPECT_EQ(tagged.sequences[s].n_best[0].labels, tagged.sequences[s].labels);
    EXPECT_GE(tagged.sequences[s].n_best[0].probability, tagged.sequences[s].n_best[1].probability);
  }
  EXPECT_THAT(tag(tagger, std::vector<TagItems>(3)).sequences, SizeIs(3));
}

TEST_F(TagSequencesTest, LeavesOutWhatACancelledRunDidNotReach) {
  const Tagger tagger = Tagger::load(model_of(TaggerFamily::kCrf));
  CancelToken cancel;
  cancel.cancel();
  const TaggedInMemory tagged = tag(tagger, kFish, {}, {.stop = {.cancel = &cancel}});
  ASSERT_THAT(tagged.sequences, SizeIs(3));
  EXPECT_THAT(tagged.sequences[0].labels, IsEmpty());
  EXPECT_EQ(tagged.report.sequences, 0u);
}

// Labels by themselves may break the scheme; whole labelings may not. The best by the products of marginals are found
// by enumeration.
TEST_F(TagSequencesTest, GaussianProcessesRankWholeLabelings) {
  TrainingSequences training = TrainingSequences::of_columns();
  const std::vector<std::vector<std::string>> items = {{"a"}, {"b"}, {"c"}};
  for (int copy = 0; copy < 2; ++copy) {
    training.add(items, std::vector<std::string>{"O", "B-X", "I-X"});
    training.add(items, std::vector<std::string>{"O", "O", "O"});
    training.add(items, std::vector<std::string>{"B-X", "I-X", "I-X"});
  }
  TrainJob job;
  job.options.family = TaggerFamily::kGp;
  const TrainedTagger trained = train(std::move(training), job, {});
  const Tagger tagger = Tagger::load(ContainerSource::memory(trained.bytes));
  const std::vector<TagItems> sequences = {items};
  const TagJob best = {.options = {.all_marginals = true, .n_best = 100, .valid_bio = true}};
  const TaggedInMemory tagged = tag(tagger, sequences, best);
  const auto& found = tagged.sequences[0];
  std::map<std::vector<std::string>, double> valid;
  double sum = 0;
  for (std::size_t i = 0; i < 27; ++i) {
    std::vector<std::string> labels;
    double product = 1;
    for (const std::size_t k : {i / 9, i / 3 % 3, i % 3}) {
      product *= found.marginals[labels.size()][k];
      labels.push_back(tagger.labels()[k]);
    }
    bool is_valid = labels[0] != "I-X";
    for (std::size_t t = 1; t < 3; ++t) is_valid = is_valid && !(labels[t] == "I-X" && labels[t - 1] == "O");
    if (!is_valid) continue;
    valid[labels] = product;
    sum += product;
  }
  ASSERT_EQ(found.n_best.size(), valid.size());
  for (const SequenceTags::Ranked& ranked : found.n_best)
    EXPECT_NEAR(ranked.probability, valid.at(ranked.labels) / sum, 1e-5);
  EXPECT_EQ(found.n_best[0].labels, found.labels);
  EXPECT_GE(found.n_best[0].probability, found.n_best[1].probability);
}

TEST_F(TagSequencesTest, UnknownAttributesMakeGaussianProcessesDoubt) {
  TrainingSequences training = TrainingSequences::of_attributes();
  const auto item = [](bool is_x, bool is_odd) {
    AttributeSequence sequence;
    sequence.clear(1);
    sequence.add_item(is_x ? "x" : "y");
    sequence.add_attribute("is", is_x ? 1.5F : -1.5F);
    if (is_odd) sequence.add_attribute("never seen", 3);
    return sequence;
  };
  for (int copy = 0; copy < 10; ++copy) training.add(item(copy % 2 == 0, false));
  TrainJob job;
  job.options.family = TaggerFamily::kGp;
  const TrainedTagger trained = train(std::move(training), job, {});
  const Tagger tagger = Tagger::load(ContainerSource::memory(trained.bytes));
  const std::vector<AttributeSequence> sequences = {item(true, false), item(true, true)};
  const TaggedInMemory tagged = tag(tagger, sequences, {.options = {.all_marginals = true}});
  const auto surest = [&](std::size_t s) { return std::ranges::max(tagged.sequences[s].marginals[0]); };
  EXPECT_EQ(tagged.sequences[1].labels, tagged.sequences[0].labels);
  EXPECT_LT(surest(1), surest(0) - .01);
}

TEST_F(TagSequencesTest, RefusesWhatTheTaggerCannotTag) {
  const Tagger tagger = Tagger::load(model_of(TaggerFamily::kCrf));
  const auto refusal = [&](std::vector<TagItems> sequences) {
    return testing::message_of<InputError>([&] { tag(tagger, sequences); });
  };
  EXPECT_THAT(refusal({{{"the"}}, {{"the"}, {"fish", "noun"}}}), HasSubstr("sequence 2: an item of 2 cells after one"));
  EXPECT_THAT(refusal({{{}}}), HasSubstr("but sequence 1 has 0 columns to read"));
  EXPECT_THAT(testing::message_of<UsageError>([&] { tag(tagger, std::vector<AttributeSequence>(1)); }),
              HasSubstr("the cells of each item"));
  const Tagger process = Tagger::load(model_of(TaggerFamily::kGp));
  EXPECT_THAT(testing::message_of<UsageError>([&] { tag(process, kFish, {.options = {.spans = true}}); }),
              HasSubstr("a Gaussian process tagger takes none of"));
  EXPECT_THAT(testing::message_of<UsageError>([&] { process.load_policy("any.policy"); }),
              HasSubstr("takes no policy"));
}

}  // namespace
}  // namespace fovea::tagging
