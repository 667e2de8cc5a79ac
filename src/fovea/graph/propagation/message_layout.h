// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "fovea/base/run_control.h"
#include "fovea/graph/model/factor_graph.h"

namespace fovea::graph {

/// Layout of arrays that hold vectors of one number per value: one array has a vector for each place of a variable in a
/// factor's scope ("slot", in the order of factors and scopes), another has a vector for each variable.
class MessageLayout {
 public:
  explicit MessageLayout(const FactorGraph& graph) {
    first_slot_.reserve(graph.factor_count() + 1);
    for (FactorId f = 0; f < graph.factor_count(); ++f) {
      first_slot_.push_back(slot_begin_.size() - 1);
      for (const VariableId v : graph.scope(f)) slot_begin_.push_back(slot_begin_.back() + graph.cardinality(v));
    }
    first_slot_.push_back(slot_begin_.size() - 1);
    variable_begin_.reserve(graph.variable_count() + 1);
    for (const std::uint32_t cardinality : graph.cardinalities())
      variable_begin_.push_back(variable_begin_.back() + cardinality);
  }

  std::size_t slot(FactorId f, std::size_t position) const { return first_slot_[f] + position; }
  std::size_t slot_count() const { return slot_begin_.size() - 1; }
  std::size_t slot_begin(std::size_t slot) const { return slot_begin_[slot]; }
  std::size_t begin(FactorId f, std::size_t position) const { return slot_begin_[first_slot_[f] + position]; }
  std::size_t size() const { return slot_begin_.back(); }

  std::size_t variable_begin(VariableId v) const { return variable_begin_[v]; }
  std::size_t variable_size() const { return variable_begin_.back(); }

 private:
  std::vector<std::size_t> first_slot_;         // [factor + 1]
  std::vector<std::size_t> slot_begin_{0};      // [slot + 1]
  std::vector<std::size_t> variable_begin_{0};  // [variable + 1]
};

/// The sums of the tables of single variables, as laid out by variable_begin (log domain).
std::vector<double> unary_scores(const FactorGraph& graph, const MessageLayout& layout);

/// The sum of the tables of empty scope.
double constant_score(const FactorGraph& graph);

/// graph.log_score(y), or -inf if `stop` was requested meanwhile.
double score_until(const FactorGraph& graph, std::span<const Value> y, const Stop& stop);

}  // namespace fovea::graph
