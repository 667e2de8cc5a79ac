// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace fovea::graph {

/// What a file calls its model, variables and values. Formats without names leave the lists empty: then a variable or
/// value is called by its number.
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

}  // namespace fovea::graph
