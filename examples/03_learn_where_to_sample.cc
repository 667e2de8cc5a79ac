// SPDX-License-Identifier: Apache-2.0
// Learn on some sentences where visits pay, then spend a tenth of a sweep on others.
#include <cstdio>

#include "fovea/sequence.h"

namespace {

// Random sentences in which most words are clear; the pair scores favour runs of one label.
fovea::sequence::LabelSequences make_sentences(const fovea::sequence::LabelNgrams& ngrams, std::size_t count,
                                               fovea::Random random) {
  fovea::sequence::LabelSequences sequences(ngrams);
  sequences.reset(std::vector<std::uint32_t>(count, 20));
  for (std::size_t s = 0; s < count; ++s)
    for (std::size_t p = sequences.begin(s); p < sequences.end(s); ++p) {
      const float clarity = random.bernoulli(0.2) ? 0.5f : 6.0f;
      sequences.unary(p)[random.uniform_index(static_cast<std::uint32_t>(ngrams.label_count()))] = clarity;
    }
  return sequences;
}

}  // namespace

int main() {
  std::vector<fovea::sequence::LabelNgram> pairs;
  for (fovea::Value k = 0; k < 5; ++k) pairs.push_back({.labels = {k, k}, .size = 2, .score = 2.0f});
  const fovea::sequence::LabelNgrams ngrams(/*label_count=*/5, /*factor_size=*/2, pairs);
  const fovea::Random random(/*seed=*/1);
  const fovea::sequence::LabelSequences seen = make_sentences(ngrams, 200, random.child("seen"));
  const fovea::sequence::LabelSequences unseen = make_sentences(ngrams, 200, random.child("unseen"));

  const fovea::Assignment no_gold(seen.position_count(), ngrams.pad());
  const fovea::sequence::Policy policy = fovea::sequence::tune(seen, no_gold, {.measure = false});

  fovea::sequence::DecodeResult learned, sweep;
  const fovea::Run tenth = {.budget = {.sweeps = .1}, .random = random.child("tag")};
  fovea::sequence::SequenceDecoder(ngrams, &policy, {.method = fovea::sequence::DecodeMethod::kLearned})
      .decode(unseen, tenth, learned);
  fovea::sequence::SequenceDecoder(ngrams, &policy, {.method = fovea::sequence::DecodeMethod::kIcm})
      .decode(unseen, tenth, sweep);
  std::printf("log score after %.2f visits per token: %.1f where it pays, %.1f from the left\n", 0.1,
              unseen.log_score(learned.labels), unseen.log_score(sweep.labels));
  return unseen.log_score(learned.labels) > unseen.log_score(sweep.labels) ? 0 : 1;
}
