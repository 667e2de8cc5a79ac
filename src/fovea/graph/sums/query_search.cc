// SPDX-License-Identifier: Apache-2.0
#include "fovea/graph/sums/query_search.h"

#include <algorithm>
#include <utility>

#include "fovea/base/error.h"
#include "fovea/base/log_math.h"

namespace fovea::graph {
namespace {

constexpr double kLeastGain = 1e-9;          // less is rounding
constexpr std::uint32_t kMostDisturbed = 4;  // variables at a time

}  // namespace

QuerySearch::QuerySearch(const QuerySums& sums, std::span<const VariableId> query, const Random& random)
    : sums_(sums), query_(query.begin(), query.end()), random_(random), is_open_(sums.between().variable_count(), 0) {}

bool QuerySearch::start(const Assignment& values, std::uint64_t max_transitions, const Stop& stop) {
  max_transitions_ = max_transitions;
  State state = {.values = Assignment(values.size(), 0)};
  for (const VariableId v : query_) state.values[v] = values[v];
  try {
    if (!evaluate(state, stop)) return false;
  } catch (const LimitError&) {
    return false;
  }
  keep_if_better(state);
  for (const VariableId v : query_) enqueue(v);
  climb(state, stop);
  return true;
}

void QuerySearch::disturb(std::uint64_t max_transitions, const Stop& stop) {
  max_transitions_ = max_transitions;
  if (query_.empty() || !may_go_on(stop)) return;
  State state = best_state_;
  VariableId v = query_[random_.uniform_index(static_cast<std::uint32_t>(query_.size()))];
  for (std::uint32_t left = 1 + random_.uniform_index(kMostDisturbed); left > 0; --left) {
    state.values[v] =
        static_cast<Value>(random_.uniform_index(static_cast<std::uint32_t>(sums_.between().cardinality(v))));
    const std::size_t waiting = open_.size();
    enqueue(v);
    enqueue_neighbours(v);
    if (open_.size() > waiting)
      v = open_[waiting + random_.uniform_index(static_cast<std::uint32_t>(open_.size() - waiting))];
  }
  ++transitions_;
  try {
    if (evaluate(state, stop)) climb(state, stop);
  } catch (const LimitError&) {  // stopped: the best stays
  }
  for (const VariableId left : std::exchange(open_, {})) is_open_[left] = 0;
}

/// Scores the state; returns false if its values break a constraint. Throws LimitError if stopped.
bool QuerySearch::evaluate(State& state, const Stop& stop) const {
  state.score = sums_.between().log_score(state.values);
  state.sums.resize(sums_.part_count());
  for (std::size_t p = 0; p < state.sums.size() && state.score > kImpossible; ++p)
    state.score += state.sums[p] = sums_.log_sum(p, state.values, stop);
  return state.score > kImpossible;
}

void QuerySearch::climb(State& state, const Stop& stop) {
  try {
    while (!open_.empty() && may_go_on(stop)) {
      const VariableId v = open_.front();
      open_.pop_front();
      is_open_[v] = 0;
      if (improve_at(state, v, stop)) enqueue_neighbours(v);
    }
  } catch (const LimitError&) {  // stopped: the state is as before the value that was being tried
  }
  for (const VariableId left : std::exchange(open_, {})) is_open_[left] = 0;
  keep_if_better(state);
}

/// Gives v its best value, with the others as they are. Returns true if that changed it.
bool QuerySearch::improve_at(State& state, VariableId v, const Stop& stop) {
  state.scores.resize(sums_.between().cardinality(v));
  sums_.between().conditional_scores(v, state.values, std::span(state.scores));
  const Value old = state.values[v];
  Value best_value = old;
  double best_score = state.score + kLeastGain;
  std::vector<double> sums, best_sums;
  for (std::size_t k = 0; k < state.scores.size() && may_go_on(stop); ++k) {
    if (k == old || state.scores[k] == kImpossible) continue;
    ++transitions_;
    const double score = changed_score(state, v, static_cast<Value>(k), stop, sums);
    if (!(score > best_score)) continue;
    best_score = score;
    best_value = static_cast<Value>(k);
    best_sums = sums;
  }
  if (best_value == old) return false;
  state.values[v] = best_value;
  state.score = best_score;
  const auto parts = sums_.parts_of(v);
  for (std::size_t i = 0; i < parts.size(); ++i) state.sums[parts[i]] = best_sums[i];
  return true;
}

/// Score with another value of v; `sums` becomes those of the parts that v touches. The values are left as they were,
/// stopped or not.
double QuerySearch::changed_score(State& state, VariableId v, Value value, const Stop& stop,
                                  std::vector<double>& sums) const {
  const Value old = state.values[v];
  double score = state.score + state.scores[value] - state.scores[old];
  sums.clear();
  Assignment& values = state.values;
  try {
    values[v] = value;
    for (const std::uint32_t p : sums_.parts_of(v)) {
      sums.push_back(sums_.log_sum(p, values, stop));
      score += sums.back() - state.sums[p];
    }
  } catch (...) {
    values[v] = old;
    throw;
  }
  values[v] = old;
  return score;
}

void QuerySearch::enqueue(VariableId v) {
  if (!std::exchange(is_open_[v], 1)) open_.push_back(v);
}

void QuerySearch::enqueue_neighbours(VariableId v) {
  for (const VariableId u : sums_.between().markov_blanket(v)) enqueue(u);
  for (const std::uint32_t p : sums_.parts_of(v))
    for (const VariableId u : sums_.query_of(p))
      if (u != v) enqueue(u);
}

void QuerySearch::keep_if_better(const State& state) {
  if (best_.found() && !(state.score > best_.score)) return;
  best_ = {.values = state.values, .score = state.score};
  best_state_ = state;
}

}  // namespace fovea::graph
