// SPDX-License-Identifier: Apache-2.0
#include "fovea/graph/propagation/variable_beliefs.h"

#include <algorithm>

#include "fovea/base/log_math.h"

namespace fovea::graph {

VariableBeliefs::VariableBeliefs(const FactorGraph& graph, const MessageLayout& layout, double inverse_temperature)
    : graph_(&graph),
      layout_(&layout),
      unary_(unary_scores(graph, layout)),
      positive_(unary_.size()),
      zeros_(unary_.size()) {
  for (std::size_t i = 0; i < unary_.size(); ++i) {
    unary_[i] *= inverse_temperature;
    zeros_[i] = unary_[i] == kImpossible;
    positive_[i] = zeros_[i] ? 0 : unary_[i];
  }
}

void VariableBeliefs::favour(VariableId v, Value value, double score) {
  const std::size_t i = layout_->variable_begin(v) + value;
  unary_[i] += score;
  if (zeros_[i] == 0) positive_[i] += score;
}

bool VariableBeliefs::refresh(VariableId v, std::span<const double> messages) {
  const std::size_t begin = layout_->variable_begin(v), cardinality = graph_->cardinality(v);
  double* positive = positive_.data() + begin;
  std::uint32_t* zeros = zeros_.data() + begin;
  for (std::size_t k = 0; k < cardinality; ++k) {
    zeros[k] = unary_[begin + k] == kImpossible;
    positive[k] = zeros[k] ? 0 : unary_[begin + k];
  }
  for (const auto& [factor, position] : graph_->incidences(v)) {
    if (graph_->scope(factor).size() == 1) continue;
    const double* message = messages.data() + layout_->begin(factor, position);
    for (std::size_t k = 0; k < cardinality; ++k) {
      const bool is_zero = message[k] == kImpossible;
      zeros[k] += is_zero;
      positive[k] += is_zero ? 0 : message[k];
    }
  }
  return std::any_of(zeros, zeros + cardinality, [](std::uint32_t count) { return count == 0; });
}

void VariableBeliefs::decide(VariableId v, Value value) {
  const std::size_t begin = layout_->variable_begin(v);
  for (std::size_t k = 0; k < graph_->cardinality(v); ++k) {
    if (k == value) continue;
    if (unary_[begin + k] > kImpossible) ++zeros_[begin + k];
    unary_[begin + k] = kImpossible;
  }
}

void VariableBeliefs::log_belief(VariableId v, double* scores) const {
  const std::size_t begin = layout_->variable_begin(v), cardinality = graph_->cardinality(v);
  for (std::size_t k = 0; k < cardinality; ++k) scores[k] = zeros_[begin + k] ? kImpossible : positive_[begin + k];
}

double VariableBeliefs::divide_out(VariableId v, const double* message, double* scores) const {
  const std::size_t begin = layout_->variable_begin(v), cardinality = graph_->cardinality(v);
  double highest = kImpossible;
  for (std::size_t k = 0; k < cardinality; ++k) {
    const bool is_zero = message[k] == kImpossible;
    const bool is_possible = zeros_[begin + k] == (is_zero ? 1u : 0u);
    scores[k] = is_possible ? positive_[begin + k] - (is_zero ? 0 : message[k]) : kImpossible;
    highest = std::max(highest, scores[k]);
  }
  if (highest == kImpossible) return kImpossible;
  for (std::size_t k = 0; k < cardinality; ++k) scores[k] -= highest;
  return highest;
}

}  // namespace fovea::graph
