// SPDX-License-Identifier: Apache-2.0
#include "fovea/graph/draw/bounding_chain.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "fovea/base/error.h"
#include "fovea/graph/model/graph_colouring.h"

namespace fovea::graph {
namespace {

constexpr std::uint32_t kUnknownRows = ~std::uint32_t{0};
constexpr double kOneSided95 = 1.645;
/// The clock is looked at after this number of sweeps.
constexpr std::uint64_t kSweepsPerLook = 16;

bool is_one(std::uint64_t set) { return (set & (set - 1)) == 0; }

}  // namespace

BoundingChain::BoundingChain(const FactorGraph& graph)
    : graph_(&graph), order_(colour_graph(graph).order), known_(graph.table_count()) {
  if (graph.max_cardinality() > kMostValues)
    throw UsageError(
        fmt::format("chains from all assignments are coupled for variables of at most {} values; this "
                    "model has one of {}",
                    kMostValues, graph.max_cardinality()));
  look_begin_.push_back(0);
  for (VariableId v = 0; v < graph.variable_count(); ++v) {
    for (const FactorGraph::Incidence& place : graph.incidences(v)) {
      Look look = {.rows = rows_for(place.factor, place.position),
                   .first_other = static_cast<std::uint32_t>(others_.size()),
                   .other_count = static_cast<std::uint32_t>(graph.scope(place.factor).size() - 1)};
      std::uint32_t stride = 1;  // rows are in the order of the others, the last fastest
      for (std::size_t i = graph.scope(place.factor).size(); i-- > 0;) {
        if (i == place.position) continue;
        const VariableId other = graph.scope(place.factor)[i];
        others_.push_back({.variable = other, .stride = stride});
        stride *= static_cast<std::uint32_t>(graph.cardinality(other));
      }
      looks_.push_back(look);
    }
    look_begin_.push_back(looks_.size());
  }
  for (std::vector<double>* of : {&lowest_, &highest_, &total_low_, &total_high_}) of->resize(graph.max_cardinality());
  for (std::vector<double>* of : {&rest_low_, &rest_high_}) of->resize(graph.max_cardinality() + 1);
  digits_.resize(graph.max_arity());
  reset();
}

/// The factor's table by rows of one variable's values, each relative to its best entry.
std::uint32_t BoundingChain::rows_for(FactorId f, std::uint32_t position) {
  std::vector<std::uint32_t>& known = known_[graph_->table_id(f)];
  known.resize(std::max<std::size_t>(known.size(), position + 1), kUnknownRows);
  if (known[position] != kUnknownRows) return known[position];
  const std::span<const double> table = graph_->table(f);
  const std::span<const VariableId> scope = graph_->scope(f);
  const std::size_t values = graph_->cardinality(scope[position]), stride = graph_->strides(f)[position];
  std::vector<double> rows;
  rows.reserve(table.size());
  std::vector<std::size_t> digits(scope.size());
  for (std::size_t row = 0; row < table.size() / values; ++row) {
    std::size_t entry = 0;
    for (std::size_t i = 0; i < scope.size(); ++i) entry += digits[i] * graph_->strides(f)[i];
    double best = -std::numeric_limits<double>::infinity();
    for (std::size_t k = 0; k < values; ++k) best = std::max(best, table[entry + k * stride]);
    for (std::size_t k = 0; k < values; ++k)
      rows.push_back(std::isfinite(best) ? table[entry + k * stride] - best : best);
    for (std::size_t i = scope.size(); i-- > 0;) {
      if (i == position) continue;
      if (++digits[i] < graph_->cardinality(scope[i])) break;
      digits[i] = 0;
    }
  }
  known[position] = static_cast<std::uint32_t>(tables_.size());
  tables_.push_back(std::move(rows));
  return known[position];
}

void BoundingChain::reset() {
  sets_.resize(graph_->variable_count());
  open_ = 0;
  for (VariableId v = 0; v < sets_.size(); ++v) {
    const std::size_t values = graph_->cardinality(v);
    sets_[v] = values == kMostValues ? ~std::uint64_t{0} : (std::uint64_t{1} << values) - 1;
    if (values > 1) ++open_;
  }
}

void BoundingChain::start(const Assignment& values) {
  for (VariableId v = 0; v < sets_.size(); ++v) sets_[v] = std::uint64_t{1} << values[v];
  open_ = 0;
}

void BoundingChain::sweep(Random& random) {
  for (const VariableId v : order_) {
    const double u = random.threshold(1.0);
    bound(v);
    const std::size_t values = graph_->cardinality(v);
    // Value k is drawn if F(k - 1) <= u < F(k). F(k) is least where the first k + 1 weights are least, the rest
    // largest.
    rest_low_[values] = rest_high_[values] = 0;  // of the values from k on
    for (std::size_t k = values; k-- > 0;) {
      rest_low_[k] = rest_low_[k + 1] + (total_low_[k] = std::exp(total_low_[k]));
      rest_high_[k] = rest_high_[k + 1] + (total_high_[k] = std::exp(total_high_[k]));
    }
    std::uint64_t set = 0;
    double first_low = 0, first_high = 0;  // of the values before
    for (std::size_t k = 0; k < values; ++k) {
      const bool may_be_above = u * (first_low + rest_high_[k]) >= first_low;  // F(k - 1) <= u for some chain
      first_low += total_low_[k];
      first_high += total_high_[k];
      const bool may_be_below = u * (first_high + rest_low_[k + 1]) < first_high;  // u < F(k) for some chain
      if (may_be_above && may_be_below && total_high_[k] > 0) set |= std::uint64_t{1} << k;
    }
    if (set == 0) set = sets_[v];  // the others leave no value: a Gibbs step keeps its own
    if (!is_one(sets_[v])) --open_;
    sets_[v] = set;
    if (!is_one(set)) ++open_;
  }
}

/// Sums of the least and largest score of each value, over the values that the neighbours may have.
void BoundingChain::bound(VariableId v) {
  const std::size_t values = graph_->cardinality(v);
  std::fill_n(total_low_.begin(), values, 0.0);
  std::fill_n(total_high_.begin(), values, 0.0);
  for (std::size_t i = look_begin_[v]; i < look_begin_[v + 1]; ++i) add_bounds(looks_[i], values);
}

void BoundingChain::add_bounds(const Look& look, std::size_t values) {
  const double* const rows = tables_[look.rows].data();
  std::fill_n(lowest_.begin(), values, std::numeric_limits<double>::infinity());
  std::fill_n(highest_.begin(), values, -std::numeric_limits<double>::infinity());
  const std::span others = std::span(others_).subspan(look.first_other, look.other_count);
  if (others.empty()) add_row(rows, values);
  else if (others.size() == 1) {
    for (std::uint64_t left = sets_[others[0].variable]; left != 0; left &= left - 1)
      add_row(rows + static_cast<std::size_t>(std::countr_zero(left)) * values, values);
  } else {  // every joint value of the sets
    std::size_t row = 0;
    for (std::size_t i = 0; i < others.size(); ++i) {
      digits_[i] = static_cast<std::size_t>(std::countr_zero(sets_[others[i].variable]));
      row += digits_[i] * others[i].stride;
    }
    for (bool goes_on = true; goes_on;) {
      add_row(rows + row * values, values);
      goes_on = false;
      for (std::size_t i = 0; i < others.size() && !goes_on; ++i) {
        const std::uint64_t set = sets_[others[i].variable];
        const std::uint64_t above = digits_[i] + 1 < kMostValues ? set >> (digits_[i] + 1) << (digits_[i] + 1) : 0;
        goes_on = above != 0;
        const auto next = static_cast<std::size_t>(std::countr_zero(goes_on ? above : set));
        row += (next - digits_[i]) * others[i].stride;  // modulo 2^64
        digits_[i] = next;
      }
    }
  }
  for (std::size_t k = 0; k < values; ++k) {
    if (lowest_[k] > highest_[k]) continue;  // no joint value of the neighbours is possible
    total_low_[k] += lowest_[k];
    total_high_[k] += highest_[k];
  }
}

void BoundingChain::add_row(const double* row, std::size_t values) {
  if (row[0] == -std::numeric_limits<double>::infinity() &&
      std::all_of(row, row + values, [](double x) { return x == -std::numeric_limits<double>::infinity(); }))
    return;  // no chain is there
  for (std::size_t k = 0; k < values; ++k) {
    lowest_[k] = std::min(lowest_[k], row[k]);
    highest_[k] = std::max(highest_[k], row[k]);
  }
}

Assignment BoundingChain::values() const {
  Assignment values(sets_.size());
  for (VariableId v = 0; v < values.size(); ++v) values[v] = static_cast<Value>(std::countr_zero(sets_[v]));
  return values;
}

std::optional<Assignment> draw_from_the_past(BoundingChain& chain, const Random& random, std::uint64_t most,
                                             const Stop& stop, std::uint64_t& sweeps) {
  for (std::uint64_t start = 1; start <= most; start *= 2) {
    chain.reset();
    for (std::uint64_t time = start; time > 0; --time) {
      if (time % kSweepsPerLook == 0 && stop.requested()) return std::nullopt;
      Random numbers = random.child("time", time);
      chain.sweep(numbers);
      ++sweeps;
    }
    if (chain.is_single()) return chain.values();
  }
  return std::nullopt;
}

std::optional<std::uint64_t> meeting_time(BoundingChain& chain, Random random, std::uint64_t most, const Stop& stop) {
  chain.reset();
  for (std::uint64_t time = 1; time <= most; ++time) {
    if (time % kSweepsPerLook == 0 && stop.requested()) return std::nullopt;
    chain.sweep(random);
    if (chain.is_single()) return time;
  }
  return std::nullopt;
}

double distance_with_restarts(std::span<const double> meeting_times, double epsilon) {
  if (meeting_times.empty()) return 1;
  double sum = 0, squares = 0;
  for (const double time : meeting_times) {
    const double distance = std::isfinite(time) ? -std::expm1(time * std::log1p(-epsilon)) : 1;
    sum += distance;
    squares += distance * distance;
  }
  const auto count = static_cast<double>(meeting_times.size());
  const double mean = sum / count, variance = std::max(0.0, squares / count - mean * mean);
  const double error = count > 1 ? std::sqrt(variance / (count - 1)) : 1;
  return std::min(1.0, mean + kOneSided95 * error);
}

}  // namespace fovea::graph
