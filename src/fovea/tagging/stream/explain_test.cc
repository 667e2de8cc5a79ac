// SPDX-License-Identifier: Apache-2.0
#include "fovea/tagging/stream/explain.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "fovea/base/error.h"
#include "fovea/tagging/stream/tag_file.h"
#include "fovea/tagging/train/train.h"
#include "tests/support/expect_error.h"
#include "tests/support/temporary_folder.h"

namespace fovea::tagging {
namespace {

using ::testing::HasSubstr;

constexpr const char* kColumns =
    "the\tO\nBank\tB-A\nof\tI-A\nUlm\tI-A\nopened\tO\n\nUlm\tB-C\nopened\tO\nBank\tB-A\n\nthe\tO\nUlm\tB-C\n\n";

class ExplainTest : public ::testing::Test {
 protected:
  std::string trained(TaggerFamily family, int factor_size, const std::string& text, TextFormat format) const {
    testing::write_file(folder_ / "train.txt", text);
    TrainJob job = {.files = {folder_ / "train.txt"}};
    job.options.output = folder_ / "a.model";
    job.options.family = family;
    job.options.format = format;
    job.crf.factor_size = factor_size;
    job.crf.l2 = 1;
    if (family == TaggerFamily::kGp) job.gp_inference.gp_steps = 3;
    train(job, {});
    return job.options.output;
  }
  Tagger column_tagger(int factor_size) const {
    return Tagger::load(trained(TaggerFamily::kCrf, factor_size, kColumns, TextFormat::kColumns));
  }

  std::string tagged(const std::string& model, const std::string& text, int explain, bool spans) const {
    testing::write_file(folder_ / "in.txt", text);
    TagFileJob job = {.model = model, .input = folder_ / "in.txt"};
    job.files.output = folder_ / "out.txt";
    job.files.explain = explain;
    job.options.spans = spans;
    tag_file(job, {});
    return testing::read_file(job.files.output);
  }

  testing::TemporaryFolder folder_;
};

const TagItems kBank = {{"the"}, {"Bank"}, {"of"}, {"Ulm"}};

/// The log score of each labeling.
template <class Given>
std::map<std::vector<std::string>, double> all_scores(const Tagger& tagger, const Given& given) {
  std::map<std::vector<std::string>, double> scores;
  const TaggedInMemory tagged = tag(tagger, std::span(&given, 1), {.options = {.n_best = 1000}});
  for (const SequenceTags::Ranked& ranked : tagged.sequences[0].n_best) scores[ranked.labels] = ranked.log_score;
  return scores;
}

template <class Explanation>
double sum_of_terms(const Explanation& explanation) {
  double sum = 0;
  for (const auto& term : explanation.attributes) sum += term.difference;
  for (const auto& term : explanation.ngrams) sum += term.difference;
  return sum;
}

TEST_F(ExplainTest, TermsAddUpToTheDifferenceOfScores) {
  for (int factor_size = 1; factor_size <= 4; ++factor_size) {
    const Tagger tagger = column_tagger(factor_size);
    const auto scores = all_scores(tagger, kBank);
    const std::vector<std::string> best = tag(tagger, std::span(&kBank, 1)).sequences[0].labels;
    for (std::size_t item = 0; item < kBank.size(); ++item) {
      double runner_up = -INFINITY;
      for (const std::string& other : tagger.labels()) {
        if (other == best[item]) continue;
        std::vector<std::string> labels = best;
        labels[item] = other;
        const LabelExplanation found = explain(tagger, kBank, item, other);
        EXPECT_EQ(found.label, best[item]);
        EXPECT_EQ(found.other, other);
        EXPECT_NEAR(found.difference, scores.at(best) - scores.at(labels), 1e-5) << factor_size << item << other;
        EXPECT_NEAR(sum_of_terms(found), found.difference, 1e-12);
        runner_up = std::max(runner_up, scores.at(labels));
      }
      EXPECT_NEAR(explain(tagger, kBank, item).difference, scores.at(best) - runner_up, 1e-5);
    }
  }
}

TEST_F(ExplainTest, ValuesCountAndNgramsShowTheirContext) {
  const std::string text = "B-A\tw:2.5\tcap\nI-A\tw:2.5\tlow\nO\tlow\n\nO\tw:-1\nB-A\tcap\n\n";
  const Tagger tagger = Tagger::load(trained(TaggerFamily::kCrf, 3, text, TextFormat::kAttributes));
  AttributeSequence sequence;
  sequence.clear(1);
  for (const char* shape : {"cap", "low", "unseen"}) {
    sequence.add_item({});
    sequence.add_attribute(shape, 1);
    if (*shape == 'u') continue;
    sequence.add_attribute("w", 2.5f);
    sequence.add_attribute("w", 1);  // values of the same attribute add up
  }
  const auto scores = all_scores(tagger, sequence);
  const LabelExplanation found = explain(tagger, sequence, 1, "");
  std::vector<std::string> labels = tag(tagger, std::span(&sequence, 1)).sequences[0].labels, others = labels;
  others[1] = found.other;
  EXPECT_NEAR(found.difference, scores.at(labels) - scores.at(others), 1e-5);
  bool has_trigram = false;
  for (const auto& term : found.attributes) EXPECT_EQ(term.value, term.name == "w" ? 3.5 : 1);
  for (const auto& term : found.ngrams) {
    EXPECT_EQ(std::vector(labels.begin() + term.begin, labels.begin() + term.begin + term.labels.size()), term.labels);
    EXPECT_EQ(term.other_labels[1 - term.begin], found.other);
    has_trigram |= term.labels.size() == 3;
  }
  EXPECT_TRUE(has_trigram);
  for (std::size_t i = 1; i < found.attributes.size(); ++i)
    EXPECT_GE(std::abs(found.attributes[i - 1].difference), std::abs(found.attributes[i].difference));
}

TEST_F(ExplainTest, RefusesWhatCannotBeCompared) {
  const Tagger tagger = column_tagger(2);
  const auto refusal = [&](std::size_t item, const std::string& other) {
    return testing::message_of<UsageError>([&] { explain(tagger, kBank, item, other); });
  };
  EXPECT_THAT(refusal(4, ""), HasSubstr("item 4: the sequence has 4 items"));
  EXPECT_THAT(refusal(0, "X"), HasSubstr("no label 'X'; its labels are O, B-A, I-A, B-C"));
  EXPECT_THAT(refusal(0, "O"), HasSubstr("the label of item 0 is 'O' itself"));
  const Tagger process = Tagger::load(trained(TaggerFamily::kGp, 2, kColumns, TextFormat::kColumns));
  EXPECT_THAT(testing::message_of<UsageError>([&] { explain(process, kBank, 0); }), HasSubstr("cannot be explained"));
}

TEST_F(ExplainTest, FilesAreExplainedLineByLine) {
  const std::string model = trained(TaggerFamily::kCrf, 2, kColumns, TextFormat::kColumns);
  const std::string text = tagged(model, "the\nBank\n\n\nUlm\n", 2, false);
  EXPECT_THAT(text, HasSubstr("\nBank\tB-A\t"));
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 3 * 3 + 2);
  const LabelExplanation found = explain(Tagger::load(model), {{"the"}, {"Bank"}}, 1);
  EXPECT_THAT(text, HasSubstr(fmt::format("\nBank\tB-A\t{}\t{:.4f}\n\t", found.other, found.difference)));
}

TEST_F(ExplainTest, SpansOfFilesAreThoseOfMemory) {
  const std::string model = trained(TaggerFamily::kCrf, 3, kColumns, TextFormat::kColumns);
  const std::string text = tagged(model, "the\nBank\nof\nUlm\n\nthe\n\nUlm\nopened\n", 0, true);
  const std::vector<TagItems> given = {kBank, {{"the"}}, {{"Ulm"}, {"opened"}}};
  const TaggedInMemory found = tag(Tagger::load(model), given, {.options = {.spans = true}});
  std::string expected;
  for (std::size_t s = 0; s < given.size(); ++s)
    for (const EntitySpan& span : found.sequences[s].spans) {
      expected += fmt::format("{}\t{}\t{}\t{}\t{:.6f}\t", s, span.begin, span.end, span.label, span.probability);
      for (std::size_t t = span.begin; t < span.end; ++t) expected += given[s][t][0] + (t + 1 < span.end ? " " : "\n");
    }
  EXPECT_EQ(text, expected);
  EXPECT_THAT(text, ::testing::StartsWith("0\t1\t3\tA\t0."));
  EXPECT_THAT(text, HasSubstr("\tBank of\n0\t3\t4\tC\t0."));
  EXPECT_THAT(found.sequences[1].spans, ::testing::IsEmpty());
}

TEST_F(ExplainTest, FindingsExcludeEachOtherAndNeedTheirModels) {
  const std::string model = trained(TaggerFamily::kCrf, 2, kColumns, TextFormat::kColumns);
  EXPECT_THAT(testing::message_of<UsageError>([&] { tagged(model, "the\n", 2, true); }),
              HasSubstr("exclude each other"));
  EXPECT_THAT(testing::message_of<UsageError>([&] { tagged(model, "the\n", -1, false); }), HasSubstr("explain"));
  const std::string process = trained(TaggerFamily::kGp, 2, kColumns, TextFormat::kColumns);
  EXPECT_THAT(testing::message_of<UsageError>([&] { tagged(process, "the\n", 1, false); }),
              HasSubstr("cannot be explained"));
  EXPECT_THAT(testing::message_of<UsageError>([&] { tagged(process, "the\n", 0, true); }), HasSubstr("'spans'"));
  const std::string words = trained(TaggerFamily::kCrf, 2, "a\tNN\nb\tVB\n\n", TextFormat::kColumns);
  EXPECT_THAT(testing::message_of<UsageError>([&] { tagged(words, "a\n", 0, true); }),
              HasSubstr("the label 'NN' does not"));
}

}  // namespace
}  // namespace fovea::tagging
