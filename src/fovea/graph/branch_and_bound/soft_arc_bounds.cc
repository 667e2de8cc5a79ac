// SPDX-License-Identifier: Apache-2.0
#include "fovea/graph/branch_and_bound/soft_arc_bounds.h"

#include <algorithm>
#include <map>
#include <utility>

#include "fovea/base/error.h"
#include "fovea/base/log_math.h"

namespace fovea::graph {

SoftArcBounds::Layout::Layout(const FactorGraph& graph) : sides(graph.variable_count()) {
  unary_begin.push_back(0);
  for (VariableId v = 0; v < graph.variable_count(); ++v) {
    cardinalities.push_back(static_cast<std::uint32_t>(graph.cardinality(v)));
    unary_begin.push_back(unary_begin.back() + cardinalities.back());
  }
  std::map<std::pair<VariableId, VariableId>, std::uint32_t> known;
  for (FactorId f = 0; f < graph.factor_count(); ++f) {
    const auto scope = graph.scope(f);
    FOVEA_CHECK(scope.size() <= 2);
    if (scope.size() < 2) continue;
    const auto [first, second] = std::minmax(scope[0], scope[1]);
    if (!known.try_emplace({first, second}, static_cast<std::uint32_t>(pairs.size())).second) continue;
    const auto number = static_cast<std::uint32_t>(pairs.size());
    sides[first].push_back({number, true});
    sides[second].push_back({number, false});
    pairs.push_back({first, second, pair_entries});
    pair_entries += std::size_t{cardinalities[first]} * cardinalities[second];
  }
}

SoftArcBounds::SoftArcBounds(const Layout& layout, const FactorGraph& graph)
    : layout_(&layout), unary_(layout.unary_begin.back()), pairs_(layout.pair_entries), counts_(layout.cardinalities) {
  std::map<std::pair<VariableId, VariableId>, std::size_t> pair_of;
  for (std::size_t p = 0; p < layout.pairs.size(); ++p) pair_of[{layout.pairs[p].first, layout.pairs[p].second}] = p;
  for (FactorId f = 0; f < graph.factor_count(); ++f) {
    const auto scope = graph.scope(f);
    const auto table = graph.table(f);
    // Costs are relative to the least of their table, which every assignment pays.
    const double least = table.empty() ? 0 : -*std::ranges::max_element(table);
    if (least < kInfinity) bound_ += least;
    const double paid = least < kInfinity ? least : 0;
    if (scope.empty()) {
      if (least == kInfinity) bound_ = kInfinity;
    } else if (scope.size() == 1) {
      for (std::size_t a = 0; a < table.size(); ++a) unary_[layout.unary_begin[scope[0]] + a] += -table[a] - paid;
    } else {
      const auto [first, second] = std::minmax(scope[0], scope[1]);
      const std::size_t begin = layout.pairs[pair_of[{first, second}]].begin, width = layout.cardinalities[second];
      for (std::size_t a = 0; a < layout.cardinalities[first]; ++a)
        for (std::size_t b = 0; b < width; ++b) {
          const std::size_t entry = scope[0] == first ? a * width + b : b * layout.cardinalities[first] + a;
          pairs_[begin + a * width + b] += -table[entry] - paid;
        }
    }
  }
  for (VariableId v = 0; v < graph.variable_count(); ++v)
    for (std::size_t a = 0; a < layout.cardinalities[v]; ++a)
      if (unary(v, a) == kInfinity) --counts_[v];
}

void SoftArcBounds::forbid(VariableId v, std::size_t value) {
  double& cost = unary_[layout_->unary_begin[v] + value];
  if (cost == kInfinity) return;
  cost = kInfinity;
  --counts_[v];
}

double& SoftArcBounds::pair_cost(std::size_t pair, bool is_first, std::size_t a, std::size_t b) {
  const Layout::Pair& p = layout_->pairs[pair];
  return pairs_[p.begin +
                (is_first ? a * layout_->cardinalities[p.second] + b : b * layout_->cardinalities[p.second] + a)];
}

/// Least cost of the value with any value of the other variable, that variable's own cost included.
double SoftArcBounds::least_with(std::size_t pair, bool to_first, std::size_t value) const {
  const Layout::Pair& p = layout_->pairs[pair];
  const VariableId from = to_first ? p.second : p.first;
  const std::size_t width = layout_->cardinalities[p.second], stride = to_first ? 1 : width;
  const double* cost = &pairs_[p.begin + (to_first ? value * width : value)];
  const double* own = &unary_[layout_->unary_begin[from]];
  double least = kInfinity;
  for (std::size_t b = 0; b < layout_->cardinalities[from]; ++b) least = std::min(least, cost[b * stride] + own[b]);
  return least;
}

/// Full arc consistency: moves the costs that the other variable's own costs make unavoidable through the table to this
/// one. Returns false if a variable is left without a value.
bool SoftArcBounds::shift_to(std::size_t pair, bool to_first, double limit) {
  const Layout::Pair& p = layout_->pairs[pair];
  const VariableId to = to_first ? p.first : p.second, from = to_first ? p.second : p.first;
  double* const own = &unary_[layout_->unary_begin[from]];
  double* const gain = &unary_[layout_->unary_begin[to]];
  std::vector<double> least(layout_->cardinalities[to], kInfinity);
  bool gains = false;
  for (std::size_t a = 0; a < least.size(); ++a) {
    if (gain[a] == kInfinity) continue;
    least[a] = least_with(pair, to_first, a);
    gains |= least[a] > 0;
    if (bound_ + gain[a] + least[a] > limit) forbid(to, a);
  }
  if (!gains) return true;
  for (std::size_t b = 0; b < layout_->cardinalities[from]; ++b) {
    if (own[b] == kInfinity) continue;
    double extended = 0;
    for (std::size_t a = 0; a < least.size(); ++a)
      if (gain[a] < kInfinity) extended = std::max(extended, least[a] - pair_cost(pair, to_first, a, b));
    own[b] -= extended;
    for (std::size_t a = 0; a < least.size(); ++a)
      if (gain[a] < kInfinity) pair_cost(pair, to_first, a, b) += extended - least[a];
  }
  for (std::size_t a = 0; a < least.size(); ++a)
    if (gain[a] < kInfinity) gain[a] += least[a];
  return settle(from, limit) && settle(to, limit);
}

/// Arc consistency: moves the costs that the table makes unavoidable, whatever the value of the other variable, to this
/// one.
bool SoftArcBounds::pull_to(std::size_t pair, bool to_first, double limit) {
  const Layout::Pair& p = layout_->pairs[pair];
  const VariableId to = to_first ? p.first : p.second, from = to_first ? p.second : p.first;
  const double* const own = &unary_[layout_->unary_begin[from]];
  for (std::size_t a = 0; a < layout_->cardinalities[to]; ++a) {
    double& gain = unary_[layout_->unary_begin[to] + a];
    if (gain == kInfinity) continue;
    double least = kInfinity;
    for (std::size_t b = 0; b < layout_->cardinalities[from]; ++b)
      if (own[b] < kInfinity) least = std::min(least, pair_cost(pair, to_first, a, b));
    if (least == 0) continue;
    if (bound_ + gain + least > limit) {
      forbid(to, a);
      continue;
    }
    gain += least;
    for (std::size_t b = 0; b < layout_->cardinalities[from]; ++b)
      if (own[b] < kInfinity) pair_cost(pair, to_first, a, b) -= least;
  }
  return settle(to, limit);
}

/// Moves the cost that all values of a variable share to the bound, and forbids values that are too expensive.
bool SoftArcBounds::settle(VariableId v, double limit) {
  double* const own = &unary_[layout_->unary_begin[v]];
  const std::size_t size = layout_->cardinalities[v];
  const double least = *std::min_element(own, own + size);
  if (least == kInfinity) return false;
  if (least > 0) {
    bound_ += least;
    for (std::size_t a = 0; a < size; ++a) own[a] -= least;
  }
  if (bound_ > limit) return false;
  for (std::size_t a = 0; a < size; ++a)
    if (own[a] < kInfinity && bound_ + own[a] > limit) forbid(v, a);
  return counts_[v] > 0;
}

/// Existential arc consistency: if every value of v costs something with some neighbour, moves those costs to v.
bool SoftArcBounds::support(VariableId v, double limit, std::uint64_t& revisions) {
  double least = kInfinity;
  for (std::size_t a = 0; a < layout_->cardinalities[v]; ++a) {
    double cost = unary(v, a);
    if (cost == kInfinity) continue;
    for (const Layout::Side& side : layout_->sides[v]) {
      cost += least_with(side.pair, side.is_first, a);
      if (cost >= least) break;
    }
    least = std::min(least, cost);
  }
  revisions += layout_->sides[v].size();
  if (!(least > 0)) return true;
  for (const Layout::Side& side : layout_->sides[v])
    if (!shift_to(side.pair, side.is_first, limit)) return false;
  return settle(v, limit);
}

bool SoftArcBounds::sweep(double limit, const Stop& stop, std::uint64_t& revisions, VariableId& culprit) {
  const std::size_t count = layout_->cardinalities.size();
  for (std::size_t i = count; i-- > 0 && !stop.requested();) {
    culprit = static_cast<VariableId>(i);
    for (const Layout::Side& side : layout_->sides[i])
      if (!side.is_first && !shift_to(side.pair, true, limit)) return false;
    if (!settle(culprit, limit)) return false;
    revisions += layout_->sides[i].size();
  }
  for (std::size_t i = 0; i < count && !stop.requested(); ++i) {
    culprit = static_cast<VariableId>(i);
    for (const Layout::Side& side : layout_->sides[i])
      if (!side.is_first && !pull_to(side.pair, false, limit)) return false;
    if (!support(culprit, limit, revisions)) return false;
    revisions += layout_->sides[i].size();
  }
  return true;
}

bool SoftArcBounds::propagate(double limit, const Stop& stop, std::uint64_t& revisions, VariableId& culprit) {
  constexpr int kMostSweeps = 100;
  culprit = 0;
  if (bound_ > limit) return false;
  for (VariableId v = 0; v < counts_.size(); ++v) {
    culprit = v;
    if (!settle(v, limit)) return false;
  }
  // A sweep that only moves costs around gains nothing.
  for (int sweeps = 0; sweeps < kMostSweeps && !stop.requested(); ++sweeps) {
    const double before = bound_;
    std::uint64_t values = 0, left = 0;
    for (const std::uint32_t value_count : counts_) values += value_count;
    if (!sweep(limit, stop, revisions, culprit)) return false;
    for (const std::uint32_t value_count : counts_) left += value_count;
    if (bound_ == before && left == values) break;
  }
  return true;
}

}  // namespace fovea::graph
