// SPDX-License-Identifier: Apache-2.0
#include "fovea/gestures/alignment_chain.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <map>

#include "fovea/base/log_math.h"
#include "fovea/base/random.h"
#include "fovea/sequence/learn/doeblin/doeblin_runs.h"

namespace fovea::gestures {
namespace {

static_assert(sequence::DoeblinModel<AlignmentChain, AlignmentChain::Word, Random, std::vector<double>>);

/// A gesture of five observations over keys with two or three neighbours, under random weights.
struct SmallGesture {
  AlignmentParameters parameters;
  WordTrie words{{{"pl", 3}, {"po", 5}, {"p", 1}, {"lop", 2}, {"polo", 1}}};

  SmallGesture() {
    parameters.radius = 1.05F;
    Random random(7);
    for (float& weight : parameters.weights) weight = static_cast<float>(.7 * random.normal());
    parameters.weights[AlignmentWeightIndex::kInDictionary] = 1.1F;
    parameters.weights[AlignmentWeightIndex::kLogFrequency] = .4F;
    parameters.weights[AlignmentWeightIndex::kPrefixes] = .6F;
  }

  AlignmentLattice lattice() const { return {keys_of("polp", {}), parameters}; }
};

std::vector<Key> keys_of_any(const std::string& text) { return text.empty() ? std::vector<Key>() : keys_of(text, {}); }

void for_alignments(const AlignmentLattice& lattice, const std::function<void(const Alignment&)>& visit) {
  Alignment z(lattice.size());
  const std::function<void(std::size_t)> fill = [&](std::size_t i) {
    if (i == z.size()) return visit(z);
    for (std::size_t k = 0; k < lattice.label_count(i); ++k) {
      z[i] = static_cast<std::uint16_t>(k);
      fill(i + 1);
    }
  };
  fill(0);
}

TEST(AlignmentSumsTest, AreThoseOfAllAlignmentsOfAWord) {
  const SmallGesture small;
  const AlignmentLattice lattice = small.lattice();
  const AlignmentChain chain(lattice, small.words);
  std::map<std::string, double> by_word;
  double all = 0;
  for_alignments(lattice, [&](const Alignment& z) {
    const double p = std::exp(chain.log_start(z));
    by_word[letters_of(lattice.word(z))] += p;
    all += p;
  });
  EXPECT_NEAR(all, 1, 1e-12);
  EXPECT_GT(by_word.size(), 20U);
  for (const auto& [word, p] : by_word) EXPECT_NEAR(chain.log_start(keys_of_any(word)), std::log(p), 1e-9);
  EXPECT_EQ(chain.log_start(keys_of("qa", {})), kImpossible);
}

TEST(AlignmentSumsTest, DrawsSpellTheirWord) {
  const SmallGesture small;
  const AlignmentLattice lattice = small.lattice();
  const AlignmentSums sums(lattice, keys_of("op", {}));
  Random random(1);
  for (int i = 0; i < 50; ++i) EXPECT_EQ(lattice.word(sums.draw(random)), keys_of("op", {}));
}

// A is Gibbs for exp(log_score), so detailed balance holds for each pair of alignments.
TEST(AlignmentChainTest, LeavesItsModelInvariant) {
  const SmallGesture small;
  const AlignmentLattice lattice = small.lattice();
  const AlignmentChain chain(lattice, small.words);
  Random random(2);
  for (int i = 0; i < 300; ++i) {
    const Alignment z = chain.draw_start(random), next = chain.draw_step(z, random);
    EXPECT_NEAR(chain.log_score(z) + chain.log_step(next, z), chain.log_score(next) + chain.log_step(z, next), 1e-9);
  }
}

TEST(AlignmentChainTest, AStepToAWordIsTheSumOfStepsToItsAlignments) {
  const SmallGesture small;
  const AlignmentLattice lattice = small.lattice();
  const AlignmentChain chain(lattice, small.words);
  Random random(3);
  for (int i = 0; i < 5; ++i) {
    const Alignment from = chain.draw_start(random);
    std::map<std::string, double> by_word;
    double all = 0;
    for_alignments(lattice, [&](const Alignment& z) {
      by_word[letters_of(lattice.word(z))] += std::exp(chain.log_step(z, from));
    });
    for (const auto& [word, p] : by_word) {
      EXPECT_NEAR(std::exp(chain.log_step(keys_of_any(word), from)), p, 1e-12);
      all += p;
    }
    EXPECT_NEAR(all, 1, 1e-12);
  }
}

// Every slot's derivative against a central difference: the scores of a slot are sums of weights, so moving the weights
// of one gesture moves its slots.
TEST(AlignmentChainTest, GradientsAreThoseOfDifferences) {
  SmallGesture small;
  Random random(4);
  const AlignmentChain::Word word = keys_of("po", {});
  const AlignmentLattice lattice = small.lattice();
  const AlignmentChain chain(lattice, small.words);
  Alignment from = chain.draw_start(random);
  while (lattice.word(from) != keys_of("pop", {})) from = chain.draw_start(random);  // one letter away
  std::vector<double> slots(lattice.slot_count()), weights(AlignmentWeightIndex::kCount);
  chain.add_start_gradient(word, 2, slots);
  chain.add_step_gradient(word, from, .5, slots);
  chain.add_start_gradient(from, .25, slots);
  lattice.visit_weights(slots, [&](std::size_t weight, std::size_t slot) { weights[weight] += slots[slot]; });
  const auto objective = [&] {
    const AlignmentLattice moved = small.lattice();
    const AlignmentChain moved_chain(moved, small.words);
    return 2 * moved_chain.log_start(word) + .5 * moved_chain.log_step(word, from) + .25 * moved_chain.log_start(from);
  };
  constexpr float kStep = 1e-2F;
  std::size_t checked = 0;
  for (std::size_t weight = 0; weight < weights.size(); ++weight) {
    if (weights[weight] == 0 || (++checked % 7 != 0 && weight < AlignmentWeightIndex::kWord)) continue;
    const float kept = small.parameters.weights[weight];
    small.parameters.weights[weight] = kept + kStep;
    const double above = objective();
    small.parameters.weights[weight] = kept - kStep;
    const double below = objective();
    small.parameters.weights[weight] = kept;
    EXPECT_NEAR((above - below) / (2 * double{kStep}), weights[weight], 2e-4) << weight;
  }
  EXPECT_GT(checked, 100U);
  EXPECT_NE(weights[AlignmentWeightIndex::kInDictionary], 0);
}

TEST(AlignmentChainTest, BasicGibbsStartsALetterAtEachKey) {
  const SmallGesture small;
  const AlignmentLattice lattice = small.lattice();
  EXPECT_EQ(lattice.word(AlignmentChain(lattice, small.words).every_key_starts()), keys_of("polp", {}));
}

}  // namespace
}  // namespace fovea::gestures
