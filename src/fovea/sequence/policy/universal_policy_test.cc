// SPDX-License-Identifier: Apache-2.0
#include "fovea/sequence/policy/universal_policy.h"

#include <gtest/gtest.h>

#include "fovea/sequence/decode/sequence_decoder.h"
#include "tests/support/random_sequences.h"

namespace fovea::sequence {
namespace {

DecodeResult decoded(const testing::RandomSequences& made, const DecodeOptions& options) {
  DecodeResult result;
  SequenceDecoder(*made.ngrams, nullptr, options).decode(*made.sequences, {}, result);
  return result;
}

/// On models of numbers of labels and orders that it has never seen, the first round's share of a sweep's gain is well
/// above its share of a sweep's visits.
TEST(UniversalPolicy, FindsWhereTheGainsAre) {
  for (const int labels : {2, 5, 12})
    for (const int factor_size : {2, 3}) {
      const auto made = testing::random_sequences({.label_count = labels,
                                                   .factor_size = factor_size,
                                                   .lengths = std::vector<std::uint32_t>(100, 15),
                                                   .scale = 1.5},
                                                  7);
      const auto score = [&](const DecodeResult& result) { return made.sequences->log_score(result.labels); };
      const double start = score(decoded(made, {.method = DecodeMethod::kIcm, .sweeps = 0}));
      const double sweep = score(decoded(made, {.method = DecodeMethod::kIcm, .sweeps = 1})) - start;
      const DecodeResult round = decoded(made, {.method = DecodeMethod::kLearned, .threshold = .5, .max_rounds = 1});
      const double visits =
          static_cast<double>(round.work.transitions) / static_cast<double>(made.sequences->token_count());
      EXPECT_LT(visits, .9) << labels << " labels, factor size " << factor_size;
      EXPECT_GT((score(round) - start) / sweep, 1.1 * visits) << labels << " labels, factor size " << factor_size;
    }
}

}  // namespace
}  // namespace fovea::sequence
