// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "fovea/base/run_control.h"
#include "fovea/graph/model/factor_graph.h"

namespace fovea::graph {

/// Costs (minus log scores) of a model whose factors have one or two variables, and a lower bound on the cost of every
/// assignment, obtained by shifting costs from tables to single variables and from there to the bound. Every
/// assignment's sum stays the same:
///
///   total(y) = bound + sum_v unary_v[y_v] + sum_(v<w) pair_vw[y_v, y_w],   all unary and pair costs >= 0
///
/// A value whose unary cost would raise the bound above a limit gets the cost +inf: no assignment with it is wanted.
/// The shifts are those of full directional and existential arc consistency (de Givry, Heras, Zytnicki and Larrosa
/// 2005, "Existential arc consistency: Getting closer to full arc consistency in weighted CSPs"), swept over all tables
/// until they gain nothing. Whole costs stay whole, so nothing is rounded.
class SoftArcBounds {
 public:
  /// Layout of the tables. `graph` has no factors of more than two variables.
  struct Layout {
    explicit Layout(const FactorGraph& graph);

    struct Pair {
      VariableId first, second;  ///< first < second
      std::size_t begin;         ///< of its table, the second variable fastest
    };
    struct Side {
      std::uint32_t pair;
      bool is_first;
    };
    std::vector<std::uint32_t> cardinalities;
    std::vector<std::size_t> unary_begin;  ///< [variable + 1]
    std::vector<Pair> pairs;
    std::vector<std::vector<Side>> sides;  ///< [variable]: the pairs that it is in
    std::size_t pair_entries = 0;
  };

  SoftArcBounds(const Layout& layout, const FactorGraph& graph);

  double bound() const { return bound_; }
  /// Unary cost of the value; +inf if the value is not wanted.
  double unary(VariableId v, std::size_t value) const { return unary_[layout_->unary_begin[v] + value]; }
  void forbid(VariableId v, std::size_t value);
  std::size_t count(VariableId v) const { return counts_[v]; }  ///< number of values left

  /// Shifts costs until nothing more is gained or `stop` is requested. Returns false if no assignment costs `limit` or
  /// less. `revisions` counts the tables looked at; `culprit` is the variable that was left without a value, if any.
  bool propagate(double limit, const Stop& stop, std::uint64_t& revisions, VariableId& culprit);

 private:
  double& pair_cost(std::size_t pair, bool is_first, std::size_t a, std::size_t b);
  bool shift_to(std::size_t pair, bool to_first, double limit);
  bool pull_to(std::size_t pair, bool to_first, double limit);
  bool settle(VariableId v, double limit);
  bool sweep(double limit, const Stop& stop, std::uint64_t& revisions, VariableId& culprit);
  bool support(VariableId v, double limit, std::uint64_t& revisions);
  double least_with(std::size_t pair, bool to_first, std::size_t value) const;

  const Layout* layout_;
  double bound_ = 0;
  std::vector<double> unary_, pairs_;
  std::vector<std::uint32_t> counts_;
};

}  // namespace fovea::graph
