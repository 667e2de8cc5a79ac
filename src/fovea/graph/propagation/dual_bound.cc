// SPDX-License-Identifier: Apache-2.0
#include "fovea/graph/propagation/dual_bound.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "fovea/base/log_math.h"

namespace fovea::graph {

PottsTables::PottsTables(const FactorGraph& graph) {
  std::vector<Scores> scores(graph.table_count());
  std::vector<bool> is_seen(graph.table_count(), false);
  bool has_any = false;
  for (FactorId f = 0; f < graph.factor_count(); ++f) {
    const TableId table = graph.table_id(f);
    if (is_seen[table]) continue;
    is_seen[table] = true;
    const std::span<const VariableId> scope = graph.scope(f);
    if (scope.size() != 2 || graph.cardinality(scope[0]) != graph.cardinality(scope[1])) continue;
    scores[table] = scores_of(graph.table(f), graph.cardinality(scope[0]));
    has_any = has_any || scores[table].is_potts;
  }
  if (has_any) scores_ = std::move(scores);
}

PottsTables::Scores PottsTables::scores_of(std::span<const double> table, std::size_t cardinality) {
  if (cardinality < kMinCardinality) return {};
  for (std::size_t i = 0; i < table.size(); ++i)
    if (table[i] != table[i % (cardinality + 1) == 0 ? 0 : 1]) return {};
  return {.is_potts = true, .same = table[0], .different = table[1]};
}

void PottsTables::maximize(TableId table, const double* vector, std::size_t cardinality, double* message) const {
  const Scores& scores = scores_[table];
  double best = -std::numeric_limits<double>::infinity(), second = best;
  std::size_t best_value = 0;
  for (std::size_t k = 0; k < cardinality; ++k) {
    if (vector[k] > best) {
      second = best;
      best = vector[k];
      best_value = k;
    } else {
      second = std::max(second, vector[k]);
    }
  }
  for (std::size_t x = 0; x < cardinality; ++x)
    message[x] = std::max(vector[x] + scores.same, (x == best_value ? second : best) + scores.different);
}

DualBound::DualBound(const FactorGraph& graph, const DualBoundOptions& options)
    : graph_(graph),
      options_(options),
      layout_(graph),
      potts_(graph),
      constant_(constant_score(graph)),
      unary_(unary_scores(graph, layout_)),
      messages_(layout_.size(), 0.0),
      decoded_(graph.variable_count(), 0),
      scores_(graph.max_cardinality()) {
  validate(options_);
  index_edges();
}

std::size_t DualBound::predicted_bytes(const FactorGraph& graph) {
  std::size_t slots = 0, numbers = 0;
  for (VariableId v = 0; v < graph.variable_count(); ++v) {
    slots += graph.incidences(v).size();
    numbers += graph.cardinality(v) * (graph.incidences(v).size() + 1);
  }
  std::size_t largest = 0;
  for (TableId t = 0; t < graph.table_count(); ++t) largest = std::max(largest, graph.shared_table(t).size());
  return sizeof(double) * (numbers + 2 * largest) + slots * (sizeof(Edge) + sizeof(std::size_t)) +
         graph.variable_count() * 4 * sizeof(std::size_t) + graph.table_count() * 3 * sizeof(double);
}

void DualBound::index_edges() {
  std::size_t most_edges = 0;
  for (VariableId v = 0; v < graph_.variable_count(); ++v) {
    std::size_t earlier = 0, later = 0;
    for (const FactorGraph::Incidence& incidence : graph_.incidences(v)) {
      const auto [first, last] = std::ranges::minmax(graph_.scope(incidence.factor));
      if (first == last) continue;
      edges_.push_back({incidence.factor, incidence.position, layout_.begin(incidence.factor, incidence.position),
                        first<v, last> v});
      earlier += first < v;
      later += last > v;
    }
    edge_begin_.push_back(edges_.size());
    most_edges = std::max(most_edges, edges(v).size());
    shares_.push_back(1.0 / static_cast<double>(std::max<std::size_t>({earlier, later, 1})));
  }
  collected_.resize(most_edges * graph_.max_cardinality());
}

Work DualBound::run(std::uint64_t iterations, const Stop& stop) {
  work_ = {};
  bool is_stopped = stop.requested();
  for (std::uint64_t i = 0; i < iterations && !is_finished() && !is_stopped; ++i) is_stopped = !iterate(stop);
  if (!is_stopped && iterations_ > decoded_iterations_ && upper_bound_ > kImpossible) decode(Direction::kForward, stop);
  return work_;
}

bool DualBound::iterate(const Stop& stop) {
  const double before = upper_bound_;
  if (!pass(Direction::kForward, stop) || !pass(Direction::kBackward, stop)) return false;
  ++iterations_;
  is_converged_ = !(before - upper_bound_ > options_.tolerance * (1 + std::abs(upper_bound_)));
  const bool is_due = iterations_ == 1 || iterations_ % static_cast<std::uint64_t>(options_.decode_period) == 0;
  return !is_due || upper_bound_ == kImpossible || decode(Direction::kForward, stop);
}

bool DualBound::is_tight() const {
  return upper_bound_ == kImpossible ||
         (best_.found() && best_.score >= upper_bound_ - 1e-12 * (1 + std::abs(upper_bound_)));
}

bool DualBound::pass(Direction direction, const Stop& stop) {
  pass_bound_ = constant_;
  for (std::size_t i = 0; i < graph_.variable_count(); ++i) {
    if (!visit(nth(i, direction), direction, stop)) return false;
    if (pass_bound_ == kImpossible) break;
  }
  last_bound_ = pass_bound_;
  upper_bound_ = std::min(upper_bound_, last_bound_);
  return true;
}

// A message may be shifted by any constant: the factor gains what its variable loses. So messages and scores are kept
// at a maximum of zero; the bound is the sum of the maxima removed. A factor's maximum is counted at its last change in
// this pass.
bool DualBound::visit(VariableId v, Direction direction, const Stop& stop) {
  const std::size_t cardinality = graph_.cardinality(v);
  double* unary = unary_.data() + layout_.variable_begin(v);
  std::copy_n(unary, cardinality, scores_.data());
  double* message = collected_.data();
  for (const Edge& edge : edges(v)) {
    if (comes_behind(edge, direction)) {
      if (!collect(edge, message, stop)) return false;
      const double highest = *std::max_element(message, message + cardinality);
      if (!comes_before(edge, direction)) pass_bound_ += highest;
      if (highest == kImpossible) {
        pass_bound_ = kImpossible;
        return true;
      }
      for (std::size_t k = 0; k < cardinality; ++k) scores_[k] += message[k] -= highest;
    } else {
      const double* gain = messages_.data() + edge.begin;
      for (std::size_t k = 0; k < cardinality; ++k) scores_[k] += message[k] = -gain[k];
    }
    message += cardinality;
  }
  for (std::size_t k = 0; k < cardinality; ++k)
    if (unary[k] == kImpossible || scores_[k] == kImpossible) unary[k] = scores_[k] = kImpossible;
  const double highest = *std::max_element(scores_.data(), scores_.data() + cardinality);
  pass_bound_ += highest;
  if (highest > kImpossible) distribute(v, direction, highest);
  return !meter_.is_late(cardinality, stop);
}

bool DualBound::collect(const Edge& edge, double* message, const Stop& stop) {
  const std::span<const VariableId> scope = graph_.scope(edge.factor);
  ++work_.factors;
  if (scope.size() == 2 && potts_.contains(graph_.table_id(edge.factor))) {
    const double* gain = messages_.data() + layout_.begin(edge.factor, 1 - edge.position);
    const std::size_t cardinality = graph_.cardinality(scope[0]);
    potts_.maximize(graph_.table_id(edge.factor), gain, cardinality, message);
    return !meter_.is_late(2 * cardinality, stop);
  }
  vectors_.clear();
  cardinalities_.clear();
  for (std::size_t j = 0; j < scope.size(); ++j) {
    vectors_.push_back(messages_.data() + layout_.begin(edge.factor, j));
    cardinalities_.push_back(graph_.cardinalities()[scope[j]]);
  }
  const std::span<const double> table = graph_.table(edge.factor);
  return contraction_.run(table, cardinalities_, vectors_, edge.position, message, stop) &&
         !meter_.is_late(table.size(), stop);
}

void DualBound::distribute(VariableId v, Direction direction, double highest) {
  const std::size_t cardinality = graph_.cardinality(v);
  const double* message = collected_.data();
  for (const Edge& edge : edges(v)) {
    const double share = comes_before(edge, direction) ? shares_[v] : 0.0;
    double* gain = messages_.data() + edge.begin;
    for (std::size_t k = 0; k < cardinality; ++k)
      gain[k] = scores_[k] == kImpossible ? kImpossible : share * (scores_[k] - highest) - message[k];
    message += cardinality;
  }
}

bool DualBound::decode(Direction direction, const Stop& stop) {
  decoded_iterations_ = iterations_;
  for (std::size_t i = 0; i < graph_.variable_count(); ++i) {
    const VariableId v = nth(i, direction);
    const std::size_t cardinality = graph_.cardinality(v);
    const double* unary = unary_.data() + layout_.variable_begin(v);
    std::copy_n(unary, cardinality, scores_.data());
    for (const Edge& edge : edges(v))
      if (!add_decoded_factor(edge, v, direction, stop)) return false;
    for (std::size_t k = 0; k < cardinality; ++k)
      if (unary[k] == kImpossible) scores_[k] = kImpossible;
    decoded_[v] = static_cast<Value>(std::max_element(scores_.data(), scores_.data() + cardinality) - scores_.data());
  }
  const double score = score_until(graph_, decoded_, stop);
  if (score > best_.score) best_ = {decoded_, score};
  return !stop.requested();
}

bool DualBound::add_decoded_factor(const Edge& edge, VariableId v, Direction direction, const Stop& stop) {
  const std::size_t cardinality = graph_.cardinality(v);
  if (!comes_behind(edge, direction)) {
    const double* gain = messages_.data() + edge.begin;
    for (std::size_t k = 0; k < cardinality; ++k) scores_[k] -= gain[k];
    return !meter_.is_late(cardinality, stop);
  }
  if (!comes_before(edge, direction)) {
    const std::size_t stride = graph_.strides(edge.factor)[edge.position];
    const double* entry =
        graph_.table(edge.factor).data() + graph_.entry_index(edge.factor, decoded_) - stride * decoded_[v];
    for (std::size_t k = 0; k < cardinality; ++k) scores_[k] += entry[k * stride];
    return !meter_.is_late(cardinality, stop);
  }
  const std::span<const VariableId> scope = graph_.scope(edge.factor);
  const auto is_open = [&](std::uint32_t j) {
    return direction == Direction::kForward ? scope[j] >= v : scope[j] <= v;
  };
  if (!slice_.take(graph_, edge.factor, decoded_, is_open, stop)) return false;
  vectors_.clear();
  std::size_t keep = 0;
  for (const std::uint32_t j : slice_.positions()) {
    if (j == edge.position) keep = vectors_.size();
    vectors_.push_back(messages_.data() + layout_.begin(edge.factor, j));
  }
  if (!contraction_.run(slice_.table(), slice_.cardinalities(), vectors_, keep, collected_.data(), stop)) return false;
  for (std::size_t k = 0; k < cardinality; ++k) scores_[k] += collected_[k];
  return !meter_.is_late(slice_.table().size(), stop);
}

}  // namespace fovea::graph
