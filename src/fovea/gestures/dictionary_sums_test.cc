// SPDX-License-Identifier: Apache-2.0
#include "fovea/gestures/dictionary_sums.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>

#include "fovea/base/random.h"
#include "fovea/gestures/alignment_chain.h"

namespace fovea::gestures {
namespace {

WordTrie some_words() {
  return WordTrie({{"pl", 3}, {"po", 5}, {"p", 1}, {"lop", 2}, {"polo", 1}, {"pool", 4}, {"o", 2}, {"zoo", 9}});
}

AlignmentParameters random_parameters() {
  AlignmentParameters parameters;
  parameters.radius = 1.05F;
  Random random(11);
  for (float& weight : parameters.weights) weight = static_cast<float>(.7 * random.normal());
  return parameters;
}

/// The sums of exp(score) by word, over every alignment.
std::map<std::string, double> sums_by_enumeration(const AlignmentLattice& lattice,
                                                  const std::function<double(const Alignment&)>& log_score) {
  std::map<std::string, double> sums;
  Alignment z(lattice.size());
  const std::function<void(std::size_t)> fill = [&](std::size_t i) {
    if (i == z.size()) {
      sums[letters_of(lattice.word(z))] += std::exp(log_score(z));
      return;
    }
    for (std::size_t k = 0; k < lattice.label_count(i); ++k) {
      z[i] = static_cast<std::uint16_t>(k);
      fill(i + 1);
    }
  };
  fill(0);
  return sums;
}

TEST(WordSumsTest, AreThoseOfAllAlignmentsUnderBothLaws) {
  const WordTrie words = some_words();
  const AlignmentParameters parameters = random_parameters();
  const AlignmentLattice lattice(keys_of("polop", {}), parameters);
  const AlignmentChain chain(lattice, words);
  const double log_all = AlignmentSums(lattice).log_sum();
  for (const AlignmentLaw law : {AlignmentLaw::kStart, AlignmentLaw::kChain}) {
    const auto log_score = [&](const Alignment& z) {
      return law == AlignmentLaw::kStart ? chain.log_start(z) + log_all : chain.log_score(z);
    };
    const std::map<std::string, double> expected = sums_by_enumeration(lattice, log_score);
    std::size_t spelled = 0;
    for (const CountedWord& word : words.words()) spelled += expected.count(word.word);
    const std::vector<WordSum> sums = word_sums(lattice, words, law);
    EXPECT_EQ(sums.size(), spelled);
    EXPECT_EQ(spelled, 6U);  // all but zoo, far from z, and pool
    for (const WordSum& sum : sums)
      EXPECT_NEAR(sum.log_sum, std::log(expected.at(words.letters(sum.word))), 1e-9) << words.letters(sum.word);
  }
}

TEST(WordSumsTest, LongGesturesStayWithinRange) {
  AlignmentParameters parameters = random_parameters();
  for (float& weight : parameters.weights) weight *= 3;
  const AlignmentLattice lattice(std::vector<Key>(kMostSummedKeys, keys_of("p", {})[0]), parameters);
  const WordTrie words({{"ppo", 1}, {"p", 1}, {"pop", 2}});
  const std::vector<WordSum> sums = word_sums(lattice, words, AlignmentLaw::kStart);
  ASSERT_EQ(sums.size(), 3U);
  for (const WordSum& sum : sums) {
    const AlignmentSums alone(lattice, keys_of(words.letters(sum.word), {}));
    EXPECT_NEAR(sum.log_sum, alone.log_sum(), 1e-6 * std::abs(alone.log_sum()));
  }
}

TEST(WordSumsTest, AGestureNearNoWordHasNone) {
  const AlignmentParameters parameters = random_parameters();
  const AlignmentLattice lattice(keys_of("qqq", {}), parameters);
  EXPECT_TRUE(word_sums(lattice, some_words(), AlignmentLaw::kStart).empty());
}

}  // namespace
}  // namespace fovea::gestures
