// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <vector>

#include "fovea/graph/model/factor_graph.h"
#include "fovea/sequence/model/label_sequences.h"

namespace fovea::testing {

/// A factor graph with the variables, unary scores and neighbours of the first sequence; its pair tables are constant.
inline graph::FactorGraph graph_of_first_sequence(const sequence::LabelSequences& sequences) {
  const std::size_t begin = sequences.begin(0), length = sequences.end(0) - begin,
                    labels = sequences.ngrams().label_count();
  graph::FactorGraph::Builder builder;
  for (std::size_t i = 0; i < length; ++i) {
    builder.add_variable(labels);
    const float* unary = sequences.unary(begin + i);
    builder.add_factor(std::vector{static_cast<VariableId>(i)}, std::vector<double>(unary, unary + labels));
    if (i > 0)
      builder.add_factor(std::vector{static_cast<VariableId>(i - 1), static_cast<VariableId>(i)},
                         std::vector<double>(labels * labels, .5));
  }
  return builder.build();
}

}  // namespace fovea::testing
