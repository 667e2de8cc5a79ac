// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "fovea/graph/model/factor_graph.h"

namespace fovea::graph {

/// The square tables of a graph that have one score on the diagonal and one off it.
class PottsTables {
 public:
  /// Tables of fewer values than this are left out: reading them whole is faster.
  static constexpr std::size_t kMinCardinality = 8;

  explicit PottsTables(const FactorGraph& graph);

  bool contains(TableId table) const { return !scores_.empty() && scores_[table].is_potts; }

  /// message[x] = max over k of table[k, x] + vector[k], in O(cardinality). Requires contains(table).
  void maximize(TableId table, const double* vector, std::size_t cardinality, double* message) const;

 private:
  struct Scores {
    bool is_potts = false;
    double same = 0, different = 0;
  };
  static Scores scores_of(std::span<const double> table, std::size_t cardinality);

  std::vector<Scores> scores_;  // [table]; empty without Potts tables
};

}  // namespace fovea::graph
