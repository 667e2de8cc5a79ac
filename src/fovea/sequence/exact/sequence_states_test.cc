// SPDX-License-Identifier: Apache-2.0
#include "fovea/sequence/exact/sequence_states.h"

#include <gtest/gtest.h>

#include "fovea/sequence/exact/state_transitions.h"
#include "tests/support/random_sequences.h"

namespace fovea::sequence {
namespace {

TEST(SequenceStates, every_history_comes_to_a_state_with_its_row) {
  for (int q = 1; q <= 5; ++q) {
    for (double density : {0.0, .02, .2, 1.0}) {
      std::mt19937 engine(static_cast<std::uint32_t>(q));
      const testing::RandomSequencesShape shape{.label_count = 3, .factor_size = q, .ngram_density = density};
      const LabelNgrams ngrams(3, q, testing::random_ngrams(shape, engine));
      const SequenceStates states(ngrams);
      internal::StateTransitions transitions;
      transitions.bind(states);
      for (int trial = 0; trial < 200; ++trial) {
        std::vector<Value> window(q - 1, ngrams.pad());
        std::uint32_t state = 0;
        for (int t = 0; t < 12; ++t) {
          window.push_back(ngrams.pad());
          const std::size_t context = ngrams.context(q - 1, window.data() + t);
          ASSERT_EQ(states.row(state), ngrams.row(q - 1, context));
          window.back() = static_cast<Value>(engine() % 3);
          const std::uint32_t next = states.next(state, window.back());
          ASSERT_EQ(transitions.next(state, window.back()), next);
          ASSERT_EQ(states.last(next), window.back());
          state = next;
        }
      }
    }
  }
}

TEST(SequenceStates, dense_ngrams_have_all_histories_and_absent_ones_only_the_last_label) {
  std::mt19937 engine(1);
  const LabelNgrams dense(3, 4,
                          testing::random_ngrams({.label_count = 3, .factor_size = 4, .ngram_density = 1}, engine));
  EXPECT_EQ(SequenceStates(dense).count(), 1u + 3 + 9 + 27);
  EXPECT_EQ(SequenceStates(LabelNgrams(3, 4)).count(), 1u + 3);
  EXPECT_EQ(SequenceStates(LabelNgrams(3, 1)).count(), 1u + 3);
}

TEST(SequenceStates, one_long_ngram_adds_its_prefixes) {
  const std::vector<LabelNgram> ngrams = {{.labels = {2, 1, 0, 2}, .size = 4, .score = 1}};
  const LabelNgrams bound(3, 4, ngrams);
  const SequenceStates states(bound);
  ASSERT_EQ(states.count(), 1u + 3 + 2);
  std::uint32_t state = 0;
  for (Value label : {2, 1, 0}) {
    const std::uint32_t next = states.next(state, label);
    EXPECT_EQ(states.parent(next), state);
    state = next;
  }
  EXPECT_EQ(states.row(state)[2], 1.0f);
  EXPECT_EQ(states.fail(state), states.next(0, 0));
  EXPECT_EQ(states.next(state, 1), states.next(0, 1));
}

TEST(SequenceStates, numbers_are_a_preorder_of_the_fail_links) {
  std::mt19937 engine(7);
  const LabelNgrams ngrams(4, 4,
                           testing::random_ngrams({.label_count = 4, .factor_size = 4, .ngram_density = .1}, engine));
  const SequenceStates states(ngrams);
  for (std::uint32_t s = 1; s < states.count(); ++s) {
    EXPECT_LT(states.fail(s), s);
    for (std::uint32_t r = 1; r < states.count(); ++r) {
      std::uint32_t up = r;
      while (up > s) up = states.fail(up);
      EXPECT_EQ(up == s, s <= r && r < states.subtree_end(s));
    }
  }
}

TEST(SequenceStates, rebind_keeps_the_states_of_the_same_ngrams) {
  std::mt19937 engine(7);
  std::vector<LabelNgram> ngrams = testing::random_ngrams({.label_count = 3, .factor_size = 3}, engine);
  const LabelNgrams first(3, 3, ngrams);
  for (LabelNgram& ngram : ngrams) ngram.score += 1;
  const LabelNgrams second(3, 3, ngrams);
  const LabelNgrams fewer(3, 3, std::span(ngrams).first(3)), smaller(2, 3);
  SequenceStates states(first);
  EXPECT_TRUE(states.rebind(second));
  EXPECT_EQ(states.row(1), second.row(2, states.context(1)));
  EXPECT_FALSE(states.rebind(fewer));
  EXPECT_FALSE(states.rebind(smaller));
  EXPECT_EQ(states.count(), 1u + 2);
}

}  // namespace
}  // namespace fovea::sequence
