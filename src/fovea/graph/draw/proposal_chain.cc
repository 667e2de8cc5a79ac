// SPDX-License-Identifier: Apache-2.0
#include "fovea/graph/draw/proposal_chain.h"

#include <algorithm>
#include <functional>
#include <map>
#include <numeric>
#include <utility>

#include "fovea/base/log_math.h"

namespace fovea::graph {
namespace {

constexpr std::size_t kWorkBetweenStops = 1 << 16;  // factors and proposals

/// The most that a factor can change when only the variable at `position` of its scope does; +inf if it has a hard
/// constraint.
double largest_change(const FactorGraph& graph, const FactorGraph::Incidence& place) {
  const auto table = graph.table(place.factor);
  const std::size_t stride = graph.strides(place.factor)[place.position];
  const std::size_t values = graph.cardinality(graph.scope(place.factor)[place.position]);
  double largest = 0;
  for (std::size_t block = 0; block < table.size(); block += stride * values)
    for (std::size_t begin = block; begin < block + stride; ++begin) {
      double low = table[begin], high = low;
      for (std::size_t k = 1; k < values; ++k) {
        low = std::min(low, table[begin + k * stride]);
        high = std::max(high, table[begin + k * stride]);
      }
      if (low == kImpossible) return -kImpossible;
      largest = std::max(largest, high - low);
    }
  return largest;
}

}  // namespace

std::optional<ProposalFactors> ProposalFactors::build(const FactorGraph& graph, const Stop& stop) {
  ProposalFactors made(graph);
  std::vector<Bounded> factors;
  std::map<std::pair<TableId, std::uint32_t>, double> bounds;  // tables that are shared are looked at once
  for (VariableId v = 0; v < graph.variable_count(); ++v) {
    if (stop.requested()) return std::nullopt;
    factors.clear();
    for (const FactorGraph::Incidence& place : graph.incidences(v)) {
      const auto [known, is_new] = bounds.try_emplace({graph.table_id(place.factor), place.position}, 0);
      if (is_new) known->second = largest_change(graph, place);
      factors.push_back({known->second, place});
    }
    made.add_variable(factors);
  }
  return made;
}

void ProposalFactors::add_variable(std::vector<Bounded>& factors) {
  std::ranges::stable_sort(factors, std::greater(), &Bounded::bound);
  const auto soft = std::ranges::find_if(factors, [](const Bounded& b) { return b.bound < -kImpossible; });
  const auto constrained = static_cast<std::size_t>(soft - factors.begin());
  const std::size_t bounds_begin = rest_bounds_.size();
  soft_begin_.push_back(begin_.back() + constrained);
  for (const Bounded& factor : factors) ordered_.push_back(factor.place);
  begin_.push_back(ordered_.size());
  rest_bounds_.resize(bounds_begin + factors.size() + 1, 0);
  double rest = 0;
  for (std::size_t i = factors.size(); i-- > constrained;) rest_bounds_[bounds_begin + i] = rest += factors[i].bound;
}

double ProposalKernel::constrained_difference(VariableId v, const ValueChange& change) {
  double sum = 0;
  for (const FactorGraph::Incidence& place : factors_->constrained(v)) {
    ++work_.looked_at;
    sum += change.difference(place);
    if (sum == kImpossible) break;
  }
  return sum;
}

void ProposalKernel::count_decision(const mcmc::Decision& decision) {
  work_.looked_at += decision.factors;
  work_.accepted += decision.accepted;
  switch (rule_.decided_by()) {
    case mcmc::DecidedBy::kBounds:
      ++work_.by_bounds;
      break;
    case mcmc::DecidedBy::kDraws:
      ++work_.by_draws;
      break;
    default:
      ++work_.by_all;
  }
}

ProposalChain::ProposalChain(const ProposalFactors& factors, const mcmc::Exactness& exactness, Assignment values,
                             Random random)
    : kernel_(factors, exactness), values_(std::move(values)), random_(std::move(random)), order_(values_.size()) {
  std::iota(order_.begin(), order_.end(), VariableId{0});
}

bool ProposalChain::sweep(std::size_t count, const Stop& stop) {
  std::uint64_t next_stop = 0;
  for (std::size_t round = 0; round < count; ++round)
    for (const VariableId& v : order_) {
      if (work().looked_at + work().proposals >= next_stop) {
        if (stop.requested()) return false;
        next_stop = work().looked_at + work().proposals + kWorkBetweenStops;
      }
      kernel_.step(values_, std::span(&v, 1), random_);
    }
  return true;
}

}  // namespace fovea::graph
