// SPDX-License-Identifier: Apache-2.0
// One sentence, two labels, scores by hand: the exact answer, and how sure it is.
#include <cstdio>

#include "fovea/sequence.h"

int main() {
  enum : fovea::Value { kNoun, kAdjective };
  const char* names[] = {"noun", "adjective"};

  // Label pairs that every sentence shares: an adjective is followed by a noun.
  const fovea::sequence::LabelNgram pairs[] = {{.labels = {kAdjective, kNoun}, .size = 2, .score = 1.5f},
                                               {.labels = {kAdjective, kAdjective}, .size = 2, .score = -0.5f}};
  const fovea::sequence::LabelNgrams ngrams(/*label_count=*/2, /*factor_size=*/2, pairs);

  // "right time": each word alone says little about "right".
  fovea::sequence::LabelSequences sequences(ngrams);
  const std::uint32_t lengths[] = {2};
  sequences.reset(lengths);
  const std::size_t right = sequences.begin(0), time = right + 1;
  sequences.unary(right)[kNoun] = 0.2f;
  sequences.unary(time)[kNoun] = 2.0f;

  fovea::Assignment labels = sequences.make_labeling();
  std::vector<float> doubt(sequences.position_count());
  fovea::sequence::Viterbi(ngrams).decode_all(sequences, labels);
  fovea::sequence::ForwardBackward(ngrams).decode(sequences, 0, nullptr, doubt.data());
  for (const std::size_t p : {right, time}) std::printf("%s %.3f\n", names[labels[p]], 1 - doubt[p]);
  return labels[right] == kAdjective && labels[time] == kNoun ? 0 : 1;
}
