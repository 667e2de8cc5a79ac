// SPDX-License-Identifier: Apache-2.0
#include "fovea/graph/model/factor_graph.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <utility>

namespace fovea::graph {
namespace {

constexpr std::size_t kMaxCardinality = std::numeric_limits<Value>::max();
constexpr std::size_t kMaxEntries = std::numeric_limits<std::uint32_t>::max();

template <class Score>
void add_conditional_scores(const FactorGraph& graph, VariableId v, std::span<const Value> y, std::span<Score> scores) {
  std::ranges::fill(scores, Score{0});
  for (const auto& [factor, position] : graph.incidences(v)) {
    const std::span<const double> table = graph.table(factor);
    const std::size_t stride = graph.strides(factor)[position];
    const std::size_t first = graph.entry_index(factor, y) - stride * y[v];
    for (std::size_t k = 0; k < scores.size(); ++k) scores[k] += static_cast<Score>(table[first + k * stride]);
  }
}

}  // namespace

double FactorGraph::log_score(std::span<const Value> y) const {
  double score = 0;
  for (FactorId f = 0; f < factor_count(); ++f) score += factor_score(f, y);
  return score;
}

void FactorGraph::conditional_scores(VariableId v, std::span<const Value> y, std::span<double> scores) const {
  add_conditional_scores(*this, v, y, scores.first(cardinalities_[v]));
}

void FactorGraph::conditional_scores(VariableId v, std::span<const Value> y, std::span<float> scores) const {
  add_conditional_scores(*this, v, y, scores.first(cardinalities_[v]));
}

void FactorGraph::index_adjacency() {
  incidence_begin_.assign(variable_count() + 1, 0);
  for (const VariableId v : scopes_) ++incidence_begin_[v + 1];
  for (std::size_t v = 0; v < variable_count(); ++v) incidence_begin_[v + 1] += incidence_begin_[v];
  incidences_.resize(scopes_.size());
  std::vector<std::size_t> next(incidence_begin_.begin(), incidence_begin_.end() - 1);
  for (FactorId f = 0; f < factor_count(); ++f)
    for (std::uint32_t i = 0; i < scope(f).size(); ++i) incidences_[next[scope(f)[i]]++] = {f, i};

  blanket_begin_.assign(1, 0);
  blankets_.clear();
  std::vector<VariableId> last_seen(variable_count(), std::numeric_limits<VariableId>::max());
  for (VariableId v = 0; v < variable_count(); ++v) {
    last_seen[v] = v;
    for (const Incidence& incidence : incidences(v))
      for (const VariableId other : scope(incidence.factor))
        if (std::exchange(last_seen[other], v) != v) blankets_.push_back(other);
    std::sort(blankets_.begin() + static_cast<std::ptrdiff_t>(blanket_begin_.back()), blankets_.end());
    blanket_begin_.push_back(blankets_.size());
  }
}

VariableId FactorGraph::Builder::add_variable(std::size_t cardinality) {
  if (cardinality == 0 || cardinality > kMaxCardinality)
    throw std::invalid_argument(
        fmt::format("a variable of {} values; there must be 1 to {}", cardinality, kMaxCardinality));
  graph_.cardinalities_.push_back(static_cast<std::uint32_t>(cardinality));
  graph_.max_cardinality_ = std::max(graph_.max_cardinality_, cardinality);
  return static_cast<VariableId>(graph_.variable_count() - 1);
}

TableId FactorGraph::Builder::add_table(std::span<const double> log_scores) {
  for (std::size_t i = 0; i < log_scores.size(); ++i)
    if (!(log_scores[i] < std::numeric_limits<double>::infinity()))
      throw std::invalid_argument(fmt::format("entry {} of a table is {}; log scores are numbers below infinity", i,
                                              std::isnan(log_scores[i]) ? "not a number" : "infinite"));
  graph_.entries_.insert(graph_.entries_.end(), log_scores.begin(), log_scores.end());
  graph_.table_begin_.push_back(graph_.entries_.size());
  return static_cast<TableId>(graph_.table_count() - 1);
}

FactorId FactorGraph::Builder::add_factor(std::span<const VariableId> scope, TableId table) {
  const auto factor = static_cast<FactorId>(graph_.factor_count());
  std::size_t entries = 1;
  for (std::size_t i = 0; i < scope.size(); ++i) {
    if (scope[i] >= variable_count())
      throw std::invalid_argument(
          fmt::format("factor {} names variable {}, but there are {} variables", factor, scope[i], variable_count()));
    if (std::ranges::find(scope.first(i), scope[i]) != scope.begin() + static_cast<std::ptrdiff_t>(i))
      throw std::invalid_argument(fmt::format("factor {} names variable {} twice", factor, scope[i]));
    entries *= cardinality(scope[i]);
    if (entries > kMaxEntries)
      throw std::invalid_argument(fmt::format("the table of factor {} would have more than 2^32 entries", factor));
  }
  if (table >= graph_.table_count() || graph_.shared_table(table).size() != entries)
    throw std::invalid_argument(fmt::format("factor {} needs a table of {} entries, not {}", factor, entries,
                                            table < graph_.table_count() ? graph_.shared_table(table).size() : 0));
  std::vector<std::uint32_t> strides(scope.size());
  for (std::size_t i = scope.size(), stride = 1; i-- > 0; stride *= cardinality(scope[i]))
    strides[i] = static_cast<std::uint32_t>(stride);
  graph_.scopes_.insert(graph_.scopes_.end(), scope.begin(), scope.end());
  graph_.strides_.insert(graph_.strides_.end(), strides.begin(), strides.end());
  graph_.scope_begin_.push_back(graph_.scopes_.size());
  graph_.factor_tables_.push_back(table);
  graph_.max_arity_ = std::max(graph_.max_arity_, scope.size());
  return factor;
}

FactorId FactorGraph::Builder::add_factor(std::span<const VariableId> scope, std::span<const double> log_scores) {
  return add_factor(scope, add_table(log_scores));
}

FactorGraph FactorGraph::Builder::build() {
  graph_.index_adjacency();
  return std::exchange(graph_, {});
}

}  // namespace fovea::graph
