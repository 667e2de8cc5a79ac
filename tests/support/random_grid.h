// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <random>
#include <vector>

#include "fovea/graph/grid/grid_model.h"

namespace fovea::testing {

inline std::vector<float> normal_scores(std::size_t count, float scale, std::mt19937& engine) {
  std::normal_distribution<float> normal(0, scale);
  std::vector<float> scores(count);
  for (float& score : scores) score = normal(engine);
  return scores;
}

/// A grid with normal scores. Pair scores of the two directions differ and are not symmetric.
inline graph::GridModel random_grid(const graph::GridShape& shape, std::size_t label_count, std::uint32_t seed,
                                    float scale = 1) {
  std::mt19937 engine(seed);
  const std::vector<float> unary = normal_scores(shape.cells() * label_count, scale, engine);
  const std::vector<float> horizontal = normal_scores(label_count * label_count, scale, engine);
  return graph::GridModel(shape, label_count, unary, horizontal,
                          normal_scores(label_count * label_count, scale, engine));
}

/// A grid without unary scores, whose equal neighbours score `coupling`.
inline graph::GridModel potts_grid(const graph::GridShape& shape, std::size_t label_count, float coupling) {
  std::vector<float> pair(label_count * label_count);
  for (std::size_t k = 0; k < label_count; ++k) pair[k * (label_count + 1)] = coupling;
  return graph::GridModel(shape, label_count, {}, pair, pair);
}

/// Calls visit(labels) for every labeling of a tiny grid.
template <class Visit>
void for_each_labeling(const graph::GridModel& model, const Visit& visit) {
  Assignment labels(model.shape().cells());
  for (;;) {
    visit(labels);
    std::size_t cell = 0;
    while (cell < labels.size() && ++labels[cell] == model.label_count()) labels[cell++] = 0;
    if (cell == labels.size()) return;
  }
}

}  // namespace fovea::testing
