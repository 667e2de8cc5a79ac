// SPDX-License-Identifier: Apache-2.0
#include "fovea/graph/propagation/belief_propagation.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "fovea/base/error.h"
#include "fovea/base/log_math.h"

namespace fovea::graph {
namespace {

constexpr std::size_t kEntriesPerExponential = 8;  // table entries read in the time of one exp()
constexpr int kSweepsPerRound = 2;                 // over undecided variables, while decoding

Marginal marginal_of(const BeliefPropagationOptions& options) {
  validate(options);
  return options.product == MessageProduct::kMax ? Marginal::kMax : Marginal::kSum;
}

double largest_change(std::span<const double> a, std::span<const double> b) {
  double change = 0;
  for (std::size_t k = 0; k < a.size(); ++k) change = std::max(change, std::abs(std::exp(a[k]) - std::exp(b[k])));
  return change;
}

}  // namespace

BeliefPropagation::BeliefPropagation(const FactorGraph& graph, const BeliefPropagationOptions& options)
    : graph_(graph),
      options_(options),
      layout_(graph),
      sums_(graph, marginal_of(options)),
      messages_(layout_.size(), 0.0),
      pending_(options.schedule == MessageSchedule::kSequential ? 0 : layout_.size(), 0.0),
      beliefs_(graph, layout_),
      computed_(graph.max_cardinality()),
      vector_values_(graph.max_arity() * graph.max_cardinality()) {}

std::size_t BeliefPropagation::predicted_bytes(const FactorGraph& graph, const BeliefPropagationOptions& options) {
  std::size_t slots = 0, message_values = 0, values = 0;
  for (VariableId v = 0; v < graph.variable_count(); ++v) {
    slots += graph.incidences(v).size();
    message_values += graph.cardinality(v) * graph.incidences(v).size();
    values += graph.cardinality(v);
  }
  const std::size_t copies = options.schedule == MessageSchedule::kSequential ? 1 : 2;
  const std::size_t per_slot =
      sizeof(std::size_t) + (options.schedule == MessageSchedule::kResidual ? sizeof(Edge) + 16 : 0);
  return sizeof(double) * (copies * message_values + 3 * values) + slots * per_slot +
         FactorSums::predicted_bytes(graph, marginal_of(options));
}

std::span<double> BeliefPropagation::message(FactorId f, std::size_t position, std::vector<double>& messages) const {
  return {messages.data() + layout_.begin(f, position), graph_.cardinality(graph_.scope(f)[position])};
}

void BeliefPropagation::restart(double inverse_temperature, std::span<const Favour> favours) {
  FOVEA_CHECK(options_.product == MessageProduct::kSum);
  sums_.set_inverse_temperature(inverse_temperature);
  std::ranges::fill(messages_, 0.0);
  beliefs_ = VariableBeliefs(graph_, layout_, inverse_temperature);
  for (const Favour& favour : favours) beliefs_.favour(favour.variable, favour.value, favour.score);
  residuals_.reset();
  iterations_ = 0;
  change_ = std::numeric_limits<double>::infinity();
  is_infeasible_ = false;
}

Work BeliefPropagation::run(std::uint64_t iterations, const Stop& stop) {
  work_ = {};
  for (std::uint64_t i = 0; i < iterations && !is_converged() && !is_infeasible_; ++i)
    if (stop.requested() || !iterate(stop)) break;
  return work_;
}

bool BeliefPropagation::iterate(const Stop& stop) {
  const bool is_finished = options_.schedule == MessageSchedule::kSequential ? run_sequential(stop)
                           : options_.schedule == MessageSchedule::kParallel ? run_parallel(stop)
                                                                             : run_residual(stop);
  if (is_finished) ++iterations_;
  return is_finished;
}

bool BeliefPropagation::run_sequential(const Stop& stop) {
  double change = 0;
  const std::size_t n = graph_.variable_count();
  for (std::size_t i = 0; i < n; ++i) {
    const auto v = static_cast<VariableId>(iterations_ % 2 == 0 ? i : n - 1 - i);
    for (const auto& [factor, position] : graph_.incidences(v)) {
      if (arity(factor) == 1) continue;
      const std::span<double> old = message(factor, position, messages_), computed(computed_.data(), old.size());
      if (!compute(factor, position, computed, stop)) return false;
      change = std::max(change, largest_change(old, computed));
      std::ranges::copy(computed, old.begin());
    }
    if (!beliefs_.refresh(v, messages_)) is_infeasible_ = true;
  }
  change_ = change;
  return true;
}

bool BeliefPropagation::run_parallel(const Stop& stop) {
  double change = 0;
  for (FactorId f = 0; f < graph_.factor_count(); ++f)
    for (std::uint32_t i = 0; i < arity(f) && arity(f) > 1; ++i) {
      const std::span<double> computed = message(f, i, pending_);
      if (!compute(f, i, computed, stop)) return false;
      change = std::max(change, largest_change(message(f, i, messages_), computed));
    }
  messages_.swap(pending_);
  for (VariableId v = 0; v < graph_.variable_count(); ++v)
    if (!beliefs_.refresh(v, messages_)) is_infeasible_ = true;
  change_ = change;
  return true;
}

bool BeliefPropagation::run_residual(const Stop& stop) {
  if (!residuals_ && !start_residual(stop)) return false;
  for (std::size_t i = 0; i < layout_.slot_count() && !residuals_->empty(); ++i) {
    const std::uint32_t slot = residuals_->top();
    if (residuals_->top_priority() <= static_cast<float>(options_.tolerance) || is_infeasible_) break;
    const auto [factor, position] = slot_edges_[slot];
    const VariableId v = graph_.scope(factor)[position];
    std::ranges::copy(message(factor, position, pending_), message(factor, position, messages_).begin());
    if (!beliefs_.refresh(v, messages_)) is_infeasible_ = true;
    if (!refresh_residual(factor, position, stop) || !refresh_residuals(v, factor, stop)) {
      residuals_.reset();  // some messages were not recomputed: all will be
      return false;
    }
  }
  change_ = residuals_->empty() ? 0 : double{residuals_->top_priority()};
  return true;
}

bool BeliefPropagation::start_residual(const Stop& stop) {
  slot_edges_.assign(layout_.slot_count(), {});
  residuals_.emplace(layout_.slot_count());
  for (FactorId f = 0; f < graph_.factor_count(); ++f)
    for (std::uint32_t i = 0; i < arity(f) && arity(f) > 1; ++i) {
      slot_edges_[layout_.slot(f, i)] = {f, i};
      residuals_->push(static_cast<IndexedHeap::Id>(layout_.slot(f, i)), 0);
      if (refresh_residual(f, i, stop)) continue;
      residuals_.reset();
      return false;
    }
  return true;
}

bool BeliefPropagation::refresh_residuals(VariableId v, FactorId except, const Stop& stop) {
  for (const auto& [factor, position] : graph_.incidences(v)) {
    if (factor == except) continue;
    for (std::uint32_t j = 0; j < arity(factor); ++j)
      if (j != position && !refresh_residual(factor, j, stop)) return false;
  }
  return true;
}

bool BeliefPropagation::refresh_residual(FactorId f, std::uint32_t position, const Stop& stop) {
  const std::span<double> computed = message(f, position, pending_);
  if (!compute(f, position, computed, stop)) return false;
  const double change = largest_change(message(f, position, messages_), computed);
  residuals_->update(static_cast<IndexedHeap::Id>(layout_.slot(f, position)), static_cast<float>(change));
  return true;
}

// vectors_[j] = n_uf, log domain, shifted to a maximum of 0, for the variable u at each position j of f except one.
// Returns the sum of the shifts, -inf if a variable has no value left.
double BeliefPropagation::take_vectors(FactorId f, std::size_t except) {
  vectors_.clear();
  double shifts = 0;
  double* next = vector_values_.data();
  for (std::size_t j = 0; j < arity(f); ++j, next += graph_.max_cardinality()) {
    vectors_.push_back(next);
    if (j != except) shifts += beliefs_.divide_out(graph_.scope(f)[j], messages_.data() + layout_.begin(f, j), next);
  }
  return shifts;
}

bool BeliefPropagation::compute(FactorId f, std::uint32_t position, std::span<double> out, const Stop& stop) {
  if (!compute_undamped(f, position, out, stop)) return false;
  damp(message(f, position, messages_), out);
  return true;
}

bool BeliefPropagation::compute_undamped(FactorId f, std::uint32_t position, std::span<double> out, const Stop& stop) {
  ++work_.factors;
  if (take_vectors(f, position) > kImpossible) {
    if (!sums_.sum(f, vectors_, position, out.data(), stop)) return false;
    const double highest = *std::ranges::max_element(out);
    if (highest > kImpossible)
      for (double& score : out) score -= highest;
  } else {
    std::ranges::fill(out, kImpossible);
  }
  const std::size_t exponentials = arity(f) * graph_.max_cardinality();
  return !meter_.is_late(graph_.table(f).size() + kEntriesPerExponential * exponentials, stop);
}

void BeliefPropagation::damp(std::span<const double> old, std::span<double> computed) const {
  if (options_.damping == 0) return;
  for (std::size_t k = 0; k < old.size(); ++k)
    if (old[k] > kImpossible && computed[k] > kImpossible)
      computed[k] = options_.damping * old[k] + (1 - options_.damping) * computed[k];
}

void BeliefPropagation::belief(VariableId v, std::span<double> belief) const {
  beliefs_.log_belief(v, belief.data());
  const double sum = sums_.sum(belief.data(), belief.size());
  for (double& b : belief) b = sum == kImpossible ? 0 : std::exp(b - sum);
}

std::optional<double> BeliefPropagation::log_partition(const Stop& stop) {
  double total = constant_score(graph_);
  for (VariableId v = 0; v < graph_.variable_count(); ++v) {
    std::size_t degree = 0;
    for (const auto& [factor, position] : graph_.incidences(v)) degree += arity(factor) > 1;
    beliefs_.log_belief(v, computed_.data());
    const double sum = sums_.sum(computed_.data(), graph_.cardinality(v));
    if (sum == kImpossible) return kImpossible;
    total += (1 - static_cast<double>(degree)) * sum;
    if (meter_.is_late(kEntriesPerExponential * graph_.cardinality(v), stop)) return {};
  }
  for (FactorId f = 0; f < graph_.factor_count(); ++f) {
    if (arity(f) < 2) continue;
    const double shifts = take_vectors(f, arity(f));
    if (shifts == kImpossible) return kImpossible;
    total += shifts;
    if (!sums_.sum(f, vectors_, 0, computed_.data(), stop) || meter_.is_late(graph_.table(f).size(), stop)) return {};
    for (std::size_t k = 0; k < graph_.cardinality(graph_.scope(f)[0]); ++k) computed_[k] += vectors_[0][k];
    total += sums_.sum(computed_.data(), graph_.cardinality(graph_.scope(f)[0]));
  }
  return total;
}

ScoredAssignment BeliefPropagation::decode(const Stop& stop) {
  const std::vector<double> kept_messages = messages_;
  const VariableBeliefs kept_beliefs = beliefs_;
  Assignment y(graph_.variable_count(), 0);
  const bool is_finished = decide_all(y, stop);
  messages_ = kept_messages;
  beliefs_ = kept_beliefs;
  const double score = is_finished ? score_until(graph_, y, stop) : kImpossible;
  if (score == kImpossible) return {};
  return {std::move(y), score};
}

bool BeliefPropagation::decide_all(Assignment& y, const Stop& stop) {
  const std::size_t n = graph_.variable_count(), rounds = static_cast<std::size_t>(options_.decode_rounds);
  const std::size_t per_round = rounds == 0 ? n + 1 : (n + rounds - 1) / rounds;
  IndexedHeap open(n);
  for (VariableId v = 0; v < n; ++v) {
    open.push(v, confidence(v));
    if (meter_.is_late(kEntriesPerExponential * graph_.cardinality(v), stop)) return false;
  }
  for (std::size_t decided = 1; !open.empty(); ++decided) {
    const VariableId v = open.pop();
    beliefs_.log_belief(v, computed_.data());
    y[v] = static_cast<Value>(std::max_element(computed_.data(), computed_.data() + graph_.cardinality(v)) -
                              computed_.data());
    beliefs_.decide(v, y[v]);
    if (!tell_neighbours(v, open, stop)) return false;
    if (decided % per_round > 0) continue;
    for (int sweep = 0; sweep < kSweepsPerRound; ++sweep)
      if (!sweep_open(open, stop)) return false;
  }
  return true;
}

bool BeliefPropagation::tell_neighbours(VariableId v, IndexedHeap& open, const Stop& stop) {
  for (const FactorGraph::Incidence& incidence : graph_.incidences(v)) {
    const std::span<const VariableId> scope = graph_.scope(incidence.factor);
    for (std::uint32_t j = 0; j < scope.size(); ++j) {
      if (!open.contains(scope[j])) continue;
      if (!compute_undamped(incidence.factor, j, message(incidence.factor, j, messages_), stop)) return false;
      beliefs_.refresh(scope[j], messages_);
      open.update(scope[j], confidence(scope[j]));
    }
  }
  return true;
}

bool BeliefPropagation::sweep_open(IndexedHeap& open, const Stop& stop) {
  for (VariableId v = 0; v < graph_.variable_count(); ++v) {
    if (!open.contains(v)) continue;
    for (const auto& [factor, position] : graph_.incidences(v))
      if (arity(factor) > 1 && !compute_undamped(factor, position, message(factor, position, messages_), stop))
        return false;
    beliefs_.refresh(v, messages_);
    open.update(v, confidence(v));
  }
  return true;
}

// Lead of a variable's best value: minus the total belief in the others (max product: minus the second best).
float BeliefPropagation::confidence(VariableId v) {
  const std::span<double> own(computed_.data(), graph_.cardinality(v));
  if (own.size() < 2) return 0;
  belief(v, own);
  const auto best = std::ranges::max_element(own);
  std::iter_swap(best, own.begin());
  const std::span<const double> others = own.subspan(1);
  return -static_cast<float>(options_.product == MessageProduct::kMax
                                 ? *std::ranges::max_element(others)
                                 : std::accumulate(others.begin(), others.end(), 0.0));
}

}  // namespace fovea::graph
