// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "fovea/graph/model/factor_graph.h"

namespace fovea::testing {

/// A graph of variables of 2, 3, 4, ... values, without factors.
inline graph::FactorGraph factorless_graph(std::size_t variables) {
  graph::FactorGraph::Builder builder;
  for (std::size_t v = 0; v < variables; ++v) builder.add_variable(v + 2);
  return builder.build();
}

}  // namespace fovea::testing
