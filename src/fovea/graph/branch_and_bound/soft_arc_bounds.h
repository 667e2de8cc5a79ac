// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "fovea/base/run_control.h"
#include "fovea/graph/model/factor_graph.h"

namespace fovea::graph {

/// Costs (minus log scores) of a model of factors over one or two variables, and a bound below all of them, made by
/// shifting costs from tables to single variables and from there to the bound; every assignment's sum stays the same:
///
///   total(y) = bound + sum_v unary_v[y_v] + sum_(v<w) pair_vw[y_v, y_w],   all unary and pair costs >= 0
///
/// A value whose unary cost brings the bound above a limit has the cost +inf: no assignment with it is wanted. Shifts
/// as full directional and existential arc consistency has them (de Givry, Heras, Zytnicki and Larrosa 2005,
/// "Existential arc consistency: Getting closer to full arc consistency in weighted CSPs"), swept over all tables until
/// they add nothing. Whole costs stay whole, so that nothing is rounded.
class SoftArcBounds {
 public:
  /// Which tables there are. `graph` has no factors of more than two variables.
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
    std::vector<std::vector<Side>> sides;  ///< [variable] the pairs it is in
    std::size_t pair_entries = 0;
  };

  SoftArcBounds(const Layout& layout, const FactorGraph& graph);

  double bound() const { return bound_; }
  /// +inf for a value that is not wanted.
  double unary(VariableId v, std::size_t value) const { return unary_[layout_->unary_begin[v] + value]; }
  void forbid(VariableId v, std::size_t value);
  std::size_t count(VariableId v) const { return counts_[v]; }  ///< values that are left

  /// Shifts until nothing more is gained, or `stop` is requested. False if no assignment costs `limit` or less.
  /// `revisions` counts tables looked at; `culprit` is the variable that was left without a value, if one was.
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
