// SPDX-License-Identifier: Apache-2.0
#include "fovea/graph/tables/nogoods.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "fovea/base/error.h"
#include "fovea/base/log_math.h"

namespace fovea::graph::internal {
namespace {

constexpr std::size_t kMaxEntries = std::size_t{1} << 14;  // of a table that is searched for nogoods
constexpr std::size_t kMaxNogoods = 1024;                  // of one table
constexpr std::size_t kComparisonsBetweenLooks = 8192;     // at the clock
constexpr const char* kNoTime = "no time was left to read constraints off tables";

/// Finds the prime nogoods of one table by leaving literals out of forbidden entries one by one.
class TableNogoods {
 public:
  TableNogoods(const FactorGraph& graph, FactorId f) : graph_(graph), f_(f), table_(graph.table(f)) {
    for (const VariableId v : graph.scope(f)) cardinalities_.push_back(graph.cardinality(v));
  }

  /// The nogoods as lists of literals; nothing if there are too many.
  std::optional<std::vector<std::vector<LiteralId>>> find(std::span<const LiteralId> first_literal) {
    std::vector<std::vector<LiteralId>> nogoods;
    std::vector<char> is_covered(table_.size(), 0);
    for (std::size_t entry = 0; entry < table_.size(); ++entry) {
      if (table_[entry] != kImpossible || is_covered[entry]) continue;
      if (nogoods.size() == kMaxNogoods) return std::nullopt;
      std::vector<char> is_open(cardinalities_.size(), 0);
      for (std::size_t i = 0; i < is_open.size(); ++i) {
        is_open[i] = 1;
        is_open[i] = for_each_match(entry, is_open, [&](std::size_t at) { return table_[at] == kImpossible; });
      }
      for_each_match(entry, is_open, [&](std::size_t at) { return is_covered[at] = 1; });
      nogoods.emplace_back();
      for (std::size_t i = 0; i < is_open.size(); ++i)
        if (!is_open[i]) nogoods.back().push_back(first_literal[graph_.scope(f_)[i]] + value_at(entry, i));
    }
    return nogoods;
  }

 private:
  LiteralId value_at(std::size_t entry, std::size_t place) const {
    return static_cast<LiteralId>(entry / graph_.strides(f_)[place] % cardinalities_[place]);
  }

  /// Calls visit(entry) for the entries that agree with `entry` in all places that are not open, until it returns
  /// false; returns true if it never did.
  template <class Visit>
  bool for_each_match(std::size_t entry, const std::vector<char>& is_open, const Visit& visit) const {
    std::size_t at = entry;
    std::vector<std::size_t> values(is_open.size(), 0);
    for (std::size_t i = 0; i < is_open.size(); ++i)
      if (is_open[i]) at -= graph_.strides(f_)[i] * value_at(entry, i);
    for (;;) {
      if (!visit(at)) return false;
      std::size_t i = is_open.size();
      for (; i > 0; --i) {
        if (!is_open[i - 1]) continue;
        at += graph_.strides(f_)[i - 1];
        if (++values[i - 1] < cardinalities_[i - 1]) break;
        at -= graph_.strides(f_)[i - 1] * values[i - 1];
        values[i - 1] = 0;
      }
      if (i == 0) return true;
    }
  }

  const FactorGraph& graph_;
  FactorId f_;
  std::span<const double> table_;
  std::vector<std::size_t> cardinalities_;
};

/// The common score of all entries that are not forbidden, if there is one; -inf if all are forbidden.
std::optional<double> find_only_score(std::span<const double> table) {
  double only = kImpossible;
  for (const double score : table) {
    if (score == kImpossible || score == only) continue;
    if (only != kImpossible) return std::nullopt;
    only = score;
  }
  return only;
}

void add_factor(const FactorGraph& graph, FactorId f, NogoodModel& model) {
  const std::span<const double> table = graph.table(f);
  const std::span<const VariableId> scope = graph.scope(f);
  if (scope.empty()) model.constant += table.front();
  else if (scope.size() == 1)
    for (std::size_t k = 0; k < table.size(); ++k) model.weights[model.first_literal[scope[0]] + k] += table[k];
  if (scope.size() < 2) return;
  const std::optional<double> only = find_only_score(table);
  if (only == kImpossible) {
    model.constant = kImpossible;
    return;
  }
  const bool is_small = table.size() <= kMaxEntries;
  const auto nogoods = is_small ? TableNogoods(graph, f).find(model.first_literal) : std::nullopt;
  if (only && nogoods) model.constant += *only;
  else model.soft_factors.push_back(f);
  if (!nogoods) return;
  for (const std::vector<LiteralId>& nogood : *nogoods)
    if (nogood.size() == 1) model.weights[nogood[0]] = kImpossible;
    else model.nogoods.push_back(nogood);
}

/// Puts the nogoods in ascending order, each once.
void sort_nogoods(std::vector<std::vector<LiteralId>>& nogoods, const Stop& stop) {
  std::size_t comparisons = 0;
  const auto look = [&] {
    if (comparisons++ % kComparisonsBetweenLooks == 0 && stop.requested()) throw LimitError(kNoTime);
  };
  for (std::vector<LiteralId>& nogood : nogoods) {
    look();
    std::ranges::sort(nogood);
  }
  std::ranges::sort(nogoods, [&](const std::vector<LiteralId>& a, const std::vector<LiteralId>& b) {
    look();
    return a < b;
  });
  nogoods.erase(std::unique(nogoods.begin(), nogoods.end()), nogoods.end());
}

}  // namespace

NogoodModel extract_nogoods(const FactorGraph& graph, const Stop& stop) {
  NogoodModel model;
  for (VariableId v = 0; v < graph.variable_count(); ++v) {
    model.first_literal.push_back(model.first_literal.back() + static_cast<LiteralId>(graph.cardinality(v)));
    model.variable_of.resize(model.first_literal.back(), v);
  }
  model.weights.assign(model.variable_of.size(), 0.0);
  for (FactorId f = 0; f < graph.factor_count(); ++f) {
    add_factor(graph, f, model);
    if (stop.requested()) throw LimitError(kNoTime);
  }
  sort_nogoods(model.nogoods, stop);
  return model;
}

}  // namespace fovea::graph::internal
