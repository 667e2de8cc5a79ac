// SPDX-License-Identifier: Apache-2.0
// Two labels that like to differ, two tokens: the score of a labeling by the installed library.
#include <cstdio>
#include <vector>

#include "fovea/sequence.h"

int main() {
  const std::vector<fovea::sequence::LabelNgram> bigrams = {{{0, 1}, 2, 0.5f}, {{1, 0}, 2, 0.25f}};
  const fovea::sequence::LabelNgrams ngrams(2, 2, bigrams);
  fovea::sequence::LabelSequences sequences(ngrams);
  sequences.reset(std::vector<std::uint32_t>{2});
  fovea::Assignment labeling = sequences.make_labeling();
  labeling[sequences.begin(0) + 1] = 1;
  const double score = sequences.log_score(0, labeling);
  std::printf("log score %g\n", score);
  return score == 0.5 ? 0 : 1;
}
