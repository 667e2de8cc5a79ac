// SPDX-License-Identifier: Apache-2.0
#include "bench/graph_sampling/images.h"

#include <algorithm>
#include <cmath>

#include "fovea/graph/format/read_model.h"

namespace fovea::bench {

Images::Images(const std::vector<std::string>& paths) {
  graph::FactorGraph::Builder builder;
  for (const std::string& path : paths) {
    const graph::FactorGraph model = graph::read_model(path).graph;
    const auto first = static_cast<VariableId>(builder.variable_count());
    for (VariableId v = 0; v < model.variable_count(); ++v) builder.add_variable(model.cardinality(v));
    for (graph::FactorId f = 0; f < model.factor_count(); ++f) {
      std::vector<VariableId> scope(model.scope(f).begin(), model.scope(f).end());
      if (scope.empty()) continue;
      for (VariableId& v : scope) v += first;
      builder.add_factor(scope, model.table(f));
    }
    ends.push_back(builder.variable_count());
  }
  graph = builder.build();
  hottest = .1 * std::abs(graph.log_score(start())) / static_cast<double>(graph.variable_count());
}

std::vector<double> Images::scores(const Assignment& labels) const {
  std::vector<double> scores(ends.size());
  for (graph::FactorId f = 0; f < graph.factor_count(); ++f) {
    const auto model = std::upper_bound(ends.begin(), ends.end(), graph.scope(f)[0]) - ends.begin();
    scores[static_cast<std::size_t>(model)] += graph.factor_score(f, labels);
  }
  return scores;
}

double Images::temperature(int sweep) const { return hottest * std::pow(.9, sweep); }

}  // namespace fovea::bench
