// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <limits>
#include <string>
#include <vector>

#include "fovea/graph/format/tables/model_names.h"
#include "fovea/graph/model/factor_graph.h"

namespace fovea::graph {

/// A discrete model as a file holds it.
struct ModelFile {
  FactorGraph graph = {};
  ModelNames names = {};
  std::string format = {};  ///< what it was read as: "uai", "bif", ...
  /// An assignment whose costs (minus its log score) add up to this or more is impossible: the upper bound of .wcsp and
  /// .cfn, where any assignment reaches it. What factors say alone is in their tables already.
  double cost_bound = std::numeric_limits<double>::infinity();
  std::vector<std::string> warnings = {};  ///< what readers found strange, for people
  bool is_bayesian = false;  ///< every factor is the distribution of its scope's last variable given those before
};

}  // namespace fovea::graph
