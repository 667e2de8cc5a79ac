// SPDX-License-Identifier: Apache-2.0
#include "fovea/ep/density/sum_out.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>
#include <utility>

#include "fovea/base/indexed_heap.h"
#include "fovea/base/log_math.h"

namespace fovea::ep {
namespace {

/// Turns log weights into probabilities. Returns the log of their sum.
double normalise(std::span<double> weights) {
  const double high = std::ranges::max(weights);
  if (high == -kInfinity) {
    std::ranges::fill(weights, 0.);
    return high;
  }
  double sum = 0;
  for (double& weight : weights) sum += weight = std::exp(weight - high);
  for (double& weight : weights) weight /= sum;
  return high + std::log(sum);
}

}  // namespace

SumOut::SumOut(std::vector<std::uint32_t> states, std::span<const CategoryTable> tables) : states_(std::move(states)) {
  std::vector<Table> scopes;
  for (const CategoryTable& table : tables) {
    Table& scope = scopes.emplace_back(Table{table.input, table.first, {}, {}});
    std::size_t stride = 1;
    for (std::size_t i = table.categories.size(); i-- > 0; stride *= states_[table.categories[i]]) {
      const auto known = std::ranges::find(scope.categories, table.categories[i]);
      const auto place = static_cast<std::size_t>(known - scope.categories.begin());
      if (known == scope.categories.end()) {
        scope.categories.push_back(table.categories[i]);
        scope.strides.push_back(0);
      }
      scope.strides[place] += stride;
    }
  }
  plan(std::move(scopes));
}

void SumOut::plan(std::vector<Table> tables) {
  const std::size_t count = states_.size();
  std::vector<std::set<std::uint32_t>> neighbours(count);
  std::vector<std::vector<std::uint32_t>> tables_of(count);
  std::vector<double> log_sizes(count);  // of the table that eliminates a category
  for (std::uint32_t c = 0; c < count; ++c) log_sizes[c] = std::log(states_[c]);
  const auto join = [&](std::uint32_t a, std::uint32_t b) {
    if (a != b && neighbours[a].insert(b).second) log_sizes[a] += std::log(states_[b]);
  };
  for (std::uint32_t t = 0; t < tables.size(); ++t)
    for (const std::uint32_t a : tables[t].categories) {
      tables_of[a].push_back(t);
      for (const std::uint32_t b : tables[t].categories) join(a, b);
    }
  std::vector<float> priorities(count);
  for (std::size_t c = 0; c < count; ++c) priorities[c] = static_cast<float>(-log_sizes[c]);
  IndexedHeap order(priorities);
  std::vector<bool> is_used(tables.size());
  while (!order.empty()) {
    const std::uint32_t category = order.pop();
    const std::vector<std::uint32_t> others(neighbours[category].begin(), neighbours[category].end());
    std::vector<const Table*> product;
    for (const std::uint32_t t : tables_of[category])
      if (!is_used[t]) {
        is_used[t] = true;
        product.push_back(&tables[t]);
      }
    if (!add_step(category, others, product)) return;
    Table rest = {.input = kOwn, .first = steps_.back().sums, .categories = others, .strides = {}};
    std::size_t stride = steps_.back().groups;
    for (const std::uint32_t other : others) rest.strides.push_back(stride /= states_[other]);
    for (const std::uint32_t a : others) {
      neighbours[a].erase(category);
      log_sizes[a] -= std::log(states_[category]);
      for (const std::uint32_t b : others) join(a, b);
      tables_of[a].push_back(static_cast<std::uint32_t>(tables.size()));
      order.update(a, static_cast<float>(-log_sizes[a]));
    }
    tables.push_back(std::move(rest));
    is_used.push_back(false);
  }
}

bool SumOut::add_step(std::uint32_t category, const std::vector<std::uint32_t>& others,
                      std::span<const Table* const> tables) {
  Step step = {.category = category, .is_end = others.empty()};
  std::vector<std::uint32_t> scope = others;
  scope.push_back(category);
  for (const std::uint32_t other : others) {
    step.groups *= states_[other];
    if (step.groups > kMostNumbers) break;
  }
  const std::size_t size = step.groups * states_[category];
  step.table = result_count_;
  step.sums = result_count_ + size;
  result_count_ += size + step.groups;
  is_possible_ = result_count_ <= kMostNumbers;
  if (!is_possible_) return false;
  for (const Table* table : tables) step.sources.push_back(source_of(*table, scope, size));
  steps_.push_back(std::move(step));
  return true;
}

SumOut::Source SumOut::source_of(const Table& table, const std::vector<std::uint32_t>& scope, std::size_t size) const {
  std::vector<std::size_t> strides(scope.size());
  for (std::size_t i = 0; i < table.categories.size(); ++i)
    strides[static_cast<std::size_t>(std::ranges::find(scope, table.categories[i]) - scope.begin())] = table.strides[i];
  Source source = {.input = table.input, .places = {}};
  source.places.reserve(size);
  std::vector<std::uint32_t> at(scope.size());
  std::size_t place = table.first;
  for (std::size_t i = 0; i < size; ++i) {
    source.places.push_back(static_cast<std::uint32_t>(place));
    for (std::size_t d = scope.size(); d-- > 0;) {  // the next entry; the last category changes fastest
      place += strides[d];
      if (++at[d] < states_[scope[d]]) break;
      place -= strides[d] * states_[scope[d]];
      at[d] = 0;
    }
  }
  return source;
}

void SumOut::evaluate(std::span<const std::span<const double>> inputs, std::span<double> results) const {
  results[0] = 0;
  for (const Step& step : steps_) {
    const std::size_t states = states_[step.category];
    const std::span<double> table = results.subspan(step.table, step.groups * states);
    std::ranges::fill(table, 0.);
    for (const Source& source : step.sources) {
      const std::span<const double> numbers = source.input == kOwn ? results : inputs[source.input];
      for (std::size_t i = 0; i < table.size(); ++i) table[i] += numbers[source.places[i]];
    }
    for (std::size_t g = 0; g < step.groups; ++g) results[step.sums + g] = normalise(table.subspan(g * states, states));
    if (step.is_end) results[0] += results[step.sums];
  }
}

/// Calls to(step, place in its table, slope) with the slopes by the log weights of all tables, from the last step on.
/// A step's table holds the probabilities of its category given the others, which are the slopes of its sums.
void SumOut::pass_back(std::span<const double> results, double slope, const auto& to) const {
  std::vector<double> own(results.size());
  for (auto step = steps_.rbegin(); step != steps_.rend(); ++step) {
    const std::size_t states = states_[step->category];
    for (std::size_t g = 0; g < step->groups; ++g) {
      const double of_sum = step->is_end ? slope : own[step->sums + g];
      for (std::size_t i = g * states; i < (g + 1) * states; ++i) {
        const double of_weight = of_sum * results[step->table + i];
        for (const Source& source : step->sources)
          if (source.input == kOwn) own[source.places[i]] += of_weight;
        to(*step, i, of_weight);
      }
    }
  }
}

void SumOut::add_slopes(std::span<const std::span<const double>>, std::span<const double> results,
                        std::span<const double> slopes, std::span<const std::span<double>> slopes_of) const {
  pass_back(results, slopes[0], [&](const Step& step, std::size_t i, double slope) {
    for (const Source& source : step.sources)
      if (source.input != kOwn && !slopes_of[source.input].empty()) slopes_of[source.input][source.places[i]] += slope;
  });
}

std::vector<double> SumOut::marginals(std::span<const double> results) const {
  std::vector<std::size_t> first(states_.size());
  std::exclusive_scan(states_.begin(), states_.end(), first.begin(), std::size_t{0});
  std::vector<double> probabilities(states_.empty() ? 0 : first.back() + states_.back());
  pass_back(results, 1, [&](const Step& step, std::size_t i, double slope) {
    probabilities[first[step.category] + i % states_[step.category]] += slope;
  });
  return probabilities;
}

}  // namespace fovea::ep
