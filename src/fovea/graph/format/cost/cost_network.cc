// SPDX-License-Identifier: Apache-2.0
#include "fovea/graph/format/cost/cost_network.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <unordered_map>

#include "fovea/base/error.h"
#include "fovea/base/log_math.h"

namespace fovea::graph {
namespace {

struct Keyword {
  std::string_view text;
  std::size_t parameter_count;
};

/// In the order of ArithmeticCost::Kind.
constexpr std::array kKeywords = {Keyword{">=", 2}, Keyword{">", 2},    Keyword{"<=", 2},   Keyword{"<", 2},
                                  Keyword{"=", 2},  Keyword{"disj", 3}, Keyword{"sdisj", 6}};

std::size_t keyword_index(std::string_view keyword) {
  const auto found =
      std::find_if(kKeywords.begin(), kKeywords.end(), [&](const Keyword& known) { return known.text == keyword; });
  return static_cast<std::size_t>(found - kKeywords.begin());
}

constexpr double kMargin = 1e-9;  // more than the rounding of any sum

/// The sum over factors of the largest possible cost of each, or of `least` if that is more.
double largest_costs(const FactorGraph& graph, double least) {
  double total = 0;
  for (FactorId f = 0; f < graph.factor_count(); ++f) {
    double largest = least;
    for (const double score : graph.table(f))
      if (score > kImpossible) largest = std::max(largest, -score);
    total += largest;
  }
  return total;
}

}  // namespace

double log_score_of_cost(double cost, double bound) {
  return cost >= bound ? -kInfinity : 0.0 - cost;  // 0 - cost is not -0 for a cost of 0
}

std::size_t joint_index(std::span<const std::uint32_t> values, std::span<const std::uint32_t> cardinalities) {
  std::size_t index = 0;
  for (std::size_t i = 0; i < values.size(); ++i) index = index * cardinalities[i] + values[i];
  return index;
}

std::vector<double> SparseTable::expand(std::span<const std::uint32_t> cardinalities, TableLimit& limit,
                                        const InputLocation& location) const {
  const std::size_t size = limit.add(cardinalities, entries_.size(), location);
  std::vector<double> table(size, default_entry_);
  std::vector<bool> is_given(size);
  for (const auto& [index, entry] : entries_) {
    if (is_given[index])
      throw InputError(location, "a cost function gives two costs for the same values", "Give each tuple once");
    is_given[index] = true;
    table[index] = entry;
  }
  return table;
}

std::size_t ArithmeticCost::parameter_count(std::string_view keyword) {
  const std::size_t index = keyword_index(keyword);
  return index < kKeywords.size() ? kKeywords[index].parameter_count : 0;
}

ArithmeticCost::ArithmeticCost(std::string_view keyword, std::span<const double> parameters)
    : kind_(static_cast<Kind>(keyword_index(keyword))), parameters_(parameters.begin(), parameters.end()) {
  FOVEA_CHECK(parameters.size() == parameter_count(keyword));
}

double ArithmeticCost::soft_inequality(double violation) const {
  return violation <= parameters_[1] ? std::max(violation, 0.0) : kInfinity;
}

double ArithmeticCost::special_disjunction(double x, double y) const {
  const double x_end = parameters_[2], y_end = parameters_[3];
  const bool is_disjoint = x >= y + parameters_[1] || y >= x + parameters_[0];
  if (x > x_end || y > y_end || (x < x_end && y < y_end && !is_disjoint)) return kInfinity;
  return (x == x_end ? parameters_[4] : 0) + (y == y_end ? parameters_[5] : 0);
}

double ArithmeticCost::operator()(double x, double y) const {
  const double c = parameters_[0];
  switch (kind_) {
    case Kind::kGreaterEqual:
      return soft_inequality(y + c - x);
    case Kind::kGreater:
      return soft_inequality(y + c + 1 - x);
    case Kind::kLessEqual:
      return soft_inequality(x - c - y);
    case Kind::kLess:
      return soft_inequality(x - c + 1 - y);
    case Kind::kEqual:
      return soft_inequality(std::abs(y + c - x));
    case Kind::kDisjunction:
      return x >= y + parameters_[1] || y >= x + c ? 0 : parameters_[2];
    default:
      return special_disjunction(x, y);
  }
}

std::vector<double> ArithmeticCost::table(std::size_t x_count, std::size_t y_count) const {
  std::vector<double> costs;
  costs.reserve(x_count * y_count);
  for (std::size_t x = 0; x < x_count; ++x)
    for (std::size_t y = 0; y < y_count; ++y) costs.push_back((*this)(static_cast<double>(x), static_cast<double>(y)));
  return costs;
}

double bound_if_reached(const FactorGraph& graph, double bound) {
  const double largest = largest_costs(graph, kImpossible);
  return largest == kImpossible || largest + std::abs(largest) * kMargin < bound ? kInfinity : bound;
}

double upper_bound_of_costs(const FactorGraph& graph) {
  const double bound = std::floor(largest_costs(graph, 0) * (1 + kMargin)) + 1;
  if (!std::isfinite(bound))
    throw InputError({}, "the costs of an assignment add up to more than 1e308", "Divide all scores by a constant");
  return bound;
}

std::vector<FactorId> first_alike(const FactorGraph& graph) {
  std::map<std::pair<TableId, std::vector<std::uint32_t>>, FactorId> first;
  std::vector<FactorId> alike(graph.factor_count());
  for (FactorId f = 0; f < graph.factor_count(); ++f) {
    std::vector<std::uint32_t> cardinalities;
    for (const VariableId v : graph.scope(f)) cardinalities.push_back(graph.cardinalities()[v]);
    alike[f] = first.try_emplace({graph.table_id(f), std::move(cardinalities)}, f).first->second;
  }
  return alike;
}

double most_frequent(std::span<const double> entries) {
  std::unordered_map<double, std::size_t> counts;
  std::size_t best_count = 0;
  for (const double entry : entries) best_count = std::max(best_count, ++counts[entry]);
  for (const double entry : entries)
    if (counts[entry] == best_count) return entry;
  return 0;
}

}  // namespace fovea::graph
