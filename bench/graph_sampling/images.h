// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "fovea/graph/model/factor_graph.h"

namespace fovea::bench {

/// Several models as one, without factors between them: a schedule chooses among the sites of all.
struct Images {
  explicit Images(const std::vector<std::string>& paths);

  Assignment start() const { return Assignment(graph.variable_count(), 0); }
  /// log p, up to a constant, of each model.
  std::vector<double> scores(const Assignment& labels) const;
  /// In a sweep, counted from 0: a tenth of the start's energy per variable, and .9 times that after each sweep.
  double temperature(int sweep) const;

  graph::FactorGraph graph;
  std::vector<std::size_t> ends;  ///< [model] one past its last variable
  double hottest = 0;
};

}  // namespace fovea::bench
