// SPDX-License-Identifier: Apache-2.0
#include "fovea/graph/format/cost/global_cost.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "fovea/base/error.h"
#include "fovea/base/log_math.h"

namespace fovea::graph {
namespace {

using Values = std::span<const std::uint32_t>;
using Cardinalities = std::span<const std::uint32_t>;
using Field = GlobalField;
using enum GlobalField::Kind;

const Field kMetric = {"metric", kWord}, kCostField = {"cost", kCost}, kBounds = {"bounds", kRows, "vnn"},
            kValuesField = {"values", kRows, "v"}, kMin = {"min", kInteger}, kMax = {"max", kInteger},
            kComparator = {"comparator", kWord}, kTo = {"to", kInteger};
const std::vector<Field> kAutomaton = {kMetric,
                                       kCostField,
                                       {"nb_states", kMayBeMissing},
                                       {"starts", kRows, "n"},
                                       {"ends", kRows, "n"},
                                       {"transitions", kRows, "nvn"}};
const std::vector<Field> kCounted = {kMetric, kCostField, kBounds},
                         kAmong = {kMetric, kCostField, kMin, kMax, kValuesField};
const std::vector<Field> kDifferent = {kMetric, kCostField},
                         kLargest = {{"defaultcost", kCost}, {"tuples", kRows, "xvc"}};
const std::vector<Field> kDiverse = {{"distance", kInteger}, {"values", kScopeRows, "v"}};

const std::map<std::string_view, std::vector<Field>> kGlobalKeywords = {
    {"clique", {{"rhs", kInteger}, {"values", kScopeSets, "v"}}},
    {"knapsack", {{"capacity", kInteger}, {"weights", kScopeRows, "n"}}},
    {"knapsackv", {{"capacity", kInteger}, {"weightedvalues", kRows, "xvn"}}},
    {"knapsackp", {{"capacity", kInteger}, {"weightedvalues", kScopeSets, "vn"}}},
    {"salldiff", kDifferent},
    {"salldiffdp", kDifferent},
    {"salldiffkp", kDifferent},
    {"walldiff", kDifferent},
    {"walldifferent", kDifferent},
    {"sgcc", kCounted},  // 'wdec' has two more columns
    {"sgccdp", kCounted},
    {"sgcckp", kCounted},
    {"wgcc", kCounted},
    {"ssame", {kCostField, {"vars1", kRows, "x"}, {"vars2", kRows, "x"}}},
    {"wsame", kDifferent},
    {"wsamegcc", kCounted},
    {"samong", kAmong},
    {"samongdp", kAmong},
    {"wamong", {kMetric, kCostField, kValuesField, kMin, kMax}},
    {"wvaramong", {kMetric, kCostField, kValuesField}},
    {"wsum", {kMetric, kCostField, kComparator, kTo}},
    {"wvarsum", {kMetric, kCostField, kComparator}},
    {"woverlap", {kMetric, kCostField, kComparator, kTo}},
    {"max", kLargest},
    {"smaxdp", kLargest},
    {"MST", {}},
    {"smstdp", {}},
    {"wdiverse", kDiverse},
    {"whdiverse", kDiverse},
    {"wtdiverse", kDiverse},
    {"sregular", kAutomaton},
    {"sregulardp", kAutomaton},
    {"wregular",
     {{"nb_states", kMayBeMissing}, {"starts", kRows, "nc"}, {"ends", kRows, "nc"}, {"transitions", kRows, "nvnc"}}},
    {"sgrammar", {kMetric, kCostField, {"nb_symbols", kInteger}, {"nb_values", kInteger}, {"start", kInteger}}},
    {"sgrammardp", {kMetric, kCostField, {"nb_symbols", kInteger}, {"nb_values", kInteger}, {"start", kInteger}}},
};

/// Cost of being off by `gap`.
class Penalty {
 public:
  explicit Penalty(const GlobalParameters& parameters)
      : cost_(parameters.number("cost")),
        is_hard_(parameters.word("metric") == "hard"),
        is_square_(parameters.word("metric") == "quad") {}

  double operator()(double gap) const {
    if (gap <= 0) return 0;
    return is_hard_ ? cost_ : is_square_ ? cost_ * gap * gap : cost_ * gap;
  }

 private:
  double cost_;
  bool is_hard_, is_square_;
};

double gap_of(std::string_view comparator, double left, double right) {
  if (comparator == "==") return std::abs(left - right);
  if (comparator == "!=") return left == right ? 1 : 0;
  if (comparator == "<=") return std::max(0., left - right);
  if (comparator == "<") return std::max(0., left - right + 1);
  if (comparator == ">=") return std::max(0., right - left);
  if (comparator == ">") return std::max(0., right - left + 1);
  throw UsageError(fmt::format("the comparator is '{}'; it must be ==, !=, <, <=, > or >=", comparator));
}

double gap_outside(double count, double least, double most) { return std::max({0., least - count, count - most}); }

double count_of(double value, Values values) {
  return static_cast<double>(
      std::ranges::count_if(values, [&](std::uint32_t v) { return static_cast<double>(v) == value; }));
}

/// Number of values that are among those of the rows.
double count_among(const std::vector<std::vector<double>>& rows, Values values) {
  double count = 0;
  for (const std::vector<double>& row : rows) count += count_of(row[0], values);
  return count;
}

std::vector<GlobalPart> of_all(std::size_t arity, std::function<double(Values)> cost, double steps = 1) {
  std::vector<std::size_t> places(arity);
  std::iota(places.begin(), places.end(), std::size_t{0});
  return {{.places = std::move(places), .cost = std::move(cost), .steps = steps * static_cast<double>(arity)}};
}

/// Returns a term for each pair of variables.
template <class Cost>
std::vector<GlobalPart> of_pairs(std::size_t arity, const Cost& cost) {
  constexpr std::size_t kMostVariables = 1000;  // 499,500 pairs
  if (arity > kMostVariables) throw UsageError(fmt::format("it has {} variables, more than {}", arity, kMostVariables));
  std::vector<GlobalPart> parts;
  for (std::size_t i = 0; i < arity; ++i)
    for (std::size_t j = i + 1; j < arity; ++j)
      parts.push_back({.places = {i, j}, .cost = [=](Values v) { return cost(i, v[0], j, v[1]); }});
  return parts;
}

double most_values(Cardinalities scope) { return *std::ranges::max_element(scope); }

/// Cost of values that occur more than once.
double repetitions(Values values, const Penalty& penalty) {
  double cost = 0;
  const std::uint32_t largest = *std::ranges::max_element(values);
  for (std::uint32_t value = 0; value <= largest; ++value) cost += penalty(count_of(value, values) - 1);
  return cost;
}

std::vector<GlobalPart> different(const GlobalParameters& parameters, Cardinalities scope, double bound) {
  const double cost = parameters.number("cost");
  const bool is_of_pairs = parameters.word("metric").starts_with("dec");
  // If any repetition forbids, so does that in a pair.
  if (is_of_pairs || cost >= bound)
    return of_pairs(scope.size(),
                    [=](std::size_t, std::uint32_t a, std::size_t, std::uint32_t b) { return a == b ? cost : 0; });
  return of_all(
      scope.size(), [penalty = Penalty(parameters)](Values v) { return repetitions(v, penalty); }, most_values(scope));
}

/// Bounds on numbers of occurrences: each value's gap costs, or with `var` the larger of the total excess and the total
/// shortage.
std::vector<GlobalPart> counted(std::string_view keyword, const GlobalParameters& parameters, Cardinalities scope) {
  const bool is_of_all = keyword == "sgcc" && parameters.word("metric") == "var";
  const bool is_weighted = parameters.word("metric") == "wdec";
  const Penalty penalty(parameters);
  return of_all(
      scope.size(),
      [=, bounds = parameters.list("bounds")](Values values) {
        double sum = 0, shortage = 0, excess = 0;
        for (const std::vector<double>& bound : bounds) {
          const double count = count_of(bound[0], values);
          const double too_few = std::max(0., bound[1] - count), too_many = std::max(0., count - bound[2]);
          if (is_weighted) sum += penalty(too_few * bound[3] + too_many * bound[4]);
          else sum += penalty(too_few + too_many);
          shortage += too_few;
          excess += too_many;
        }
        return is_of_all ? penalty(std::max(shortage, excess)) : sum;
      },
      static_cast<double>(parameters.list("bounds").size() + 1));
}

double count_at(double value, Values values, const std::vector<std::vector<double>>& places) {
  double count = 0;
  for (const std::vector<double>& row : places) count += values[static_cast<std::size_t>(row[0])] == value ? 1 : 0;
  return count;
}

/// Requires two lists of variables to have the same values: those that one has more often than the other must change.
std::vector<GlobalPart> soft_same(const GlobalParameters& parameters, Cardinalities scope) {
  const auto &first = parameters.list("vars1"), &second = parameters.list("vars2");
  if (first.size() != second.size()) throw UsageError("both lists must have the same number of variables");
  return of_all(
      scope.size(),
      [=, cost = parameters.number("cost")](Values values) {
        double changes = 0;
        for (std::uint32_t value = 0; value <= *std::ranges::max_element(values); ++value)
          changes += std::max(0., count_at(value, values, first) - count_at(value, values, second));
        return changes > 0 ? cost * changes : 0;
      },
      most_values(scope));
}

/// Requires both halves to have every value equally often, and within the bounds.
std::vector<GlobalPart> same(const GlobalParameters& parameters, Cardinalities scope) {
  if (scope.size() % 2 != 0) throw UsageError("the scope must be two lists of equal length");
  return of_all(
      scope.size(),
      [penalty = Penalty(parameters), bounds = parameters.list("bounds")](Values values) {
        const Values left = values.first(values.size() / 2), right = values.last(values.size() / 2);
        double cost = 0;
        for (std::uint32_t value = 0; value <= *std::ranges::max_element(values); ++value)
          cost += penalty(std::abs(count_of(value, left) - count_of(value, right)));
        for (const std::vector<double>& bound : bounds)
          for (const Values half : {left, right})
            cost += penalty(gap_outside(count_of(bound[0], half), bound[1], bound[2]));
        return cost;
      },
      most_values(scope));
}

std::vector<GlobalPart> among(std::string_view keyword, const GlobalParameters& parameters, Cardinalities scope) {
  const bool is_last_the_count = keyword == "wvaramong";
  return of_all(scope.size(), [=, penalty = Penalty(parameters), rows = parameters.list("values"),
                               least = parameters.number("min"), most = parameters.number("max")](Values values) {
    if (!is_last_the_count) return penalty(gap_outside(count_among(rows, values), least, most));
    return penalty(std::abs(count_among(rows, values.first(values.size() - 1)) - values.back()));
  });
}

std::vector<GlobalPart> sum(std::string_view keyword, const GlobalParameters& parameters, Cardinalities scope) {
  const std::string comparator = parameters.word("comparator");
  gap_of(comparator, 0, 0);
  const bool is_last_the_sum = keyword == "wvarsum", is_overlap = keyword == "woverlap";
  return of_all(scope.size(), [=, penalty = Penalty(parameters), to = parameters.number("to")](Values values) {
    double total = 0;
    if (is_overlap) {
      for (std::size_t i = 0, half = values.size() / 2; i < half; ++i)
        total += values[i] != 0 && values[i] == values[i + half] ? 1 : 0;
      return penalty(gap_of(comparator, total, to));
    }
    for (const std::uint32_t value : values) total += value;
    if (!is_last_the_sum) return penalty(gap_of(comparator, total, to));
    return penalty(gap_of(comparator, total - values.back(), values.back()));
  });
}

/// [place][value]: its weight.
using Weights = std::vector<std::vector<double>>;

Weights weights_of(std::string_view keyword, const GlobalParameters& parameters, Cardinalities scope) {
  Weights weights;
  for (const std::uint32_t cardinality : scope) weights.emplace_back(cardinality);
  const auto set = [&](std::size_t place, double value, double weight) {
    if (value < static_cast<double>(weights[place].size())) weights[place][static_cast<std::size_t>(value)] = weight;
  };
  if (keyword == "knapsack")
    for (std::size_t i = 0; i < scope.size(); ++i) set(i, 1, parameters.list("weights")[i][0]);
  else if (keyword == "knapsackv")
    for (const std::vector<double>& row : parameters.list("weightedvalues"))
      set(static_cast<std::size_t>(row[0]), row[1], row[2]);
  else
    for (std::size_t i = 0; i < scope.size(); ++i) {
      const std::vector<double>& pairs = parameters.list("weightedvalues")[i];
      for (std::size_t k = 0; k + 1 < pairs.size(); k += 2) set(i, pairs[k], pairs[k + 1]);
    }
  return weights;
}

/// Requires weights to add up to at least the capacity.
std::vector<GlobalPart> at_least(const Weights& weights, double capacity) {
  double largest = 0;
  for (const std::vector<double>& row : weights) largest += *std::ranges::max_element(row);
  if (largest == capacity) {  // each variable must contribute all it can
    std::vector<GlobalPart> parts;
    for (std::size_t i = 0; i < weights.size(); ++i)
      parts.push_back({.places = {i}, .cost = [row = weights[i]](Values v) {
                         return row[v[0]] == *std::ranges::max_element(row) ? 0 : kInfinity;
                       }});
    return parts;
  }
  return of_all(weights.size(), [=](Values values) {
    double total = 0;
    for (std::size_t i = 0; i < values.size(); ++i) total += weights[i][values[i]];
    return total >= capacity ? 0 : kInfinity;
  });
}

std::vector<GlobalPart> diverse(const GlobalParameters& parameters, Cardinalities scope) {
  Weights weights;
  for (std::size_t i = 0; i < scope.size(); ++i) {
    weights.emplace_back(scope[i], 1);
    const double value = parameters.list("values")[i][0];
    if (value < scope[i]) weights[i][static_cast<std::size_t>(value)] = 0;
  }
  return at_least(weights, parameters.number("distance"));
}

std::vector<GlobalPart> clique(const GlobalParameters& parameters, Cardinalities scope) {
  if (parameters.number("rhs") != 1) throw UsageError("the right-hand side of a clique must be 1");
  return of_pairs(
      scope.size(), [sets = parameters.list("values")](std::size_t i, std::uint32_t a, std::size_t j, std::uint32_t b) {
        const auto has = [&](std::size_t place, double value) { return std::ranges::count(sets[place], value) > 0; };
        return has(i, a) && has(j, b) ? kInfinity : 0;
      });
}

std::vector<GlobalPart> largest(const GlobalParameters& parameters, Cardinalities scope) {
  Weights costs;
  for (const std::uint32_t cardinality : scope) costs.emplace_back(cardinality, parameters.number("defaultcost"));
  for (const std::vector<double>& row : parameters.list("tuples"))
    if (std::vector<double>& of_place = costs[static_cast<std::size_t>(row[0])]; row[1] < of_place.size())
      of_place[static_cast<std::size_t>(row[1])] = row[2];
    else throw UsageError(fmt::format("a variable has no value {}", row[1]));
  return of_all(scope.size(), [=](Values values) {
    double most = -kInfinity;
    for (std::size_t i = 0; i < values.size(); ++i) most = std::max(most, costs[i][values[i]]);
    return most;
  });
}

/// 0 for a spanning tree, else +inf. Each variable's value is its parent; the root is its own.
double spanning_tree_cost(Values parents) {
  std::size_t roots = 0;
  for (std::size_t i = 0; i < parents.size(); ++i) {
    roots += parents[i] == i ? 1 : 0;
    std::size_t at = i;
    for (std::size_t steps = 0; steps <= parents.size() && parents[at] != at; ++steps) {
      at = parents[at];
      if (at >= parents.size() || steps == parents.size()) return kInfinity;
    }
  }
  return roots == 1 ? 0 : kInfinity;
}

}  // namespace

const std::string& GlobalParameters::word(std::string_view field) const {
  static const std::string kNone;
  const auto found = words.find(field);
  return found == words.end() ? kNone : found->second;
}

double GlobalParameters::number(std::string_view field) const {
  const auto found = numbers.find(field);
  return found == numbers.end() ? 0 : found->second;
}

const std::vector<std::vector<double>>& GlobalParameters::list(std::string_view field) const {
  static const std::vector<std::vector<double>> kNone;
  const auto found = rows.find(field);
  return found == rows.end() ? kNone : found->second;
}

const std::vector<GlobalField>* global_fields(std::string_view keyword) {
  const auto found = kGlobalKeywords.find(keyword);
  return found == kGlobalKeywords.end() ? nullptr : &found->second;
}

std::vector<GlobalPart> global_parts(std::string_view keyword, const GlobalParameters& parameters,
                                     std::span<const std::uint32_t> cardinalities, double bound) {
  if (cardinalities.empty()) throw UsageError("it needs variables");
  if (keyword.find("alldiff") != keyword.npos) return different(parameters, cardinalities, bound);
  if (keyword == "wsame" || keyword == "wsamegcc") return same(parameters, cardinalities);
  if (keyword.find("gcc") != keyword.npos) return counted(keyword, parameters, cardinalities);
  if (keyword == "ssame") return soft_same(parameters, cardinalities);
  if (keyword.find("among") != keyword.npos) return among(keyword, parameters, cardinalities);
  if (keyword == "wsum" || keyword == "wvarsum" || keyword == "woverlap")
    return sum(keyword, parameters, cardinalities);
  if (keyword.starts_with("knapsack"))
    return at_least(weights_of(keyword, parameters, cardinalities), parameters.number("capacity"));
  if (keyword.ends_with("diverse")) return diverse(parameters, cardinalities);
  if (keyword == "clique") return clique(parameters, cardinalities);
  if (keyword == "max" || keyword == "smaxdp") return largest(parameters, cardinalities);
  if (keyword == "MST" || keyword == "smstdp") return of_all(cardinalities.size(), spanning_tree_cost);
  if (keyword.starts_with("sgrammar"))
    return of_all(cardinalities.size(), grammar_cost(parameters), grammar_steps(parameters, cardinalities.size()));
  return of_all(cardinalities.size(), automaton_cost(keyword, parameters), automaton_steps(parameters));
}

}  // namespace fovea::graph
