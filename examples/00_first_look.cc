// SPDX-License-Identifier: Apache-2.0
// The grass is wet: how likely is it that it rained? Three variables, their tables, one question.
#include <cmath>
#include <cstdio>
#include <vector>

#include "fovea/graph.h"

int main() {
  fovea::graph::FactorGraph::Builder network;
  const auto rain = network.add_variable(2), sprinkler = network.add_variable(2), wet = network.add_variable(2);
  const auto add = [&](std::vector<fovea::VariableId> scope, std::vector<double> probabilities) {
    for (double& p : probabilities) p = std::log(p);  // tables hold log scores, the last variable varying fastest
    network.add_factor(scope, probabilities);
  };
  add({rain}, {.8, .2});
  add({rain, sprinkler}, {.6, .4, .99, .01});
  add({rain, sprinkler, wet}, {1, 0, .1, .9, .2, .8, .01, .99});
  const auto result = fovea::graph::solve_marginals(network.build(), {{wet, 1}});
  std::printf("P(rain | wet grass) = %.4f (%s)\n", result.marginals[rain][1], result.method.c_str());
  return std::abs(result.marginals[rain][1] - .16038 / .44838) < 1e-9 ? 0 : 1;
}
