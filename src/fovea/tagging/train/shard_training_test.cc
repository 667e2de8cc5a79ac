// SPDX-License-Identifier: Apache-2.0
// Training on shards, against training on all sequences at once.
#include "fovea/tagging/train/shard_training.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "fovea/base/error.h"
#include "fovea/base/random.h"
#include "fovea/tagging/model/tagger_model.h"
#include "tests/support/expect_error.h"

namespace fovea::tagging {
namespace {

using sequence::CrfTrainerOptions;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

struct TokenSequence {
  std::vector<std::vector<std::string>> items;
  std::vector<std::string> labels;
};

/// Sequences in which a word mostly tells its label; "?" stands for a label that is not known.
std::vector<TokenSequence> drawn_sequences(std::size_t count) {
  Random random(3);
  std::vector<TokenSequence> sequences(count);
  for (TokenSequence& sequence : sequences)
    for (std::size_t length = 1 + random.uniform_index(6); length > 0; --length) {
      const std::size_t label = random.uniform_index(3);
      const std::size_t word = random.bernoulli(.8) ? label : random.uniform_index(8);
      sequence.items.push_back({"w" + std::to_string(word)});
      sequence.labels.push_back(random.bernoulli(.05) ? "?" : std::string(1, static_cast<char>('A' + label)));
    }
  return sequences;
}

template <class Sequences>
TrainingSequences with(TrainingSequences training, const Sequences& sequences) {
  for (const TokenSequence& sequence : sequences) training.add(sequence.items, sequence.labels);
  return training;
}

/// Shards of a corpus, trained on as an engine would.
class Shards {
 public:
  Shards(const std::vector<TokenSequence>& all, std::size_t shards, const CrfTrainerOptions& options)
      : options_(options) {
    std::vector<std::vector<TokenSequence>> parts(shards);
    for (std::size_t s = 0; s < all.size(); ++s) parts[s % shards].push_back(all[s]);
    std::vector<std::string> counted;
    for (const auto& part : parts)
      counted.push_back(count_features(with(TrainingSequences::of_columns("", "?"), part), options));
    features_ = merge_features(std::vector<std::string_view>(counted.begin(), counted.end()), options.cut_off);
    std::ranges::reverse(counted);
    EXPECT_EQ(merge_features(std::vector<std::string_view>(counted.begin(), counted.end()), options.cut_off),
              features_);
    for (const auto& part : parts)
      objectives_.emplace_back(features_, with(TrainingSequences::of_features(features_, "?"), part));
  }

  double evaluate(std::span<const float> x, std::span<float> gradient) {
    std::ranges::fill(gradient, 0.0F);
    std::vector<float> own(gradient.size());
    double loss = 0;
    for (ShardObjective& objective : objectives_) {
      loss += objective.evaluate(x, own);
      for (std::size_t i = 0; i < own.size(); ++i) gradient[i] += own[i];
    }
    return loss;
  }

  std::vector<float> curvature(std::span<const float> x) {
    std::vector<float> sum(x.size());
    for (ShardObjective& objective : objectives_) {
      const std::vector<float> own = objective.curvature(x);
      for (std::size_t i = 0; i < own.size(); ++i) sum[i] += own[i];
    }
    return sum;
  }

  TrainedTagger train() {
    return train_on_shards(features_, options_,
                           {.evaluate = [&](auto x, auto gradient) { return evaluate(x, gradient); },
                            .curvature = [&](auto x) { return curvature(x); }},
                           {});
  }

  TaggerModel features() const { return TaggerModel::load(ContainerSource::memory(features_, "features")); }
  std::size_t dimension() const { return objectives_.front().dimension(); }

 private:
  CrfTrainerOptions options_;
  std::string features_;
  std::vector<ShardObjective> objectives_;
};

TEST(ShardTraining, SumsAreThoseOfAllSequencesTogether) {
  const std::vector<TokenSequence> all = drawn_sequences(60);
  for (const int factor_size : {1, 2, 3}) {
    const CrfTrainerOptions options{.factor_size = factor_size};
    Shards one(all, 1, options), several(all, 4, options);
    ASSERT_EQ(one.dimension(), several.dimension());
    Random random(1);
    std::vector<float> x(one.dimension()), whole(x.size()), sum(x.size());
    for (float& weight : x) weight = static_cast<float>(random.uniform_index(1000)) / 1000.0F - .5F;
    EXPECT_NEAR(one.evaluate(x, whole), several.evaluate(x, sum), 1e-3);
    for (std::size_t i = 0; i < x.size(); ++i) ASSERT_NEAR(whole[i], sum[i], 1e-4) << i;
    const std::vector<float> curvature = one.curvature(x), summed = several.curvature(x);
    for (std::size_t i = 0; i < one.features().weights.weights().size(); ++i)
      ASSERT_NEAR(curvature[i], summed[i], 1e-4);
  }
}

TEST(ShardTraining, FindsTheOptimumOfTrainingOnAll) {
  const std::vector<TokenSequence> all = drawn_sequences(200);
  for (const double l1 : {0.0, .3}) {
    const CrfTrainerOptions options{.l2 = .5, .l1 = l1, .tolerance = 0, .epsilon = 1e-4};
    TrainJob job{.crf = options};
    const TrainedTagger whole = train(with(TrainingSequences::of_columns("", "?"), all), job, {}),
                        sharded = Shards(all, 3, options).train();
    const auto facts = nlohmann::json::parse(sharded.report.json), expected = nlohmann::json::parse(whole.report.json);
    EXPECT_NEAR(facts["objective"].get<double>(), expected["objective"].get<double>(), 1e-2);
    EXPECT_LT(facts["iterations"], 500);
    const TaggerModel model = TaggerModel::load(ContainerSource::memory(sharded.bytes, "model"));
    EXPECT_THAT(model.labels, ElementsAre("A", "B", "C"));
  }
}

TEST(ShardTraining, CountsAndDropsRareAttributes) {
  const std::vector<TokenSequence> all = {{{{"a"}, {"b"}}, {"X", "Y"}}, {{{"a"}}, {"X"}}, {{{"c"}}, {"?"}}};
  const CrfTrainerOptions options{.cut_off = 2};
  const TaggerModel kept = Shards(all, 2, options).features(), features = Shards(all, 3, {}).features();
  EXPECT_EQ(kept.attributes.find("Uw+0=b"), kNoId) << "which only one item has";
  EXPECT_NE(features.attributes.find("Uw+0=b"), kNoId);
  EXPECT_EQ(features.attributes.find("Uw+0=c"), kNoId) << "no label of which is known";
  const std::uint32_t a = features.attributes.find("Uw+0=a");
  const std::uint32_t place = features.weights.offsets()[a];
  EXPECT_EQ(features.weights.offsets()[a + 1], place + 1);
  EXPECT_EQ(features.weights.labels()[place], 0) << "X";
  EXPECT_EQ(features.weights.weights()[place], 2);
}

TEST(ShardTraining, RefusesWhatItCannotDo) {
  EXPECT_THROW(check_shard_options({.optimizer = sequence::CrfOptimizer::kRprop}), UsageError);
  EXPECT_THROW(check_shard_options({.all_features = true}), UsageError);
  EXPECT_NO_THROW(check_shard_options({.factor_size = 3, .l2 = 2, .cut_off = 4}));
  EXPECT_THROW(merge_features({}), UsageError);
  EXPECT_THROW(Shards({{{{"a"}}, {"?"}}}, 1, {}), UsageError);
  const std::vector<TokenSequence> pairs = {{{{"a", "b"}}, {"X"}}}, singles = {{{{"a"}}, {"X"}}};
  const std::string one = count_features(with(TrainingSequences::of_columns(), pairs), {}),
                    other = count_features(with(TrainingSequences::of_columns(), singles), {});
  const std::vector<std::string_view> both = {one, other};
  EXPECT_THROW(merge_features(both), InputError);
  AttributeSequence large;
  large.clear(1);
  large.add_item("X");
  large.add_attribute("seconds", 1e6F);
  TrainingSequences training = TrainingSequences::of_attributes();
  training.add(large);
  EXPECT_THROW(count_features(std::move(training), {}), InputError);
}

}  // namespace
}  // namespace fovea::tagging
