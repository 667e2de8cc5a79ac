// SPDX-License-Identifier: Apache-2.0
#include "fovea/tagging/model/item_scorer.h"

#include <gtest/gtest.h>

#include <sstream>
#include <vector>

#include "fovea/base/aligned.h"
#include "fovea/base/random.h"
#include "fovea/tagging/family/tagger_summary.h"
#include "fovea/tagging/format/conll.h"
#include "fovea/tagging/model/tagging_data.h"
#include "tests/support/instruction_sets.h"
#include "tests/support/temporary_folder.h"

namespace fovea::tagging {
namespace {

constexpr const char* kText = "the x D\nold y A\ncat x N\n\nthe y D\ncat x N\nold x N\n";

/// A model of everything seen in kText, with random weights.
struct Fixture {
  TaggingData data = [] {
    TaggingDataReader reader(TaggingDataReader::Options{});
    reader.read(io::ByteSource::from_memory(kText, "text"), {});
    return std::move(reader).finish();
  }();
  TaggerModel model = [this] {
    Random random(1);
    const sequence::TransposedItems transposed(data.set.items, data.set.attribute_count);
    const sequence::CrfFeatures features = sequence::observed_features(data.set, transposed, 2);
    std::vector<float> x(features.dimension());
    for (float& value : x) value = static_cast<float>(random.normal());
    TaggerModel result;
    result.labels = data.labels;
    result.feature_template = data.feature_template;
    result.observation_columns = data.observation_columns;
    result.separator = data.separator;
    result.attributes = data.attributes.freeze();
    result.weights = sequence::CrfWeights(features, x);
    result.fingerprint = tagger_fingerprint(result);
    return result;
  }();
};

std::vector<ItemSequence> read(const char* text) {
  ConllReader reader(io::ByteSource::from_memory(text, "text"));
  std::vector<ItemSequence> sequences(1);
  while (reader.next(sequences.back())) sequences.emplace_back();
  sequences.pop_back();
  return sequences;
}

/// Every line expanded at every item, one weight after the other.
std::vector<double> naive_scores(const TaggerModel& model, const ItemSequence& sequence, std::size_t item) {
  std::vector<double> scores(model.labels.size());
  for (const TemplateLine& line : model.feature_template->lines()) {
    std::string attribute;
    if (!line.expand(sequence, item, attribute)) continue;
    const std::uint32_t id = model.attributes.find(attribute);
    if (id == kNoId) continue;
    for (std::uint32_t e = model.weights.offsets()[id]; e < model.weights.offsets()[id + 1]; ++e)
      scores[model.weights.labels()[e]] += double{model.weights.weights()[e]};
  }
  return scores;
}

TEST(ItemScorer, EqualsTheSumOfAllWeights) {
  const Fixture fixture;
  const sequence::LabelNgrams ngrams = fixture.model.weights.label_ngrams();
  sequence::LabelSequences label_sequences(ngrams);
  ItemScorer scorer(fixture.model);
  const std::vector<ItemSequence> sequences = read("the x\nnew x\ncat z\n\nold y\n");
  for (int round = 0; round < 2; ++round) {  // with an empty cache, then with a full one
    scorer.score(std::span<const ItemSequence>(sequences), label_sequences);
    for (std::size_t s = 0; s < sequences.size(); ++s)
      for (std::size_t t = 0; t < sequences[s].size(); ++t) {
        const std::vector<double> expected = naive_scores(fixture.model, sequences[s], t);
        for (std::size_t k = 0; k < expected.size(); ++k)
          EXPECT_NEAR(label_sequences.unary(label_sequences.begin(s) + t)[k], expected[k], 1e-5);
      }
  }
}

TEST(ItemScorer, EqualsTheScoresOfEncodedItems) {
  const Fixture fixture;
  const sequence::LabelNgrams ngrams = fixture.model.weights.label_ngrams();
  sequence::LabelSequences scored(ngrams), encoded(ngrams);
  const std::vector<ItemSequence> sequences = read(kText);
  ItemScorer(fixture.model).score(std::span<const ItemSequence>(sequences), scored);
  score_encoded(fixture.data.set.items, fixture.model.weights, encoded);
  ASSERT_EQ(scored.position_count(), encoded.position_count());
  for (std::size_t s = 0; s < sequences.size(); ++s)
    for (std::size_t p = scored.begin(s); p < scored.end(s); ++p)
      for (int k = 0; k < ngrams.label_count(); ++k) EXPECT_NEAR(scored.unary(p)[k], encoded.unary(p)[k], 1e-5);
}

TEST(TaggerModel, ComesBackFromItsFile) {
  const Fixture fixture;
  const testing::TemporaryFolder folder;
  const std::string path = folder / "a.model";
  fixture.model.save(path, fixture.data.attributes);
  const TaggerModel read = TaggerModel::load(path);
  EXPECT_EQ(read.labels, fixture.model.labels);
  EXPECT_EQ(read.fingerprint, fixture.model.fingerprint);
  EXPECT_EQ(tagger_fingerprint(read), fixture.model.fingerprint);
  EXPECT_EQ(read.observation_columns, 2u);
  EXPECT_EQ(read.separator, ColumnSeparator::kBlanks);
  std::ostringstream before, after;
  write_weights(fixture.model, before);
  write_weights(read, after);
  EXPECT_EQ(before.str(), after.str());

  std::string bytes;
  fixture.model.save(ContainerTarget::memory(bytes), fixture.data.attributes);
  std::ostringstream from_bytes;
  write_weights(TaggerModel::load(ContainerSource::memory(bytes)), from_bytes);
  EXPECT_EQ(before.str(), from_bytes.str());
}

TEST(RowLists, AddInOrderTheSameOnEveryInstructionSet) {
  Random random(1);
  for (const std::size_t stride : {16, 48, 64})
    for (const std::size_t per_sum : {1, 2, 5}) {
      constexpr std::size_t kSums = 3;
      AlignedVector<float> values(kSums * per_sum * stride), start(kSums * stride);
      for (float& x : values) x = static_cast<float>(random.normal());
      for (float& x : start) x = static_cast<float>(random.normal());
      std::vector<const float*> rows;
      for (std::size_t i = 0; i < kSums * per_sum; ++i) rows.push_back(values.data() + (i * 7 % 3) * stride);
      AlignedVector<float> expected = start;
      for (std::size_t i = 0; i < rows.size(); ++i)
        for (std::size_t k = 0; k < stride; ++k) expected[i / per_sum * stride + k] += rows[i][k];
      fovea::testing::for_each_instruction_set([&] {
        AlignedVector<float> sums = start;
        internal::add_row_lists(rows, per_sum, stride, sums.data());
        EXPECT_EQ(sums, expected) << stride << " " << per_sum;
      });
    }
}

TEST(RowLists, NothingToAddChangesNothing) {
  AlignedVector<float> sums(16, 1.0f);
  internal::add_row_lists({}, 2, 16, sums.data());
  EXPECT_EQ(sums, AlignedVector<float>(16, 1.0f));
}

}  // namespace
}  // namespace fovea::tagging
