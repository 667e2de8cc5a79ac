// SPDX-License-Identifier: Apache-2.0
#include "fovea/sequence/learn/doeblin/tagger_chains.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <optional>

#include "fovea/base/random.h"
#include "tests/support/enumerating_random.h"

namespace fovea::sequence {
namespace {

constexpr std::size_t kTags = 3, kTokens = 3;
constexpr int kTagFactorSize = 3;
constexpr double kFloatGapOfTags = 1e-6;

/// All n-grams of two labels, and some of three.
std::vector<LabelNgram> tag_ngrams(Random& random, bool with_longer) {
  std::vector<LabelNgram> ngrams;
  for (Value i = 0; i < kTags; ++i)
    for (Value j = 0; j < kTags; ++j)
      ngrams.push_back({.labels = {i, j}, .size = 2, .score = static_cast<float>(random.normal())});
  for (const Value middle : {0, 1, 2})
    ngrams.push_back(
        {.labels = {1, middle, 2}, .size = 3, .score = with_longer ? static_cast<float>(2 * random.normal()) : 0.0f});
  return ngrams;
}

/// A sequence with its two chains, at weights that can be moved.
class Tagged {
 public:
  explicit Tagged(bool with_longer = true) {
    Random random(3);
    ngrams_ = tag_ngrams(random, with_longer);
    tables_.emplace(static_cast<int>(kTags), kTagFactorSize, ngrams_);
    unary_.assign(kTokens * tables_->stride(), 0.0f);
    for (std::size_t t = 0; t < kTokens; ++t)
      for (std::size_t k = 0; k < kTags; ++k) unary_[t * tables_->stride() + k] = static_cast<float>(random.normal());
    sequences_.emplace(*tables_);
    begin();
  }

  TaggerChains& sequences() { return *sequences_; }
  const std::vector<LabelNgram>& ngrams() const { return ngrams_; }

  void move_unary(std::size_t t, std::size_t k, float by) {
    unary_[t * tables_->stride() + k] += by;
    begin();
  }
  void move_ngram(std::size_t id, float by) {
    ngrams_[id].score += by;
    tables_->add(id, by);
    begin();
  }

  std::vector<TaggerChains::State> states() const {
    std::vector<TaggerChains::State> states;
    for (std::size_t code = 0; code < kTags * kTags * kTags; ++code) {
      const Value labels[] = {static_cast<Value>(code / 9), static_cast<Value>(code / 3 % 3),
                              static_cast<Value>(code % 3)};
      states.push_back(sequences_->padded(labels));
    }
    return states;
  }

 private:
  void begin() {
    pairs_.emplace(static_cast<int>(kTags), 2, std::span(ngrams_).first(kTags * kTags));
    sequences_->begin(*pairs_, unary_.data(), kTokens);
  }

  std::vector<LabelNgram> ngrams_;
  std::optional<NgramTables> tables_;
  std::optional<LabelNgrams> pairs_;
  AlignedVector<float> unary_;
  std::optional<TaggerChains> sequences_;
};

using StateLaw = std::map<TaggerChains::State, double>;

template <class Draw>
StateLaw law_of_draws(const Draw& draw) {
  StateLaw law;
  TaggerChains::State drawn;
  testing::EnumeratingRandom().enumerate([&](testing::EnumeratingRandom& random) { drawn = draw(random); },
                                         [&](double probability) { law[drawn] += probability; });
  return law;
}

TEST(TaggerChainsTest, DrawsHaveTheProbabilitiesItTells) {
  Tagged tagged;
  const TaggerChains& sequences = tagged.sequences();
  StateLaw starts = law_of_draws([&](auto& random) { return sequences.draw_start(random); });
  const TaggerChains::State from = tagged.states()[14];
  StateLaw steps = law_of_draws([&](auto& random) { return sequences.draw_step(from, random); });
  double start_total = 0, step_total = 0;
  for (const TaggerChains::State& y : tagged.states()) {
    EXPECT_NEAR(starts[y], std::exp(sequences.log_start(y)), kFloatGapOfTags);
    EXPECT_NEAR(steps[y], std::exp(sequences.log_step(y, from)), kFloatGapOfTags);
    start_total += std::exp(sequences.log_start(y));
    step_total += std::exp(sequences.log_step(y, from));
  }
  EXPECT_NEAR(start_total, 1, kFloatGapOfTags);
  EXPECT_NEAR(step_total, 1, kFloatGapOfTags);
}

/// The largest change of u by one step of A.
double change_of_start_law(Tagged& tagged) {
  double largest = 0;
  for (const TaggerChains::State& y : tagged.states()) {
    double after = 0;
    for (const TaggerChains::State& from : tagged.states())
      after += std::exp(tagged.sequences().log_start(from) + tagged.sequences().log_step(y, from));
    largest = std::max(largest, std::abs(after - std::exp(tagged.sequences().log_start(y))));
  }
  return largest;
}

TEST(TaggerChainsTest, SweepsLeaveTheStartInvariantUntilLongerNgramsScore) {
  Tagged pairs_only(false), all;
  EXPECT_LT(change_of_start_law(pairs_only), kFloatGapOfTags);
  EXPECT_GT(change_of_start_law(all), .01);
}

/// Compares with central differences; `add(sequences, gradient)` adds the gradient of log_p(sequences).
template <class LogP, class Add>
void expect_gradient(Tagged& tagged, const LogP& log_p, const Add& add) {
  constexpr float kStep = .01f;
  TaggerChains::Gradient gradient;
  tagged.sequences().begin(gradient);
  add(tagged.sequences(), gradient);
  tagged.sequences().finish(gradient);
  const auto difference = [&](const auto& move) {
    move(kStep);
    const double above = log_p(tagged.sequences());
    move(-2 * kStep);
    const double below = log_p(tagged.sequences());
    move(kStep);
    return (above - below) / (2 * kStep);
  };
  for (std::size_t t = 0; t < kTokens; ++t)
    for (std::size_t k = 0; k < kTags; ++k)
      EXPECT_NEAR(gradient.unary(t)[k], difference([&](float by) { tagged.move_unary(t, k, by); }), 1e-3)
          << "label " << k << " at token " << t;
  std::vector<double> ngrams(tagged.ngrams().size());
  gradient.for_each_ngram([&](std::uint32_t id, float derivative) { ngrams[id] += derivative; });
  for (std::size_t id = 0; id < ngrams.size(); ++id)
    EXPECT_NEAR(ngrams[id], difference([&](float by) { tagged.move_ngram(id, by); }), 1e-3) << "n-gram " << id;
}

TEST(TaggerChainsTest, GradientsAreThoseOfTheLogProbabilities) {
  Tagged tagged;
  const std::vector<TaggerChains::State> states = tagged.states();
  for (const std::size_t i : {0u, 5u, 14u}) {
    const TaggerChains::State &y = states[i], &from = states[26 - i];
    expect_gradient(
        tagged,
        [&](const TaggerChains& sequences) { return 2 * sequences.log_start(y) - .5 * sequences.log_step(y, from); },
        [&](const TaggerChains& sequences, TaggerChains::Gradient& gradient) {
          sequences.add_start_gradient(y, 2, gradient);
          sequences.add_step_gradient(y, from, -.5, gradient);
        });
  }
}

}  // namespace
}  // namespace fovea::sequence
