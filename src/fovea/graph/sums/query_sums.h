// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "fovea/base/random.h"
#include "fovea/base/run_control.h"
#include "fovea/graph/model/factor_graph.h"
#include "fovea/graph/tree/cluster_tree.h"

namespace fovea::graph {

/// Scores of the values of a marginal MAP query: log of the sum over all other variables, natural logarithm.
///
/// With the query's values given, the other variables fall into connected parts whose sums are independent, so that a
/// change of one value concerns few parts. A part is summed by a junction tree if that fits the limits; otherwise its
/// sum is an estimate: by belief propagation or, if even messages do not fit the memory, as if factors were
/// independent.
class QuerySums {
 public:
  /// `memory_bytes`: limit on the tables or messages of a part. Parts whose order is not found before `stop` are
  /// estimated.
  QuerySums(const FactorGraph& graph, std::span<const VariableId> query, std::uint64_t memory_bytes,
            const Random& random, const Stop& stop = {});

  std::size_t part_count() const { return parts_.size(); }
  /// True if no part is estimated.
  bool is_exact() const { return is_exact_; }
  /// The parts that touch a variable of the query, ascending.
  std::span<const std::uint32_t> parts_of(VariableId v) const { return parts_of_[v]; }
  /// The query's variables that touch a part, ascending.
  std::span<const VariableId> query_of(std::size_t part) const { return parts_[part].query; }

  /// Factors of query variables alone; variables have the numbers of the whole model.
  const FactorGraph& between() const { return between_; }

  /// Log of the sum over the part's variables. `values` are those of the whole model; only the query's count. Throws
  /// LimitError if stopped.
  double log_sum(std::size_t part, std::span<const Value> values, const Stop& stop = {}) const;

 private:
  struct Part {
    std::vector<VariableId> variables = {};  // [variable of graph]: of the whole model, ascending
    std::vector<VariableId> query = {};
    std::vector<char> is_query = {};  // [variable of graph]
    FactorGraph graph = {};
    std::optional<ClusterTree> tree = {};  // conditions on the query; nothing if it does not fit
  };
  double estimate(const Part& part, std::span<const Value> values, const Stop& stop) const;

  std::vector<Part> parts_;
  std::vector<std::vector<std::uint32_t>> parts_of_;  // [variable of the whole model]
  FactorGraph between_;
  double memory_bytes_;
  bool is_exact_ = true;
};

}  // namespace fovea::graph
