// SPDX-License-Identifier: Apache-2.0
#include "fovea/graph/local_search/annealing.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace fovea::graph {
namespace {

constexpr float kSettled = 9;    // exponents below minus this count as probability 0
constexpr float kSureMove = 60;  // an exponent so large that all other values have probability 0; finite as a float
constexpr std::size_t kWord = 64;
constexpr double kHottest = .5, kColdest = .03;  // times the spread
constexpr double kReheats[] = {1, .7, .5};       // times the hottest: where cycles begin, in turn
constexpr std::uint64_t kFirstSweeps = 64, kCyclesToDouble = 10;
constexpr std::uint64_t kScoresBetweenLooks = 50'000;  // at the clock
constexpr double kPenaltyGrowth = 4;
constexpr double kCoolingShare = .95;  // of the time that is left; the rest is for the descent

/// e^x for |x| <= 87 to within 2e-4 of its value: 2^floor, through the bits of a float, times a cubic.
float approximate_exponential(float x) {
  const float scaled = x * 1.44269504f + 127;
  const auto exponent = static_cast<std::int32_t>(scaled);
  const float rest = scaled - static_cast<float>(exponent);
  const float mantissa = .99992807f + rest * (.69326099f + rest * (.22611998f + rest * .07944154f));
  return std::bit_cast<float>(exponent << 23) * mantissa;
}

}  // namespace

Annealing::Annealing(const FactorGraph& graph, const Random& random, ScoredAssignment start)
    : graph_(&graph), random_(random), best_(std::move(start)), crossover_(graph), weights_(graph.max_cardinality()) {}

void Annealing::offer(const ScoredAssignment& found) {
  if (found.score > best_.score) best_ = found;
}

Work Annealing::run(std::uint64_t transitions, const Stop& stop) {
  Work work;
  if (!rows_ && !prepare(stop)) return work;
  std::uint64_t looked_at = 0;
  while (work.transitions < transitions && !stop.requested()) {
    const double now = temperature();
    for (; next_word_ < unsettled_.size(); ++next_word_) {
      for (std::uint64_t word = unsettled_[next_word_]; word != 0; word &= word - 1)
        visit(static_cast<VariableId>(kWord * next_word_ + std::countr_zero(word)), now, work);
      if (work.factors - looked_at < kScoresBetweenLooks) continue;
      looked_at = work.factors;
      if (work.transitions >= transitions || stop.requested()) return work;
    }
    next_word_ = 0;
    ++work.transitions;  // a sweep is never free, even if everything is settled
    if (++cycle_.done > cycle_.sweeps || now <= kColdest * spread_) end_cycle(stop);
  }
  return work;
}

bool Annealing::prepare(const Stop& stop) {
  if (!soften(default_violation_penalty(*graph_, stop), stop)) return false;
  double sum = 0;
  for (VariableId v = 0; v < graph_->variable_count(); ++v) {
    const auto [least, greatest] = std::ranges::minmax(rows_->row(v));
    sum += greatest - least;
  }
  spread_ = std::max(sum / static_cast<double>(std::max<std::size_t>(graph_->variable_count(), 1)), 1e-9);
  begin_cycle();
  return true;
}

bool Annealing::soften(double penalty, const Stop& stop) {
  std::optional<SoftTables> tables = SoftTables::build(*graph_, penalty, stop);
  if (!tables) return false;
  rows_.reset();
  tables_ = std::move(tables);
  rows_.emplace(*tables_, random_assignment());
  return true;
}

Assignment Annealing::random_assignment() {
  Assignment values(graph_->variable_count());
  for (VariableId v = 0; v < values.size(); ++v)
    values[v] = static_cast<Value>(random_.uniform_index(static_cast<std::uint32_t>(graph_->cardinality(v))));
  return values;
}

void Annealing::begin_cycle() {
  if (best_.found()) rows_->assign(best_.values);
  unsettled_.assign((graph_->variable_count() + kWord - 1) / kWord, ~std::uint64_t{0});
  if (const std::size_t tail = graph_->variable_count() % kWord) unsettled_.back() >>= kWord - tail;
  cycle_ = {.sweeps = kFirstSweeps + kFirstSweeps * cycles_ / kCyclesToDouble,
            .hottest = spread_ * kHottest * (best_.found() ? kReheats[cycles_ % std::size(kReheats)] : 1),
            .begin = Stop::Clock::now()};
  ++cycles_;
}

void Annealing::end_cycle(const Stop& stop) {
  descend_greedily(*rows_, stop);
  Assignment child = best_.found() ? best_.values : rows_->values();
  crossover_.improve(child, rows_->values());
  const double score = graph_->log_score(child);
  if (score > best_.score) best_ = {std::move(child), score};
  if (!best_.found() && !soften(tables_->penalty() * kPenaltyGrowth, stop)) return;
  begin_cycle();
}

double Annealing::temperature() const {
  double progress = static_cast<double>(cycle_.done) / static_cast<double>(cycle_.sweeps);
  if (deadline_ != Stop::Clock::time_point::max()) {
    const auto seconds = [](auto duration) { return std::chrono::duration<double>(duration).count(); };
    progress = std::max(
        progress, seconds(Stop::Clock::now() - cycle_.begin) / (kCoolingShare * seconds(deadline_ - cycle_.begin)));
  }
  return cycle_.hottest * std::pow(kColdest * spread_ / cycle_.hottest, std::clamp(progress, 0.0, 1.0));
}

void Annealing::visit(VariableId v, double temperature, Work& work) {
  const std::span<const double> row = rows_->row(v);
  const Value before = rows_->values()[v];
  const auto cold = static_cast<float>(1 / temperature);
  work.factors += row.size();
  // Probabilities relative to that of staying.
  float moving = 0;
  for (std::size_t k = 0; k < row.size(); ++k) {
    const float exponent = static_cast<float>(row[k] - row[before]) * cold;
    weights_[k] = exponent < -kSettled ? 0 : approximate_exponential(std::min(exponent, kSureMove));
    moving += k == before ? 0 : weights_[k];
  }
  if (moving == 0) return settle(v);
  ++work.transitions;
  const Value value = draw(row.size(), before, moving);
  if (value == before) return;
  work.factors += rows_->assign(v, value);
  unsettle_neighbours(v);
}

Value Annealing::draw(std::size_t cardinality, Value before, float moving) {
  if (cardinality == 2) return random_.bernoulli(moving) ? static_cast<Value>(1 - before) : before;
  return static_cast<Value>(random_.categorical(std::span<const float>(weights_.data(), cardinality)));
}

}  // namespace fovea::graph
