// SPDX-License-Identifier: Apache-2.0
#include "fovea/exact/nogood_trail.h"

#include <limits>

namespace fovea::internal {
namespace {

constexpr double kImpossible = -std::numeric_limits<double>::infinity();

}  // namespace

NogoodTrail::NogoodTrail(const FactorGraph& graph, const NogoodModel& model)
    : graph_(graph),
      model_(model),
      nogoods_of_(model.variable_of.size()),
      soft_factors_of_(graph.variable_count()),
      alive_(model.variable_of.size(), 1),
      domain_sizes_(graph.cardinalities().begin(), graph.cardinalities().end()),
      true_counts_(model.nogoods.size(), 0),
      excluded_counts_(model.nogoods.size(), 0),
      score_(model.constant) {
  for (std::uint32_t n = 0; n < model.nogoods.size(); ++n)
    for (const LiteralId l : model.nogoods[n]) nogoods_of_[l].push_back(n);
  for (std::uint32_t s = 0; s < model.soft_factors.size(); ++s) {
    const auto scope = graph.scope(model.soft_factors[s]);
    for (const VariableId v : scope) soft_factors_of_[v].push_back(s);
    open_counts_.push_back(static_cast<std::uint32_t>(scope.size()));
  }
  is_consistent_ = score_ != kImpossible;
  for (VariableId v = 0; v < domain_sizes_.size(); ++v)
    if (domain_sizes_[v] == 1) make_true(v);
  for (LiteralId l = 0; l < alive_.size(); ++l)
    if (model.weights[l] == kImpossible) queue_.push_back(l);
  if (is_consistent_) propagate();
}

std::size_t NogoodTrail::soft_offset(std::uint32_t soft) const {
  const FactorId f = model_.soft_factors[soft];
  std::size_t offset = 0;
  for (std::size_t i = 0; i < graph_.scope(f).size(); ++i) {
    const VariableId v = graph_.scope(f)[i];
    if (!is_open(v)) offset += std::size_t{graph_.strides(f)[i]} * (only_literal(v) - model_.first_literal[v]);
  }
  return offset;
}

LiteralId NogoodTrail::only_literal(VariableId v) const {
  LiteralId l = model_.first_literal[v];
  while (!alive_[l] && l + 1 < model_.first_literal[v + 1]) ++l;
  return l;
}

/// Every count is brought up to date even after a contradiction, so that undo() finds them as it expects.
void NogoodTrail::exclude(LiteralId literal) {
  const VariableId v = model_.variable_of[literal];
  alive_[literal] = 0;
  trail_.push_back(literal);
  for (const std::uint32_t n : nogoods_of_[literal]) ++excluded_counts_[n];
  if (--domain_sizes_[v] == 1) make_true(v);
  if (domain_sizes_[v] == 0) is_consistent_ = false;
}

void NogoodTrail::make_true(VariableId v) {
  const LiteralId literal = only_literal(v);
  score_ += model_.weights[literal];
  for (const std::uint32_t s : soft_factors_of_[v])
    if (--open_counts_[s] == 0) score_ += graph_.table(model_.soft_factors[s])[soft_offset(s)];
  if (score_ == kImpossible) is_consistent_ = false;
  for (const std::uint32_t n : nogoods_of_[literal]) {
    const std::vector<LiteralId>& nogood = model_.nogoods[n];
    if (++true_counts_[n] + 1 < nogood.size() || excluded_counts_[n] > 0) continue;
    if (true_counts_[n] == nogood.size()) is_consistent_ = false;
    else
      for (const LiteralId l : nogood)
        if (is_open(model_.variable_of[l])) queue_.push_back(l);
  }
}

bool NogoodTrail::propagate() {
  while (!queue_.empty() && is_consistent_) {
    const LiteralId l = queue_.back();
    queue_.pop_back();
    if (alive_[l]) exclude(l);
  }
  queue_.clear();
  return is_consistent_;
}

bool NogoodTrail::decide(LiteralId literal) {
  const VariableId v = model_.variable_of[literal];
  for (LiteralId l = model_.first_literal[v]; l < model_.first_literal[v + 1]; ++l)
    if (l != literal) queue_.push_back(l);
  return propagate();
}

void NogoodTrail::undo(const Mark& mark) {
  while (trail_.size() > mark.trail_size) {
    const LiteralId literal = trail_.back();
    trail_.pop_back();
    const VariableId v = model_.variable_of[literal];
    if (domain_sizes_[v] == 1) {
      for (const std::uint32_t n : nogoods_of_[only_literal(v)]) --true_counts_[n];
      for (const std::uint32_t s : soft_factors_of_[v]) ++open_counts_[s];
    }
    ++domain_sizes_[v];
    alive_[literal] = 1;
    for (const std::uint32_t n : nogoods_of_[literal]) --excluded_counts_[n];
  }
  score_ = mark.score;
  is_consistent_ = true;
}

}  // namespace fovea::internal
