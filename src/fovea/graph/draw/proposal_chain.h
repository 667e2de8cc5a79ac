// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "fovea/base/assignment.h"
#include "fovea/base/random.h"
#include "fovea/base/run_control.h"
#include "fovea/graph/draw/proposal_work.h"
#include "fovea/graph/model/factor_graph.h"
#include "fovea/mcmc/subsample/planned_rule.h"
#include "fovea/mcmc/target_law.h"

namespace fovea::graph {

/// The factors of every variable, in the order in which proposals look at them: those with hard constraints, then the
/// others by how much they can change the score, the largest first. Takes 16 bytes for each place of a variable in a
/// factor.
class ProposalFactors {
 public:
  /// Returns nothing if `stop` was requested first. `graph` must outlive the result.
  static std::optional<ProposalFactors> build(const FactorGraph& graph, const Stop& stop = {});

  const FactorGraph& graph() const { return *graph_; }
  std::span<const FactorGraph::Incidence> constrained(VariableId v) const {
    return {ordered_.data() + begin_[v], soft_begin_[v] - begin_[v]};
  }
  std::span<const FactorGraph::Incidence> soft(VariableId v) const {
    return {ordered_.data() + soft_begin_[v], begin_[v + 1] - soft_begin_[v]};
  }
  /// [j]: the sum of the largest changes of the factors soft(v)[j], soft(v)[j + 1], ... when v changes; 0 at the end.
  const double* rest_bounds(VariableId v) const { return rest_bounds_.data() + soft_begin_[v] + v; }

 private:
  explicit ProposalFactors(const FactorGraph& graph) : graph_(&graph) {}
  /// A factor of a variable, with the most that it can change when the variable does; +inf for a hard constraint.
  struct Bounded {
    double bound = 0;
    FactorGraph::Incidence place;
  };
  /// Adds the next variable's factors.
  void add_variable(std::vector<Bounded>& factors);

  const FactorGraph* graph_;
  std::vector<std::size_t> begin_{0};            // [variable + 1], of ordered_
  std::vector<std::size_t> soft_begin_;          // [variable]
  std::vector<FactorGraph::Incidence> ordered_;  // [place]
  std::vector<double> rest_bounds_;              // [place + variable], with one more for each variable's end
};

/// The change of the factors without hard constraints if a variable takes another value. A FactorChange with a bound
/// for each factor.
class ValueChange {
 public:
  ValueChange(const ProposalFactors& factors, VariableId v, std::span<const Value> values, Value to)
      : graph_(factors.graph()),
        soft_(factors.soft(v)),
        rest_bounds_(factors.rest_bounds(v)),
        values_(values),
        from_(values[v]),
        to_(to) {}

  std::size_t size() const { return soft_.size(); }
  double difference(std::size_t j) const { return difference(soft_[j]); }
  double bound() const { return soft_.empty() ? 0 : rest_bounds_[0] - rest_bounds_[1]; }
  double rest_bound(std::size_t j) const { return rest_bounds_[j]; }

  /// The same of any factor of the variable; -inf if `to` breaks a hard constraint.
  double difference(const FactorGraph::Incidence& place) const {
    const auto table = graph_.table(place.factor);
    const std::size_t stride = graph_.strides(place.factor)[place.position];
    const std::size_t now = graph_.entry_index(place.factor, values_);
    return table[now + stride * to_ - stride * from_] - table[now];
  }

 private:
  const FactorGraph& graph_;
  std::span<const FactorGraph::Incidence> soft_;
  const double* rest_bounds_;
  std::span<const Value> values_;
  Value from_, to_;
};

/// The Metropolis-Hastings kernel that proposes a random other value for a variable and looks at as many of the
/// variable's factors as the exactness demands (Singh, Wick and McCallum 2012, "Monte Carlo MCMC"; PlannedRule). It
/// pays where variables have hundreds of factors.
///
/// Factors with hard constraints are always looked at, and first: what they forbid is never reached, however little is
/// drawn of the others. One visit in eight makes no proposal, because variables whose values are equally likely would
/// otherwise alternate for ever. The rule has a memory: give every chain a kernel of its own.
class ProposalKernel {
 public:
  using TargetLaw = mcmc::Approximate;  ///< Invariant, if exact

  /// `factors` must outlive the kernel.
  ProposalKernel(const ProposalFactors& factors, const mcmc::Exactness& exactness)
      : factors_(&factors), rule_(exactness) {}

  /// Visits the variables of the batch, one after the other. `values` has positive probability, and keeps it.
  template <class R>
  void step(Assignment& values, std::span<const VariableId> batch, R& random) {
    for (const VariableId v : batch) visit(v, values, random);
  }

  const ProposalWork& work() const { return work_; }

 private:
  static constexpr double kNoProposal = 0.125;

  template <class R>
  void visit(VariableId v, Assignment& values, R& random);
  /// The change of the factors with hard constraints, counted as looked at; -inf if one forbids it.
  double constrained_difference(VariableId v, const ValueChange& change);
  void count_decision(const mcmc::Decision& decision);

  const ProposalFactors* factors_;
  mcmc::PlannedRule rule_;
  ProposalWork work_;
};

template <class R>
void ProposalKernel::visit(VariableId v, Assignment& values, R& random) {
  const auto others = static_cast<std::uint32_t>(factors_->graph().cardinality(v) - 1);
  if (others == 0 || random.bernoulli(kNoProposal)) return;
  const std::uint32_t other = random.uniform_index(others);
  const auto to = static_cast<Value>(other < values[v] ? other : other + 1);
  const ValueChange change(*factors_, v, values, to);
  ++work_.proposals;
  work_.factors += factors_->constrained(v).size() + change.size();
  const double known = constrained_difference(v, change);
  if (known == -std::numeric_limits<double>::infinity()) {
    ++work_.by_bounds;
    return;
  }
  const mcmc::Decision decision = rule_.decide(change, known, random);
  count_decision(decision);
  if (decision.accepted) values[v] = to;
}

/// A chain of the kernel that visits the variables in the order of their numbers.
class ProposalChain {
 public:
  using TargetLaw = ProposalKernel::TargetLaw;

  /// `values` has positive probability. `factors` must outlive the chain.
  ProposalChain(const ProposalFactors& factors, const mcmc::Exactness& exactness, Assignment values, Random random);

  /// Visits every variable `count` times. Returns false if `stop` was requested first: values() is then not a draw.
  bool sweep(std::size_t count, const Stop& stop);
  const Assignment& values() const { return values_; }
  const ProposalWork& work() const { return kernel_.work(); }

 private:
  ProposalKernel kernel_;
  Assignment values_;
  Random random_;
  std::vector<VariableId> order_;
};

}  // namespace fovea::graph
