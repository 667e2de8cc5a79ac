// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "fovea/graph/model/factor_graph.h"
#include "fovea/graph/propagation/message_layout.h"

namespace fovea::graph {

/// The products of the messages that variables receive, from which any one message can be divided out again, zeros
/// included. Each is stored as the log of the product of its positive factors and the number of its zeros.
class VariableBeliefs {
 public:
  /// Keeps references. Starts with the factors of single variables alone, to the power of `inverse_temperature`, as if
  /// all messages were 1.
  VariableBeliefs(const FactorGraph& graph, const MessageLayout& layout, double inverse_temperature = 1);

  /// Multiplies v's own factors by a factor that is exp(score) at `value` and 1 elsewhere, which refresh() preserves.
  void favour(VariableId v, Value value, double score);

  /// Recomputes the product for v from its messages (log domain, from factors of two or more variables). False if no
  /// value is left.
  bool refresh(VariableId v, std::span<const double> messages);

  /// Multiplies v by a factor that is 1 at `value` and 0 elsewhere.
  void decide(VariableId v, Value value);

  /// scores[k] = log b_v(k).
  void log_belief(VariableId v, double* scores) const;

  /// scores[k] = log(b_v(k) / exp(message[k])), shifted so that the highest is 0; returns the shift: true log = scores
  /// + shift. -inf, with all scores -inf, if no value is left.
  double divide_out(VariableId v, const double* message, double* scores) const;

 private:
  const FactorGraph* graph_;
  const MessageLayout* layout_;
  std::vector<double> unary_, positive_;  // [layout.variable_begin(v) + k]
  std::vector<std::uint32_t> zeros_;
};

}  // namespace fovea::graph
