// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "fovea/base/random.h"
#include "fovea/gp/covariance/functions.h"
#include "fovea/gp/inducing/inducing_choice.h"
#include "fovea/gp/training/inference.h"

namespace fovea::testing {

/// Sequences of these lengths with random labels; each item has about half of six columns.
inline gp::Sequences random_gp_sequences(const std::vector<std::uint32_t>& lengths, std::size_t labels,
                                         std::uint64_t seed) {
  Random random(seed);
  gp::Sequences sequences;
  sequences.label_count = labels;
  for (const std::uint32_t length : lengths) {
    for (std::uint32_t t = 0; t < length; ++t) {
      for (std::uint32_t c = 0; c < 6; ++c) {
        if (c != t % 6 && random.bernoulli(.5)) continue;
        sequences.features.columns.push_back(c);
        sequences.features.values.push_back(static_cast<float>(random.normal()));
      }
      sequences.features.end_row();
      sequences.labels.push_back(static_cast<Value>(random.uniform_index(static_cast<std::uint32_t>(labels))));
    }
    sequences.begin.push_back(sequences.begin.back() + length);
  }
  return sequences;
}

/// One item with one feature and the second of two labels.
inline gp::Sequences one_gp_item() {
  gp::Sequences one;
  one.features.columns = {0};
  one.features.end_row();
  one.begin.push_back(1);
  one.labels = {1};
  one.label_count = 2;
  return one;
}

/// Sequences of one to four items. An item repeats the label before it, or else its only column tells the label.
inline gp::Sequences telling_gp_sequences(std::size_t count, std::uint64_t seed, std::size_t labels = 2) {
  Random random(seed);
  gp::Sequences sequences;
  sequences.label_count = labels;
  for (std::size_t n = 0; n < count; ++n) {
    const std::uint32_t length = 1 + random.uniform_index(4);
    for (std::uint32_t t = 0; t < length; ++t) {
      const std::uint32_t shown = random.uniform_index(4);
      const bool repeats = t > 0 && random.bernoulli(.3);
      sequences.labels.push_back(repeats ? sequences.labels.back() : static_cast<Value>(shown % labels));
      sequences.features.columns.push_back(shown);
      sequences.features.end_row();
    }
    sequences.begin.push_back(sequences.begin.back() + length);
  }
  return sequences;
}

/// A problem of inference small enough for dense formulas. The variance that inducing points leave open is not 0.
struct GpProblem {
  GpProblem(gp::Sequences the_sequences, const gp::Likelihood& the_likelihood,
            const std::vector<std::uint32_t>& point_rows,
            gp::Covariance covariance = gp::Rbf{.variance = 2, .length_scale = 1.5})
      : sequences(std::move(the_sequences)),
        points(std::move(covariance), gp::rows_at(sequences.features, point_rows)),
        projected(sequences, points, 1),
        likelihood(the_likelihood) {}

  gp::InferenceProblem problem(int threads = 1) const {
    return {.sequences = sequences,
            .projected = projected,
            .likelihood = likelihood,
            .pairwise_variance = pairwise_variance,
            .threads = threads};
  }
  /// The rows of a sequence's items, as inference has them.
  gp::RowMatrix rows(std::size_t sequence) const {
    return projected.rows()
        .middleRows(gp::index(projected.begin(sequence)), gp::index(projected.length(sequence)))
        .cast<double>();
  }

  gp::Sequences sequences;
  gp::InducingPoints points;
  gp::ProjectedSequences projected;
  const gp::Likelihood& likelihood;
  double pairwise_variance = 1.5;
};

}  // namespace fovea::testing
