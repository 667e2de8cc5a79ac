// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <random>
#include <vector>

#include "fovea/sequence/model/label_sequences.h"

namespace fovea::testing {

/// The shape of a random set of sequences.
struct RandomSequencesShape {
  int label_count = 3;
  int factor_size = 2;
  std::vector<std::uint32_t> lengths = {5};
  double scale = 1;           ///< standard deviation of all scores
  double ngram_density = .5;  ///< share of the label n-grams of each size that have a score of their own
  double forbidden = 0;       ///< share of all scores that are -inf
};

/// N-grams and the sequences that refer to them; equal for equal seeds and standard libraries.
struct RandomSequences {
  std::unique_ptr<sequence::LabelNgrams> ngrams;
  std::unique_ptr<sequence::LabelSequences> sequences;
};

inline std::vector<sequence::LabelNgram> random_ngrams(const RandomSequencesShape& shape, std::mt19937& engine) {
  std::normal_distribution<float> score(0, static_cast<float>(shape.scale));
  std::uniform_real_distribution<double> unit(0, 1);
  std::vector<sequence::LabelNgram> ngrams;
  std::size_t strings = shape.label_count;
  for (std::uint16_t n = 2; n <= shape.factor_size; ++n) {
    strings *= shape.label_count;
    for (std::size_t number = 0; number < strings; ++number) {
      if (unit(engine) >= shape.ngram_density) continue;
      sequence::LabelNgram ngram{.size = n, .score = score(engine)};
      std::size_t rest = number;
      for (int i = n; i-- > 0; rest /= shape.label_count)
        ngram.labels[i] = static_cast<Value>(rest % shape.label_count);
      if (unit(engine) < shape.forbidden) ngram.score = -std::numeric_limits<float>::infinity();
      ngrams.push_back(ngram);
    }
  }
  return ngrams;
}

inline RandomSequences random_sequences(const RandomSequencesShape& shape, std::uint32_t seed) {
  std::mt19937 engine(seed);
  std::normal_distribution<float> score(0, static_cast<float>(shape.scale));
  std::uniform_real_distribution<double> unit(0, 1);
  RandomSequences result;
  result.ngrams =
      std::make_unique<sequence::LabelNgrams>(shape.label_count, shape.factor_size, random_ngrams(shape, engine));
  result.sequences = std::make_unique<sequence::LabelSequences>(*result.ngrams);
  result.sequences->reset(shape.lengths);
  for (std::size_t s = 0; s < shape.lengths.size(); ++s)
    for (std::size_t p = result.sequences->begin(s); p < result.sequences->end(s); ++p)
      for (int k = 0; k < shape.label_count; ++k)
        result.sequences->unary(p)[k] =
            unit(engine) < shape.forbidden ? -std::numeric_limits<float>::infinity() : score(engine);
  return result;
}

}  // namespace fovea::testing
