// SPDX-License-Identifier: Apache-2.0
#include "fovea/sequence/exact/stretch_sums.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "fovea/base/error.h"
#include "fovea/mcmc/enumeration.h"
#include "tests/support/random_sequences.h"

namespace fovea::sequence {
namespace {

using testing::RandomSequences;

StretchEvent random_event(std::size_t base, std::mt19937& engine) {
  const auto pairs = [&] {
    AllowedPairs allowed(base * base);
    for (char& pair : allowed) pair = engine() % 3 != 0;
    return allowed;
  };
  return {.enter = pairs(), .inside = pairs(), .leave = pairs()};
}

bool holds(const Assignment& y, std::size_t begin, std::size_t end, const StretchEvent& event, std::size_t base) {
  const auto label = [&](std::size_t t) { return t < y.size() ? std::size_t{y[t]} : base - 1; };  // t = -1 wraps
  if (!event.enter[label(begin - 1) * base + label(begin)]) return false;
  for (std::size_t t = begin + 1; t < end; ++t)
    if (!event.inside[label(t - 1) * base + label(t)]) return false;
  return event.leave[label(end - 1) * base + label(end)] != 0;
}

TEST(StretchSums, probabilities_vs_enumeration) {
  std::mt19937 engine(7);
  int possible = 0, impossible = 0;
  for (int q = 1; q <= 4; ++q)
    for (const auto& [scale, forbidden] : {std::pair(2.0, 0.0), {2.0, .2}, {60.0, 0.0}, {60.0, .2}, {600.0, .2}}) {
      const RandomSequences random = testing::random_sequences(
          {.label_count = 3, .factor_size = q, .lengths = {5, 1, 4}, .scale = scale, .forbidden = forbidden}, engine());
      const std::size_t base = 4;
      StretchSums sums(*random.ngrams);
      for (std::size_t s = 0; s < 3; ++s) {
        const SequenceView view(*random.sequences, s);
        sums.bind(*random.sequences, s);
        const double log_z = mcmc::enumerate(view).log_z;
        if (log_z == -INFINITY) {
          EXPECT_EQ(sums.log_z(), -INFINITY);
          EXPECT_EQ(sums.log_probability(0, 1, random_event(base, engine)), -INFINITY);
          continue;
        }
        EXPECT_NEAR(sums.log_z(), log_z, 1e-12 * std::max(1.0, std::abs(log_z)));
        for (std::size_t begin = 0; begin < view.variable_count(); ++begin)
          for (std::size_t end = begin + 1; end <= view.variable_count(); ++end) {
            const StretchEvent event = random_event(base, engine);
            double expected = 0;
            mcmc::enumerate_assignments(view, [&](const Assignment& y, double score) {
              if (holds(y, begin, end, event, base)) expected += std::exp(score - sums.log_z());
            });
            EXPECT_NEAR(std::exp(sums.log_probability(begin, end, event)), expected, 1e-6)
                << q << ' ' << scale << ' ' << begin << ' ' << end;
            (expected > 1e-3 ? possible : impossible)++;
          }
      }
    }
  EXPECT_GT(possible, 50);
  EXPECT_GT(impossible, 5);
}

TEST(StretchSums, RefusesWhatDoesNotFitIntoMemory) {
  const RandomSequences random = testing::random_sequences({.factor_size = 5, .ngram_density = 1}, 1);
  LabelSequences sequences(*random.ngrams);
  sequences.reset(std::vector<std::uint32_t>{1200000});
  EXPECT_THROW(StretchSums(*random.ngrams).bind(sequences, 0), LimitError);
}

}  // namespace
}  // namespace fovea::sequence
