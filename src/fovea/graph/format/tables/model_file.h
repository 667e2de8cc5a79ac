// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <limits>
#include <string>
#include <vector>

#include "fovea/graph/model/factor_graph.h"

namespace fovea::graph {

/// Names of a model, its variables and its values in a file. Formats without names leave the lists empty: then a
/// variable or value goes by its number.
struct ModelNames {
  std::string model;                             ///< may be empty
  std::vector<std::string> variables;            ///< [variable], distinct; empty: numbers
  std::vector<std::vector<std::string>> values;  ///< [variable][value], distinct per variable; empty: numbers

  std::string variable(std::size_t v) const { return variables.empty() ? std::to_string(v) : variables[v]; }
  std::string value(std::size_t v, std::size_t k) const {
    return values.empty() || values[v].empty() ? std::to_string(k) : values[v][k];
  }
  friend bool operator==(const ModelNames&, const ModelNames&) = default;
};

/// A discrete model as a file holds it.
struct ModelFile {
  FactorGraph graph = {};
  ModelNames names = {};
  std::string format = {};  ///< the format it was read in: "uai", "bif", ...
  /// An assignment whose costs (minus its log score) add up to this or more is impossible: the upper bound of .wcsp and
  /// .cfn, if some assignment may reach it. Entries that are impossible by themselves are -inf in the tables already.
  double cost_bound = std::numeric_limits<double>::infinity();
  std::vector<std::string> warnings = {};  ///< suspicious content of the file, for people
  bool is_bayesian = false;  ///< every factor is the distribution of its scope's last variable given those before
};

}  // namespace fovea::graph
